// Goals that some run of an exploration has to reach.

import Rondo
import RondoScheduling
import RondoTestStore

/// Makes a list of conditions that are to hold together, one below the other.
@resultBuilder
public enum ConjunctionBuilder {
  /// A condition as a list of one.
  public static func buildExpression(_ condition: Bool) -> [Bool] { [condition] }
  /// The conditions of all statements, in order.
  public static func buildBlock(_ first: [Bool], _ others: [Bool]...) -> [Bool] {
    first + others.joined()
  }
  /// The conditions of the first branch of an `if` or `switch`.
  public static func buildEither(first conditions: [Bool]) -> [Bool] { conditions }
  /// The conditions of another branch of an `if` or `switch`.
  public static func buildEither(second conditions: [Bool]) -> [Bool] { conditions }
}

/// Something that some run has to come to.
struct ExploredGoal {
  let name: String?
  let position: SourcePosition
  private let holdingParts: (UnsafeRawPointer) -> [Bool]

  init<State>(
    _ name: String?, _ position: SourcePosition, _ parts: @escaping (_ state: State) -> [Bool]
  ) {
    (self.name, self.position) = (name, position)
    holdingParts = { parts($0.load(as: State.self)) }
  }

  /// - Parameter state: The address of a state of the type that the goal was made for.
  /// - Returns: Whether each of its parts holds.
  func parts(of state: UnsafeRawPointer) -> [Bool] { holdingParts(state) }
}

/// The goals of an exploration, and how near its runs have come to each.
final class GoalTable {
  /// The nearest that a run has come to a goal.
  struct Approach: Sendable {
    let parts: [Bool]
    let state: String
    /// The order of the run, for a replay.
    var order = ""

    var count: Int { parts.count { $0 } }
  }

  /// The progress that runs have made towards a goal.
  struct Progress: Sendable {
    var isReached = false
    var nearest: Approach?
  }

  private let goals: [ExploredGoal]
  private(set) var progress: [Progress]

  /// - Parameter progress: How far other runs have come, where that is known.
  init(_ goals: [ExploredGoal], progress: [Progress]? = nil) {
    self.goals = goals
    self.progress = progress ?? goals.map { _ in Progress() }
    isAnyOpen = self.progress.contains { !$0.isReached }
  }

  /// Adds the progress of a run that was made with another table.
  ///
  /// - Returns: The visits of the run, without places that other runs have come nearer to.
  func add(
    _ others: [Progress], order: @autoclosure () -> String, visits: [OrderVisit]
  ) -> [OrderVisit] {
    var news: Set<Int> = []
    for (index, other) in others.enumerated() where !progress[index].isReached {
      progress[index].isReached = other.isReached
      guard let nearest = other.nearest, nearest.count > progress[index].nearest?.count ?? 0 else {
        continue
      }
      progress[index].nearest = nearest
      progress[index].nearest?.order = order()
      news.insert(index)
    }
    isAnyOpen = progress.contains { !$0.isReached }
    return visits.filter { visit in
      if case .goal(let index) = visit.place { news.contains(index) } else { true }
    }
  }

  /// Whether something has not been reached yet.
  private(set) var isAnyOpen: Bool

  /// Looks at a state of a run.
  ///
  /// - Returns: The places that no run has reached before.
  func places<State>(of state: UnsafePointer<State>) -> [OrderVisit.Place] {
    var places: [OrderVisit.Place] = []
    for index in progress.indices where !progress[index].isReached {
      let parts = goals[index].parts(of: state)
      if parts.allSatisfy({ $0 }) {
        progress[index].isReached = true
        places.append(.reachedGoal(index))
        continue
      }
      let count = parts.count { $0 }
      guard count > progress[index].nearest?.count ?? 0 else { continue }
      progress[index].nearest = Approach(parts: parts, state: dumped(state.pointee))
      places.append(.goal(index))
    }
    if !places.isEmpty { isAnyOpen = progress.contains { !$0.isReached } }
    return places
  }

  /// Takes note of the order of the run that has come to places.
  func note(_ order: String, of places: [OrderVisit.Place]) {
    for case .goal(let index) in places { progress[index].nearest?.order = order }
  }

  /// The goals that no run has reached.
  var open: [(goal: ExploredGoal, nearest: Approach?)] {
    zip(goals, progress).filter { !$1.isReached }.map { ($0, $1.nearest) }
  }
}
