// The ways to the states that a search has seen, to go on from.

import RondoTestStore

/// Remembers for each state the shortest order that leads to it, and goes on from those that are rare.
///
/// A bug behind five particular deviations is found by chance once in the fifth power of the number of
/// options. Where each deviation shows in the state, it is found in about five times that number: a run goes
/// to a state that few runs have come to, and walks on by chance from there.
///
/// A state is rare, or one property of it is. Most properties have nothing to do with the bug, and their
/// values make every state a new one; the one that counts the deviations has a rare value all the same.
struct OrderArchive {
  /// A state that runs have come to.
  private struct Cell {
    var choices: ArraySlice<OrderChoice> = []
    var cost = Int.max
    var visitCount = 0
    /// The values of its properties.
    var values: [Int] = []
  }

  /// A value of a property.
  private struct Value {
    let property: Int
    var cells: [Int] = []
    var visitCount = 0
    /// The number of runs that go on from it before others are asked for: it was not seen before.
    var freshRunCount = 0
  }

  private var cells: [Cell] = []
  private var values: [Value] = []
  private var valueNumbers: [StateProperty: Int] = [:]
  /// The values of each property.
  private var properties: [[Int]] = []
  private var propertyNumbers: [String: Int] = [:]
  /// The values that were seen last for the first time, the newest at the end.
  private var fresh: [Int] = []
  /// The places that came nearest to what is to be reached, each by the number of its goal.
  private var nearest: [Int: ArraySlice<OrderChoice>] = [:]

  var isEmpty: Bool { cells.isEmpty && nearest.isEmpty }

  // MARK: Places

  /// The number of values of all properties.
  var valueCount: Int { values.count }

  /// Adds the places of a run.
  mutating func add(_ visits: [OrderVisit], _ choices: [OrderChoice]) {
    for visit in visits {
      switch visit.place {
      case .state(let number): add(visit, toCell: number - 1, choices)
      case .goal(let number): nearest[number] = choices.prefix(visit.choiceCount)
      case .reachedGoal(let number): nearest[number] = nil
      }
    }
  }

  private mutating func add(_ visit: OrderVisit, toCell index: Int, _ choices: [OrderChoice]) {
    while cells.count <= index { cells.append(Cell()) }
    for property in visit.properties {
      let value = number(of: property)
      cells[index].values.append(value)
      values[value].cells.append(index)
    }
    cells[index].visitCount += 1
    for value in cells[index].values { values[value].visitCount += 1 }
    guard visit.cost < cells[index].cost else { return }
    cells[index].choices = choices.prefix(visit.choiceCount)
    cells[index].cost = visit.cost
  }

  private mutating func number(of property: StateProperty) -> Int {
    if let known = valueNumbers[property] { return known }
    let index = propertyNumbers[property.name] ?? properties.count
    if index == properties.count {
      propertyNumbers[property.name] = index
      properties.append([])
    }
    valueNumbers[property] = values.count
    properties[index].append(values.count)
    values.append(Value(property: index, freshRunCount: Self.freshRunCount))
    fresh.append(values.count - 1)
    return values.count - 1
  }

  // MARK: Going on

  /// A run that goes on from one of the places.
  mutating func next(_ random: inout SearchRandom) -> ContinuedOrder {
    ContinuedOrder(place(&random), seed: random.next())
  }

  private mutating func place(_ random: inout SearchRandom) -> ArraySlice<OrderChoice> {
    let goals = nearest.keys.sorted()
    if cells.isEmpty || !goals.isEmpty && random.next(below: 3) == 0 {
      return nearest[goals[random.next(below: goals.count)]] ?? []
    }
    if let value = freshValue(&random) { return cells[cell(of: value, &random)].choices }
    let cell = random.next(below: 3) == 0 ? rareCell(&random) : cellOfRareValue(&random)
    return cells[cell].choices
  }

  /// The newest value of a property that is drawn: most properties have nothing to do with the bug, and each of their
  /// values is new once.
  private mutating func freshValue(_ random: inout SearchRandom) -> Int? {
    fresh = fresh.filter { values[$0].freshRunCount > 0 && isTelling(values[$0].property) }
    let properties = Set(fresh.map { values[$0].property }).sorted()
    guard !properties.isEmpty else { return nil }
    let property = properties[random.next(below: properties.count)]
    guard let value = fresh.last(where: { values[$0].property == property }) else { return nil }
    values[value].freshRunCount -= 1
    return value
  }

  /// Whether the values of a property say how far a run has come.
  private func isTelling(_ property: Int) -> Bool {
    (2...Self.valueLimit).contains(properties[property].count)
  }

