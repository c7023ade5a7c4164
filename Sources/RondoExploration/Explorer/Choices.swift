// Values for actions and answers, the simplest first.

/// Several values, of which an explorer takes any one. They are in an order, with the simplest first: in a
/// failure each is replaced by the first one with which the feature still fails.
///
/// ```swift
/// .actions(.strings(of: "ab", upTo: 3)) { .queryChanged($0) }
/// .outcomes(of: \.api.count) { Choices.integers(0...3).map { .success($0) } }
/// ```
public struct Choices<Value>: RandomAccessCollection {
  private let values: [Value]

  private init(_ values: [Value]) {
    self.values = values
  }

  /// Any of some values, the simplest first.
  public static func oneOf(_ values: Value...) -> Self {
    Self(values)
  }

  public var startIndex: Int { values.startIndex }
  public var endIndex: Int { values.endIndex }
  public subscript(position: Int) -> Value { values[position] }
}

extension Choices where Value: BinaryInteger, Value.Stride: SignedInteger {
  /// The integers of a range. Those that are nearer to zero are simpler.
  public static func integers(_ range: ClosedRange<Value>) -> Self {
    Self(range.sorted { ($0.magnitude, $1) < ($1.magnitude, $0) })
  }
}

extension Choices {
  /// The arrays of some values. The shorter ones are simpler.
  ///
  /// - Parameters:
  ///   - elements: What the arrays are made of, the simplest first.
  ///   - count: The largest number of elements. There are *n* to the power of that many arrays.
  public static func arrays<Element>(
    of elements: Choices<Element>, upTo count: Int
  ) -> Self where Value == [Element] {
    var all: [[Element]] = [[]]
    var longest = all
    for _ in 0..<Swift.max(0, count) {
      longest = longest.flatMap { array in elements.map { array + [$0] } }
      all += longest
    }
    return Self(all)
  }
}

extension Choices<String> {
  /// The strings of some characters. The shorter ones are simpler.
  ///
  /// - Parameters:
  ///   - characters: What the strings are made of, the simplest first.
  ///   - count: The largest number of characters.
  public static func strings(of characters: String, upTo count: Int) -> Self {
    let arrays = Choices<[Character]>.arrays(
      of: Choices<Character>(Array(characters)), upTo: count)
    return Self(arrays.map { String($0) })
  }
}
