// An order, as a value that a test can be given.

/// An order in which the effects of a test run: the choices that are not made first in, first out.
///
/// The string `"4:1/3,9:1/2"` is an order with two such choices. At choice 4, the first of the two other
/// options is taken, of three in all. At choice 9, the other one of two is taken. At every other choice
/// the option that came first is taken. The empty string is first in, first out.
public struct EffectOrder: Hashable, Sendable {
  /// A choice that is not made first in, first out.
  struct Deviation: Hashable, Sendable {
    /// The number of the choice in the run, counted from 0.
    var choice: Int
    /// The option that is taken: 0 came first.
    var option: Int
    /// The number of options.
    var count: Int
  }

  var deviations: [Deviation]

  /// First in, first out.
  public static let firstInFirstOut = EffectOrder(deviations: [])

  /// The number of choices that are not made first in, first out.
  public var deviationCount: Int { deviations.count }

  init(deviations: [Deviation]) {
    self.deviations = deviations
  }

  /// The order in which a run has made its choices.
  package init(_ choices: [OrderChoice]) {
    deviations = choices.indices.compactMap { index in
      guard choices[index].taken > 0 else { return nil }
      return Deviation(choice: index, option: choices[index].taken, count: choices[index].count)
    }
  }

  /// The same order with another deviation behind all others.
  package func deviating(at choice: Int, to option: Int, of count: Int) -> Self {
    Self(deviations: deviations + [Deviation(choice: choice, option: option, count: count)])
  }

  /// The choices at which it deviates.
  package var deviatingChoices: [Int] { deviations.map(\.choice) }

  /// The same order without one deviation, and with those behind it some choices later: without it
  /// the run may make more choices, or fewer.
  package func removing(at index: Int, moving distance: Int = 0) -> Self? {
    var deviations = deviations
    deviations.remove(at: index)
    for later in index..<deviations.count { deviations[later].choice += distance }
    let previous = index > 0 ? deviations[index - 1].choice : -1
    guard index == deviations.count || deviations[index].choice > previous else { return nil }
    return Self(deviations: deviations)
  }

  /// The same order where one deviation takes something that came earlier.
  package func lowering(at index: Int, to option: Int) -> Self? {
    var deviations = deviations
    guard option < deviations[index].option else { return nil }
    deviations[index].option = option
    return Self(deviations: deviations)
  }

  /// The option that one deviation takes.
  package func option(at index: Int) -> Int { deviations[index].option }
}

extension EffectOrder: LosslessStringConvertible {
  public init?(_ description: String) {
    deviations = []
    for part in description.split(separator: ",") {
      let part = part.filter { $0 != " " }
      let numbers = part.split(whereSeparator: { ":/".contains($0) }).compactMap { Int($0) }
      guard part.filter({ !$0.isNumber }) == ":/", numbers.count == 3, numbers[1] > 0,
        numbers[2] > numbers[1], numbers[0] > deviations.last?.choice ?? -1
      else { return nil }
      deviations.append(Deviation(choice: numbers[0], option: numbers[1], count: numbers[2]))
    }
  }

  public var description: String {
    deviations.map { "\($0.choice):\($0.option)/\($0.count)" }.joined(separator: ",")
  }
}