  private func rareCell(_ random: inout SearchRandom) -> Int {
    rarest(of: 8, in: cells.indices, &random) { cells[$0].visitCount }
  }

  private func cellOfRareValue(_ random: inout SearchRandom) -> Int {
    let telling = properties.indices.filter(isTelling)
    guard !telling.isEmpty else { return rareCell(&random) }
    let property = properties[telling[random.next(below: telling.count)]]
    return cell(of: rarest(of: 4, in: property, &random) { values[$0].visitCount }, &random)
  }

  private func cell(of value: Int, _ random: inout SearchRandom) -> Int {
    // From the cheapest most can still be done.
    let prefersCheap = random.next(below: 2) == 0
    return rarest(of: 4, in: values[value].cells, &random) {
      prefersCheap ? cells[$0].cost : cells[$0].visitCount
    }
  }

  /// The rarest of several that are drawn: few enough that none is passed over for ever.
  private func rarest(
    of count: Int, in indices: some RandomAccessCollection<Int>, _ random: inout SearchRandom,
    visits: (Int) -> Int
  ) -> Int {
    func drawn() -> Int {
      indices[indices.index(indices.startIndex, offsetBy: random.next(below: indices.count))]
    }
    var rarest = drawn()
    for _ in 1..<count {
      let other = drawn()
      if visits(other) < visits(rarest) { rarest = other }
    }
    return rarest
  }

  /// The largest number of values of a property that says how far a run has come. One with more is a text or
  /// a list that is another one in every state.
  private static let valueLimit = 64

  /// The number of runs that go on from a value that was not seen before.
  private static let freshRunCount = 24
}

/// A property of a state, with its value.
package struct StateProperty: Hashable, Sendable {
  package let name: String
  package let value: String

  /// The properties of a state, and those of the structures in it.
  ///
  /// - Complexity: O(*n*) in the number of properties. Of texts and collections only the count is read.
  package static func all(of state: Any) -> [StateProperty] {
    var properties: [StateProperty] = []
    add(state, "", depth: 0, &properties)
    return properties
  }

  private static func add(
    _ value: Any, _ name: String, depth: Int, _ properties: inout [StateProperty]
  ) {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .collection, .set, .dictionary:
      properties.append(Self(name: name, value: "\(mirror.children.count)"))
    case .struct, .tuple, .class:
      guard depth < 4, mirror.children.count > 0 else { return }
      for (index, child) in mirror.children.enumerated() {
        add(child.value, "\(name).\(child.label ?? "\(index)")", depth: depth + 1, &properties)
      }
    case .enum, .optional:
      // The case, and what it has with it.
      let label = mirror.children.first?.label ?? (mirror.children.isEmpty ? "\(value)" : "some")
      properties.append(Self(name: name, value: label))
      if depth < 4, let child = mirror.children.first {
        add(child.value, "\(name).\(label)", depth: depth + 1, &properties)
      }
    default:
      let text = (value as? String).map { "\($0.count)" } ?? "\(value)"
      properties.append(Self(name: name, value: text))
    }
  }
}

/// A place that a run has come to.
package struct OrderVisit: Sendable {
  package enum Place: Sendable {
    /// A state, by its number, counted from 1.
    case state(Int)
    /// The nearest so far to something that is to be reached.
    case goal(Int)
    /// Something that was to be reached.
    case reachedGoal(Int)
  }

  package let place: Place
  /// The number of actions that the user had sent.
  package let actionCount: Int
  /// The number of choices that the run had made.
  package let choiceCount: Int
  /// The properties of a state that no run has come to before.
  package var properties: [StateProperty] = []

  /// The same visit of a place that has another number.
  func at(_ place: Place, _ properties: [StateProperty]) -> Self {
    Self(
      place: place, actionCount: actionCount, choiceCount: choiceCount, properties: properties)
  }

  /// A number that is smaller where more can still be done, and less has been chosen.
  fileprivate var cost: Int { actionCount << 32 | choiceCount }
}

/// Makes the choices of another run up to a place, and goes on by chance.
struct ContinuedOrder: OrderPolicy {
  private let choices: ArraySlice<OrderChoice>
  private var random: SearchRandom
  /// Whether most of the choices by chance are first in, first out.
  private let isCalm: Bool

  init(_ choices: ArraySlice<OrderChoice>, seed: UInt64) {
    self.choices = choices
    random = SearchRandom(seed: seed)
    isCalm = random.next(below: 2) == 0
  }

  mutating func pick(_ choice: Int, among count: Int, task: (Int) -> UInt64) -> Int {
    if choice < choices.count { return choices[choice].taken }
    if isCalm, random.next(below: 2) == 0 { return 0 }
    return random.next(below: count)
  }
}
