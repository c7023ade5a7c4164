// A list that is fetched from somewhere, and the tag of what it fetches again.

import RondoAnimation

/// A list that is fetched from somewhere, and says with which animation new elements are shown.
///
/// ```swift
/// let games = ListSource(animation: .default) { database.games() }
/// games.onChange = { games in store.send(.gamesChanged(games)) }
/// games.refetch()  // sends inside withAnimation(.default)
/// ```
public final class ListSource<Element> {
  /// The elements of the last fetch.
  public private(set) var elements: [Element]

  /// With which animation a change is shown; `nil` leaves changes untagged.
  public let animation: Animation?

  /// Runs after each fetch but the first.
  public var onChange: ([Element]) -> Void = { _ in }

  private let fetch: () -> [Element]

  /// A list that is fetched at once, and then whenever ``refetch()`` says so.
  ///
  /// - Parameters:
  ///   - animation: With which animation a change is shown; `nil` leaves changes untagged.
  ///   - fetch: Fetches the elements.
  public init(animation: Animation? = nil, fetch: @escaping () -> [Element]) {
    self.animation = animation
    self.fetch = fetch
    elements = fetch()
  }

  /// Fetches the elements again, and tells about them inside the list's animation.
  public func refetch() {
    let fetched = fetch()
    elements = fetched
    guard let animation else { return onChange(fetched) }
    withAnimation(animation) { onChange(fetched) }
  }
}
