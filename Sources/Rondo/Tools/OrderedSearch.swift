// The search for a place in what is in order.

extension RandomAccessCollection {
  /// The place of the first element whose number is not less than another one. The elements are in the order of their
  /// numbers. O(log *n*).
  func firstIndex(from number: UInt64, by numberOf: (Element) -> UInt64) -> Index {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
      if numberOf(self[middle]) < number { low = index(after: middle) } else { high = middle }
    }
    return low
  }
}
