// The dependencies of the home screen by the options, on real and on virtual time.

import Dispatch
import Foundation
import RondoHomeFeature
import Rondo

/// The services that run inside the program, or a real server, in the weather of the options.
///
/// They are made once; ``prepare(_:)`` may be used more than once.
struct Services {
  let fileClient: FileClient
  let gameService: GameServiceClient
  let server: ServerClient
  var sound = SoundClient.preview
  let mainQueue: AnySchedulerOf<DispatchQueue>
  let backgroundQueue: AnySchedulerOf<DispatchQueue>
  let date: DateGenerator
  var timeZone = TimeZone.current

  private init(
    _ options: Options,
    directory: String,
    mainQueue: AnySchedulerOf<DispatchQueue>,
    backgroundQueue queue: AnySchedulerOf<DispatchQueue>,
    now: @escaping @Sendable () -> Date
  ) {
    let conditions = Conditions(
      seed: options.seed,
      latencies: options.latencies,
      failing: options.failing,
      speed: options.speed
    )
    let transport =
      options.server.map { HTTPTransport($0, timeout: options.timeout).transport }
      ?? EmbeddedServer(queue: queue, conditions: conditions, now: now).transport
    fileClient = .live(
      directory: directory,
      missing: options.hasExample ? SavedGames(unlimited: .preview(at: now())) : SavedGames(),
      queue: queue, conditions: conditions, now: now)
    gameService = GameServiceStub(queue: queue, conditions: conditions, now: now).client
    server = .live(transport: transport)
    self.mainQueue = mainQueue
    backgroundQueue = queue
    date = DateGenerator(now)
  }

  /// On real time.
  static func live(_ options: Options, directory: String) -> Self {
    let background = DispatchQueue(label: "isowords-home.background").named("backgroundQueue")
    return Self(
      options,
      directory: directory,
      mainQueue: DispatchQueue.main.named("mainQueue"),
      backgroundQueue: background,
      now: { Date() }
    )
  }

  /// On a timeline.
  static func virtual(_ options: Options, directory: String, timeline: TestTimeline) -> Self {
    let queue = timeline.scheduler
    return Self(
      options,
      directory: directory,
      mainQueue: queue.named("mainQueue"),
      backgroundQueue: queue.named("backgroundQueue"),
      now: { timeline.date }
    )
  }

  /// Lets the home screen use them.
  func prepare(_ dependencies: inout DependencyValues) {
    dependencies.fileClient = fileClient
    dependencies.gameService = gameService
    dependencies.server = server
    dependencies.sound = sound
    dependencies.mainQueue = mainQueue
    dependencies.backgroundQueue = backgroundQueue
    dependencies.date = date
    dependencies.timeZone = timeZone
  }
}
