// The dependencies of the home screen: services that run inside of the program.

import Dispatch
import Foundation
import RondoHomeFeature
import Rondo

/// The services of the home screen, on real or on virtual time.
public struct Services: Sendable {
  private let fileClient: FileClient
  private let gameService: GameServiceClient
  private let server: ServerClient
  private let mainQueue: AnySchedulerOf<DispatchQueue>
  private let backgroundQueue: AnySchedulerOf<DispatchQueue>
  private let date: DateGenerator

  /// - Parameters:
  ///   - directory: The folder of the saved games.
  ///   - queue: The queue that everything works and waits on; `nil` for queues of the system.
  ///   - now: The date.
  public init(
    directory: String, queue: AnySchedulerOf<DispatchQueue>?, now: @escaping @Sendable () -> Date
  ) {
    let conditions = Conditions(latencies: [.files: .zero])
    let background =
      queue ?? DispatchQueue(label: "gtk-home.background").eraseToAnyScheduler()
    fileClient = .live(directory: directory, queue: background, conditions: conditions, now: now)
    gameService = GameServiceStub(queue: background, conditions: conditions, now: now).client
    server = .live(
      transport: EmbeddedServer(queue: background, conditions: conditions, now: now).transport)
    mainQueue = queue ?? .main
    backgroundQueue = background
    date = DateGenerator(now)
  }

  /// Lets the home screen use them.
  public func prepare(_ dependencies: inout DependencyValues) {
    dependencies.fileClient = fileClient
    dependencies.gameService = gameService
    dependencies.server = server
    dependencies.sound = .preview
    dependencies.mainQueue = mainQueue
    dependencies.backgroundQueue = backgroundQueue
    dependencies.date = date
    dependencies.timeZone = .current
  }
}
