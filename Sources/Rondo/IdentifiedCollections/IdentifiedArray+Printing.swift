// An identified array prints as the list of its elements.

extension IdentifiedArray: PrintedContainer {
  package static var printedBytes: Range<Int>? {
    MemoryLayout<Self>.offset(of: \.storage).map {
      $0..<$0 + MemoryLayout<ContiguousArray<Element>>.size
    }
  }

  package func comparison(with old: any PrintedContainer) -> ContainerComparison? {
    (old as? Self).flatMap { storage.comparison(with: $0.storage) }
  }
}
