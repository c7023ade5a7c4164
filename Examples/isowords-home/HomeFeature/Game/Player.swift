// The player, as the game service and the server each know them.

/// The player who is signed in to the game service on this machine.
public struct LocalPlayer: Codable, Equatable, Identifiable, Sendable {
  public var displayName: String
  public var id: String

  public init(displayName: String, id: String) {
    self.displayName = displayName
    self.id = id
  }
}

/// The player as the server knows them.
public struct Player: Codable, Equatable, Identifiable, Sendable {
  public var displayName: String?
  public var id: String

  public init(displayName: String? = nil, id: String) {
    self.displayName = displayName
    self.id = id
  }
}
