// Collections of identified elements, for code that is generic over them.

import Rondo

/// A collection whose elements have ids.
public protocol IdentifiedCollection<ID, Element>: Collection {
  /// The type of the ids.
  associatedtype ID: Hashable
  /// A collection of the ids.
  associatedtype IDs: Collection<ID>

  /// The ids, in the order of the elements.
  var ids: IDs { get }

  /// The element with an id.
  subscript(id id: ID) -> Element? { get }
}

/// A collection whose elements have ids, and are replaced by them.
public protocol MutableIdentifiedCollection<ID, Element>: IdentifiedCollection {
  /// The element with an id.
  subscript(id id: ID) -> Element? { get set }
}

extension IdentifiedArray: MutableIdentifiedCollection {}
