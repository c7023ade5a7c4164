// The dependencies of the home screen, by name: `@Dependency(\.server) var server`.

import Dispatch
import Rondo

extension DependencyValues {
  /// The saved games.
  public var fileClient: FileClient {
    get { self[FileClient.self] }
    set { self[FileClient.self] = newValue }
  }

  /// The game service: the player, and the matches.
  public var gameService: GameServiceClient {
    get { self[GameServiceClient.self] }
    set { self[GameServiceClient.self] = newValue }
  }

  /// The server: challenges, and the week in review.
  public var server: ServerClient {
    get { self[ServerClient.self] }
    set { self[ServerClient.self] = newValue }
  }

  /// The sounds.
  public var sound: SoundClient {
    get { self[SoundClient.self] }
    set { self[SoundClient.self] = newValue }
  }

  /// The queue that waits for the next day.
  public var backgroundQueue: AnySchedulerOf<DispatchQueue> {
    get { self[BackgroundQueue.self] }
    set { self[BackgroundQueue.self] = newValue }
  }
}

private enum BackgroundQueue: DependencyKey {
  static let liveValue = DispatchQueue(label: "isowords-home.background").eraseToAnyScheduler()
  static let testValue = AnySchedulerOf<DispatchQueue>.unimplemented(
    "@Dependency(\\.backgroundQueue)")
}

// There is no live value: which server, and which files, is up to the options of the program.
extension FileClient: TestDependencyKey {
  public static let testValue = test
  public static let previewValue = preview()
}

extension GameServiceClient: TestDependencyKey {
  public static let testValue = test
  public static let previewValue = preview()
}

extension ServerClient: TestDependencyKey {
  public static let testValue = test
  public static let previewValue = preview()
}

extension SoundClient: TestDependencyKey {
  public static let testValue = test
  public static let previewValue = preview
}
