// Removing and moving elements of arrays by their places, as lists of views do.

import Foundation

extension RangeReplaceableCollection where Self: MutableCollection, Index == Int {
  /// Removes the elements at some places.
  ///
  /// ```swift
  /// case .delete(let offsets): state.rows.remove(atOffsets: offsets)
  /// ```
  public mutating func remove(atOffsets offsets: IndexSet) {
    let kept = zip(indices, self).filter { !offsets.contains($0.0 - startIndex) }.map(\.1)
    replaceSubrange(startIndex..<endIndex, with: kept)
  }
}

extension MutableCollection where Self: RangeReplaceableCollection, Index == Int {
  /// Moves the elements at some places in front of the element at another, as places are before the move.
  /// Places that do not exist are left out.
  public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    let places = Swift.zip(0..., self)
    let moved = places.filter { source.contains($0.0) }.map(\.1)
    let front = places.filter { $0.0 < destination && !source.contains($0.0) }.map(\.1)
    let back = places.filter { $0.0 >= destination && !source.contains($0.0) }.map(\.1)
    replaceSubrange(startIndex..<endIndex, with: front + moved + back)
  }
}
