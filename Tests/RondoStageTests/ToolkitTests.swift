// G6: the code of Documentation/Toolkits.md. The page shows pieces of this file and of others, all of
// which are compiled, and the first test compares them.

import Dispatch
import Foundation
import Rondo
import RondoStage
import Testing

private struct Ball: Reducer {
  struct State: Equatable, Sendable {
    var x = 0.0
    var bounces = 0
  }
  enum Action: Equatable, Sendable {
    case thrown, landed
  }
  var queue: AnySchedulerOf<DispatchQueue>

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .thrown:
      state.x = 20
      return .send(.landed).delay(for: .milliseconds(500), scheduler: queue)
    case .landed:
      state.bounces += 1
      return .none
    }
  }

  static func tree(_ state: State) -> Node {
    Node.fill().frame(width: 1, height: 1).offset(x: state.x, y: 0).id("ball")
  }
}

/// A game: its time is that of its frames, and passes when it says so.
@MainActor private final class Game {
  let timeline = TestTimeline()
  let stage = Stage()
  let store: StoreOf<Ball>
  private var subscription: AnyCancellable?

  init() {
    let queue = timeline.scheduler.eraseToAnyScheduler()
    store = Store(initialState: Ball.State()) { Ball(queue: queue) }
    subscription = store.subscribe { [stage, timeline] commit in
      stage.commit(
        Ball.tree(commit.newState), transaction: commit.transaction, at: timeline.elapsed)
    }
    stage.commit(Ball.tree(store.state), at: .zero)
  }

  /// Lets a frame's time pass and gives what is to be seen then.
  func step(by duration: Duration) -> StageFrame {
    timeline.advance(by: duration)
    stage.advance(to: timeline.elapsed)
    return stage.frame(at: timeline.elapsed)
  }
}

private struct Room: Reducer {
  struct State: Equatable, Sendable {
    var members: Set<String> = []
  }
  enum Action: Equatable, Sendable {
    case joined(String), left(String)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .joined(let name): state.members.insert(name)
    case .left(let name): state.members.remove(name)
    }
    return .none
  }
}

/// A server's connection: lines come in, and what they ask for is answered when it is done.
private func serve(_ lines: some AsyncSequence<String, Never>, in room: StoreOfRoom) async -> Int {
  for await line in lines {
    let action: Room.Action = line.hasPrefix("-") ? .left(String(line.dropFirst())) : .joined(line)
    await room.send(action).finish()
  }
  return await room.members.count
}

private typealias StoreOfRoom = StoreActor<Room.State, Room.Action>

func draw(
  _ frame: StageFrame, over shown: Canvas?, put: (Canvas.Cell, Int, Int) -> Void
) -> Canvas {
  let canvas = Canvas(frame, width: 80, height: 24)
  for run in canvas.changes(from: shown) {
    for (index, cell) in run.cells.enumerated() { put(cell, run.column + index, run.row) }
  }
  return canvas
}

@MainActor
@Suite struct ToolkitTests {
  private let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

  // G6
  @Test func thePageShowsCodeThatIsCompiled() throws {
    let sources = try [
      "Tests/RondoStageTests/ToolkitTests.swift", "Tests/LoopProgram/PollLoop.swift",
      "Examples/gtk-home/Sources/GTKStage/MainLoop.swift",
      "Examples/gtk-home/Sources/GTKStage/StageView.swift", "Examples/terminal/dice/main.swift",
      "Examples/sdl-ball/Sources/sdl-ball/MainLoop.swift",
      "Examples/gtk-counter/Package.swift", "Examples/gtk-counter/Sources/gtk-counter/main.swift",
    ].map { try lines(of: String(contentsOf: root.appending(path: $0), encoding: .utf8)) }
    let page = try String(
      contentsOf: root.appending(path: "Documentation/Toolkits.md"), encoding: .utf8)
    let blocks = page.matches(of: /```swift\n((?s:.*?)) *```/).map { lines(of: String($0.1)) }
    #expect(blocks.count >= 5)
    for block in blocks {
      #expect(sources.contains { "\n\($0)\n".contains("\n\(block)\n") }, "\(block)")
    }
  }

  /// The lines without what they are indented by, and without empty ones.
  private func lines(of text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // G6
  @Test func aLibraryForTerminalsIsGivenTheCellsThatHaveChanged() {
    let stage = Stage()
    stage.commit(.text("日b"), at: .zero)
    var put: [String] = []
    func add(_ cell: Canvas.Cell, _ column: Int, _ row: Int) {
      put.append("\(column) \(cell.glyph.map(String.init) ?? "-")")
    }
    let shown = draw(stage.frame(at: .zero), over: Canvas(width: 80, height: 24), put: add)
    #expect(put == ["0 日", "1 -", "2 b"])
    stage.commit(.text("日c"), at: .zero)
    put = []
    _ = draw(stage.frame(at: .zero), over: shown, put: add)
    #expect(put == ["2 c"])
  }

  // F8
  @Test func thePageOfNodesHasTheSignaturesOfTheSource() throws {
    let folder = root.appending(path: "Sources/RondoStage")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var source = ""
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      source += try String(contentsOf: file, encoding: .utf8)
    }
    // A signature may have a line for each parameter.
    func plain(_ text: some StringProtocol) -> String { String(text).filter { !$0.isWhitespace } }
    source = plain(source)
    let page = try String(
      contentsOf: root.appending(path: "Documentation/Nodes.md"), encoding: .utf8)
    let signatures = page.matches(of: /\n\| `([^`]+[^`.])` \|/).map { plain($0.1) }
    #expect(signatures.count > 35)
    for signature in signatures {
      let declarations = ["publicfunc", "publicstaticfunc", "publicstaticvar"].map {
        $0 + signature
      }
      #expect(declarations.contains(where: source.contains), "\(signature)")
    }
  }

  // G6
  @Test func aGameStepsItsTimeFrameByFrame() {
    let game = Game()
    game.store.send(.thrown, animation: .linear(duration: 1))
    var places: [Double] = []
    for _ in 1...4 {
      let frame = game.step(by: .milliseconds(250))
      places.append(frame["ball"]?.frame.x ?? -1)
    }
    #expect(places == [5, 10, 15, 20])
    #expect(game.store.bounces == 1)
  }

  // G6
  @Test func aServerHasAStoreForEachRoom() async {
    let room = StoreActor(initialState: Room.State()) { Room() }
    let lines = AsyncStream<String> { continuation in
      for line in ["Blob", "Blob Jr.", "-Blob"] { continuation.yield(line) }
      continuation.finish()
    }
    #expect(await serve(lines, in: room) == 1)
  }
}
