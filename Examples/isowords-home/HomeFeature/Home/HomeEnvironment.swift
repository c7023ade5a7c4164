// Everything that the home screen needs from outside.

import Dispatch
import Foundation
import Rondo

/// The clients, schedulers and facts that the home screen's effects use.
public struct HomeEnvironment: Sendable {
  public var fileClient: FileClient
  public var gameService: GameServiceClient
  public var server: ServerClient
  public var sound: SoundClient

  /// What delivers to the screen.
  public var mainQueue: AnySchedulerOf<DispatchQueue>

  /// What waits for the next day.
  public var backgroundQueue: AnySchedulerOf<DispatchQueue>
  public var now: @Sendable () -> Date

  /// What the server knows this machine by.
  public var deviceId: String

  /// The name of the time zone that the player lives in.
  public var timeZone: String

  public init(
    fileClient: FileClient,
    gameService: GameServiceClient,
    server: ServerClient,
    sound: SoundClient,
    mainQueue: AnySchedulerOf<DispatchQueue>,
    backgroundQueue: AnySchedulerOf<DispatchQueue>,
    now: @escaping @Sendable () -> Date,
    deviceId: String = "device-1",
    timeZone: String = "UTC"
  ) {
    self.fileClient = fileClient
    self.gameService = gameService
    self.server = server
    self.sound = sound
    self.mainQueue = mainQueue
    self.backgroundQueue = backgroundQueue
    self.now = now
    self.deviceId = deviceId
    self.timeZone = timeZone
  }
}
