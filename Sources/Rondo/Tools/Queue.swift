// First in, first out.

/// A queue in an array: appending and removing are O(1) amortized. What has been removed is released
/// at once, and a queue that has run empty keeps no more than a small buffer.
struct Queue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }
  var first: Element? { isEmpty ? nil : elements[head] }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  @discardableResult
  mutating func removeFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count {
      if head == 1 {
        elements.removeLast()
      } else {
        elements.removeAll(keepingCapacity: elements.capacity <= 256)
      }
      head = 0
    } else if head > 64, head > elements.count / 2 {
      elements.removeSubrange(..<head)
      head = 0
    }
    return element
  }

  /// The first that satisfies a condition. O(*n*).
  func first(where isWanted: (Element) -> Bool) -> Element? {
    elements[head...].first { isWanted($0!) } ?? nil
  }

  /// Removes what satisfies a condition. O(*n*).
  mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    elements = elements[head...].filter { !isUnwanted($0!) }
    head = 0
  }
}

extension Queue: Sendable where Element: Sendable {}
