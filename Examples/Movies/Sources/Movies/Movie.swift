// The elements of the list.

/// A movie, by its title.
public struct Movie: Hashable, Sendable {
  public var title: String

  public init(title: String) {
    self.title = title
  }
}
