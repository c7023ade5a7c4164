// Types whose print is made of what they store, and of nothing else.

/// A type that prints itself by a mirror or a text of its own, which shows nothing but what a value
/// stores by value: what is in the value itself, or in storage that is copied before it is changed while
/// it is shared.
///
/// As long as a value of it is kept, a copy with the same bytes prints the same, if that is true of
/// all that is in it.
package protocol PrintedByValue {
  /// The bytes of a value that its print depends on; `nil` for all of them.
  static var printedBytes: Range<Int>? { get }
}

extension PrintedByValue {
  package static var printedBytes: Range<Int>? { nil }
}

/// A type whose texts are made of what a value stores by value.
package protocol DescribedByValue: PrintedByValue {
  /// Whether that is true of this type.
  static var isDescribedByValue: Bool { get }
}

extension DescribedByValue {
  package static var isDescribedByValue: Bool { true }
}

extension Redacted: DescribedByValue {
  package static var printedBytes: Range<Int>? { 0..<0 }

  /// Others could hold objects or much memory, and would be kept for as long as nothing beside them
  /// changes.
  package static var isDescribedByValue: Bool {
    Value.self == String.self || Value.self == String?.self || _isPOD(Value.self)
  }
}

extension Optional: PrintedByValue {}
extension Range: PrintedByValue {}
extension ClosedRange: PrintedByValue {}
extension ArraySlice: PrintedByValue {}

/// A list, a dictionary or a set, which is taken apart in its own order.
package protocol PrintedContainer: PrintedByValue {
  /// Tells which parts print the same as parts of an older container, which has been kept; `nil` where
  /// that takes no less time than to print them.
  func comparison(with old: any PrintedContainer) -> ContainerComparison?
}

extension PrintedContainer where Self: Sequence {
  // A set has no elements side by side in memory, and so no comparison.
  package func comparison(with old: any PrintedContainer) -> ContainerComparison? {
    guard let old = old as? Self else { return nil }
    return withContiguousStorageIfAvailable { new in
      old.withContiguousStorageIfAvailable { ContainerComparison(of: new, with: $0) }
    } ?? nil
  }
}

extension Array: PrintedContainer {}
extension ContiguousArray: PrintedContainer {}
extension Set: PrintedContainer {}

extension Dictionary: PrintedContainer {
  package func comparison(with old: any PrintedContainer) -> ContainerComparison? {
    guard let old = old as? Self, old.count == count else { return nil }
    let keyBytes = ComparedBytes.of(Key.self)
    let valueBytes = ComparedBytes.of(Value.self)
    var comparison = ContainerComparison(count: count)
    // A copy has its entries in the order of the original, until one comes or goes.
    var (index, oldIndex) = (startIndex, old.startIndex)
    for position in 0..<count {
      // Keys and values are read one by one. An entry is a tuple, and finding its type takes time.
      guard keyBytes.areEqual(keys[index], old.keys[oldIndex]) else { return nil }
      let value = values[index]
      if valueBytes.areEqual(value, old.values[oldIndex]) {
        comparison.sources[position] = position
      } else {
        comparison.changed.append((position, value))
      }
      formIndex(after: &index)
      old.formIndex(after: &oldIndex)
    }
    return comparison
  }
}

/// The parts of a container that print the same as parts of an older one.
package struct ContainerComparison {
  /// The position of the part in the older container, for every part; `nil` for a changed one.
  package fileprivate(set) var sources: [Int?]
  /// The changed parts, with their positions.
  package fileprivate(set) var changed: [(index: Int, value: Any)] = []

  fileprivate init(count: Int) {
    sources = Array(repeating: nil, count: count)
  }

  fileprivate init<Element>(
    of new: UnsafeBufferPointer<Element>, with old: UnsafeBufferPointer<Element>
  ) {
    self.init(count: new.count)
    let bytes = ComparedBytes.of(Element.self)
    var places: [Int: Int] = [:]
    var rest: [Int] = []
    for index in new.indices {
      if index < old.count, bytes.areEqual(in: new, index, in: old, index) {
        sources[index] = index
      } else {
        rest.append(index)
        if index < old.count { places[bytes.hash(in: old, index)] = index }
      }
    }
    // An element that has moved.
    for index in old.indices.dropFirst(new.count) { places[bytes.hash(in: old, index)] = index }
    for index in rest {
      if !places.isEmpty, let place = places[bytes.hash(in: new, index)],
        bytes.areEqual(in: new, index, in: old, place)
      {
        sources[index] = place
      } else {
        changed.append((index, new[index]))
      }
    }
  }
}

/// Whether a value is of the same type as an older one, which has been kept, and has the same bytes where
/// its print depends on them.
package func hasSamePrintedBytes(_ new: Any, as old: Any) -> Bool {
  guard type(of: new) == type(of: old) else { return false }
  func isSame<Value>(_ new: Value) -> Bool {
    guard let old = old as? Value else { return false }
    return ComparedBytes.of(Value.self).areEqual(new, old)
  }
  return isSame(new)
}
