// The player, as the game service and the server each know them.

/// The player who is signed in to the game service on this machine.
public struct LocalPlayer: Codable, Equatable, Identifiable, Sendable {
  /// The name that others see.
  public var displayName: String
  public var id: String

  /// A player; each parameter is the property of its name.
  public init(displayName: String, id: String) {
    self.displayName = displayName
    self.id = id
  }
}

/// The player as the server knows them.
public struct Player: Codable, Equatable, Identifiable, Sendable {
  /// The name that others see, if there is one.
  public var displayName: String?
  public var id: String

  /// A player; each parameter is the property of its name.
  public init(displayName: String? = nil, id: String) {
    self.displayName = displayName
    self.id = id
  }
}
