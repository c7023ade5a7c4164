// Bindings and paths of navigation by the names that they have where there is no SwiftUI.

import Rondo
import RondoAnimation

/// The same as `Bindable`.
public typealias UIBindable = Bindable

/// The same as `Transaction`.
public typealias UITransaction = Transaction

/// Runs a body with values for what it changes. The same as `withTransaction`.
public func withUITransaction<Result>(
  _ transaction: UITransaction, _ body: () throws -> Result
) rethrows -> Result {
  try withTransaction(transaction, body)
}

/// The elements of a path of navigation, of any types.
///
/// ```swift
/// var path = UINavigationPath()
/// path.append(Route.detail(id: 1))
/// ```
public struct UINavigationPath: Equatable {
  /// The elements, from the root on.
  public private(set) var elements: [AnyHashable] = []

  /// Creates a path without elements.
  public init() {}

  /// Creates a path of elements of one type.
  public init(_ elements: some Sequence<some Hashable>) {
    self.elements = elements.map { AnyHashable($0) }
  }

  /// The number of elements.
  public var count: Int { elements.count }

  /// Whether there is no element.
  public var isEmpty: Bool { elements.isEmpty }

  /// Goes on to an element.
  public mutating func append(_ element: some Hashable) {
    elements.append(AnyHashable(element))
  }

  /// Goes back by some elements, or to the root where there are fewer.
  public mutating func removeLast(_ count: Int = 1) {
    elements.removeLast(Swift.min(Swift.max(0, count), elements.count))
  }
}
