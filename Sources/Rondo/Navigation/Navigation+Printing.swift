// The states of children print what they store, by value.

extension PresentationState: PrintedByValue {}
extension StackElementID: DescribedByValue {}

extension StackState: PrintedByValue {
  package static var printedBytes: Range<Int>? {
    guard let start = MemoryLayout<Self>.offset(of: \.entries) else { return nil }
    return IdentifiedArrayOf<StackEntry<Element>>.printedBytes.map {
      start + $0.lowerBound..<start + $0.upperBound
    }
  }
}
