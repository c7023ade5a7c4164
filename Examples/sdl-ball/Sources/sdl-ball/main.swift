// A window of SDL in which Space throws a ball.
//
//   sdl-ball              until the window is closed, or Escape is pressed
//   sdl-ball --check      throws the ball, waits until it is back, and then measures three idle seconds

import CSDL
import Foundation
import Rondo
import RondoScheduling
import RondoStage

let isCheck = CommandLine.arguments.dropFirst() == ["--check"]
guard isCheck || CommandLine.arguments.count == 1 else {
  FileHandle.standardError.write(Data("sdl-ball: the only option is --check\n".utf8))
  exit(64)
}
SDL_SetMainReady()
guard SDL_Init(SDL_INIT_VIDEO) == 0,
  let window = SDL_CreateWindow("sdl-ball", 0, 0, 320, 200, 0),
  let renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE.rawValue)
else {
  let reason = String(cString: SDL_GetError())
  FileHandle.standardError.write(Data("sdl-ball: no window: \(reason)\n".utf8))
  exit(69)
}
defer { SDL_Quit() }

let loop = MainLoop()
loop.serveMainQueue()

let start = ContinuousClock.now
func now() -> Duration { start.duration(to: .now) }

let stage = Stage()
let store = Store(initialState: Ball.State()) { Ball() }
let subscription = store.subscribe { commit in
  stage.commit(Ball.tree(commit.newState), transaction: commit.transaction, at: now())
}
stage.commit(Ball.tree(store.state), at: now())

/// Draws what is to be seen now.
func draw() {
  stage.advance(to: now())
  SDL_SetRenderDrawColor(renderer, 24, 24, 32, 255)
  SDL_RenderClear(renderer)
  if let ball = stage.frame(at: now())["ball"]?.frame {
    var rectangle = SDL_FRect(
      x: Float(ball.x), y: Float(ball.y), w: Float(ball.width), h: Float(ball.height))
    SDL_SetRenderDrawColor(renderer, 255, 176, 32, 255)
    SDL_RenderFillRectF(renderer, &rectangle)
  }
  SDL_RenderPresent(renderer)
}

func throwBall() { store.send(.thrown, animation: .easeOut(duration: 0.5)) }

/// The processor time that the process has taken, in milliseconds.
func processorTime() -> Int { Int(clock()) * 1_000 / Int(CLOCKS_PER_SEC) }

if isCheck {
  throwBall()
  Task {
    while store.state.returnCount == 0 || stage.isAnimating {
      try await Task.sleep(for: .milliseconds(50))
    }
    print("returned: \(store.state.returnCount)")
    let before = processorTime()
    try await Task.sleep(for: .seconds(3))
    print("processor time in 3 idle seconds: \(processorTime() - before) ms")
    var quit = SDL_Event(type: SDL_QUIT.rawValue)
    SDL_PushEvent(&quit)
  }
}

frames: while true {
  draw()
  guard let event = loop.nextEvent(isMoving: stage.isAnimating) else { continue }
  switch event.type {
  case SDL_QUIT.rawValue: break frames
  case SDL_KEYDOWN.rawValue where event.key.keysym.sym == SDLK_SPACE.rawValue: throwBall()
  case SDL_KEYDOWN.rawValue where event.key.keysym.sym == SDLK_ESCAPE.rawValue: break frames
  default: break
  }
}
