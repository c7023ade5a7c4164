// The chooser of what runs next, where a test store could run one thing or another.

import Rondo
import RondoScheduling
import Synchronization

/// One choice of a run.
package struct OrderChoice: Hashable, Sendable {
  /// The number of options: two or more.
  package var count: Int
  /// The option that was taken: 0 came first.
  package var taken: Int

  package init(count: Int, taken: Int) {
    (self.count, self.taken) = (count, taken)
  }
}

/// The moments at which a run has made its choices, for those that can be compared.
package struct OrderTrace: Sendable {
  /// One choice.
  package struct Moment: Sendable {
    package let number: UInt64
    /// The number of the choice in the run.
    package let choice: Int
    /// The place of its first option in ``OrderTrace/options``.
    package let firstOption: Int
    package let count: Int
  }

  package private(set) var moments: [Moment] = []
  /// Numbers for the options of all moments.
  package private(set) var options: [UInt64] = []
  /// The moment at which the run has ended.
  package var end: UInt64 = 0
  /// Whether moments of the run can be compared with those of others.
  package var isComparable = false

  package init() {}

  /// Forgets the moments, for another run. Their memory is used again.
  mutating func begin() {
    moments.removeAll(keepingCapacity: true)
    options.removeAll(keepingCapacity: true)
    (end, isComparable) = (0, false)
  }

  mutating func add(
    _ number: UInt64, _ count: Int, at choice: Int, _ option: (Int) -> UInt64
  ) {
    moments.append(
      Moment(number: number, choice: choice, firstOption: options.count, count: count))
    for index in 0..<count { options.append(mixed(number, option(index))) }
  }
}

/// A way to choose.
package protocol OrderPolicy: Sendable {
  /// Chooses what runs next.
  ///
  /// - Parameters:
  ///   - choice: How many choices the run has made before.
  ///   - count: How many there are to choose from.
  ///   - task: A number for the task that an option belongs to, the same at every choice; 0 where
  ///     it is not known.
  mutating func pick(_ choice: Int, among count: Int, task: (Int) -> UInt64) -> Int
}

/// Makes the choices of a run, and keeps them until the next run begins.
///
/// There is a choice only where two or more things may run. See `Documentation/Exploration.md` for
/// which these are, and why each could be first in a program with threads.
package final class OrderChooser: Sendable {
  /// Whether the stores of the chooser take no steps by themselves: all are taken in
  /// ``TestStore/whileStepping(_:)``. Their actions are not kept then, because nobody asserts them.
  let isForSteps: Bool

  /// The test that the stores belong to, where the chooser is for steps: one after the other uses it then.
  let context: TestContext?

  private let state: Mutex<State>

  private struct State {
    var policy: any OrderPolicy
    var choices: [OrderChoice] = []
    /// Whether the last choice was a deviation that no step has been noted for.
    var isDeviating = false
    var steps: [OrderStep]?
    var trace = OrderTrace()

    mutating func note(_ taken: Int, of count: Int) -> Int {
      choices.append(OrderChoice(count: count, taken: taken))
      if taken > 0 { isDeviating = true }
      return taken
    }
  }

  /// - Parameters:
  ///   - policy: The way to choose.
  ///   - keepsSteps: Whether ``steps`` are wanted.
  ///   - isForSteps: Whether the caller takes the steps of the stores itself.
  package init(_ policy: some OrderPolicy, keepsSteps: Bool = false, isForSteps: Bool = false) {
    self.isForSteps = isForSteps
    context = isForSteps ? TestContext() : nil
    state = Mutex(State(policy: policy, steps: keepsSteps ? [] : nil))
  }

  /// A chooser that follows an order.
  package convenience init(
    following order: EffectOrder, keepsSteps: Bool = false, isForSteps: Bool = false
  ) {
    self.init(FollowedOrder(order), keepsSteps: keepsSteps, isForSteps: isForSteps)
  }

  /// Forgets the choices, for another run. The store of the run before has to be gone.
  ///
  /// - Parameter policy: The way to choose from now on.
  package func begin(_ policy: any OrderPolicy) {
    state.withLock { state in
      state.policy = policy
      state.choices.removeAll(keepingCapacity: true)
      state.isDeviating = false
      state.trace.begin()
      if state.steps != nil { state.steps = [] }
    }
  }

  /// Chooses one of several.
  ///
  /// - Parameters:
  ///   - moment: A number for the moment of the run; 0 where it cannot be compared.
  ///   - option: A number for an option that it has at every moment of every run.
  ///   - task: A number for the task that an option belongs to.
  /// - Returns: The index of the option that was taken.
  package func choose(
    among count: Int, _ moment: UInt64 = 0, option: (Int) -> UInt64 = { UInt64($0) },
    _ task: (Int) -> UInt64
  ) -> Int {
    guard count > 1 else { return 0 }
    return state.withLock { state in
      if moment != 0 { state.trace.add(moment, count, at: state.choices.count, option) }
      let taken = state.policy.pick(state.choices.count, among: count, task: task)
      return state.note(min(taken, count - 1), of: count)
    }
  }

  /// Chooses whether the effect that runs is overtaken by one of those that could run.
  package func isOvertaken(
    by others: Int, _ moment: UInt64, _ task: (Int) -> UInt64
  ) -> Bool {
    state.withLock { state in
      if moment != 0 { state.trace.add(moment, 2, at: state.choices.count) { UInt64($0) } }
      let taken = state.policy.pick(state.choices.count, among: others + 1) { option in
        option == 0 ? .max : task(option - 1)
      }
      return state.note(min(taken, 1), of: 2) == 1
    }
  }

  /// Takes note of a choice that has been made otherwise.
  package func note(taken: Int, among count: Int) {
    guard count > 1 else { return }
    state.withLock { _ = $0.note(taken, of: count) }
  }

  /// Says whether the next step is one that came otherwise than first in, first out.
  package func set(isDeviating: Bool) {
    state.withLock { $0.isDeviating = isDeviating }
  }

  /// Whether ``steps`` are wanted.
  package var keepsSteps: Bool { state.withLock { $0.steps != nil } }

  /// The choices so far.
  package var choices: [OrderChoice] { state.withLock { $0.choices } }

  /// The number of choices so far.
  package var choiceCount: Int { state.withLock { $0.choices.count } }

  /// The moments of the choices so far.
  package var trace: OrderTrace {
    get { state.withLock { $0.trace } }
    set { state.withLock { $0.trace = newValue } }
  }

  /// The order so far.
  package var order: EffectOrder { EffectOrder(choices) }

  /// The first place where the order that was followed does not fit the run; `nil` if it fits.
  package var mismatch: String? {
    state.withLock { state in
      (state.policy as? FollowedOrder)?.mismatch(after: state.choices)
    }
  }

  // MARK: Steps

  /// The steps of the run; empty unless they are kept.
  package var steps: [OrderStep] { state.withLock { $0.steps ?? [] } }

  /// Notes an action that was handled.
  package func note(_ step: @autoclosure () -> OrderStep) {
    guard keepsSteps else { return }
    var step = step()
    state.withLock { state in
      step.isDeviation = state.isDeviating
      state.isDeviating = false
      state.steps?.append(step)
    }
  }

  /// Notes an effect that lets others go first. What comes next is what is marked.
  func noteOvertaking(_ step: OrderStep) {
    state.withLock { state in
      var step = step
      step.isOvertaking = true
      state.steps?.append(step)
    }
  }
}

/// One thing that has happened in a run, as a timeline shows it.
package struct OrderStep: Hashable, Sendable {
  package var instant: TestInstant
  /// The action that was handled, or another event, as text.
  package var text: String
  /// The effect, or the user, that did it.
  package var origin: String
  /// Whether it came otherwise than first in, first out.
  package var isDeviation = false
  /// Whether nothing was done, and an effect that was about to do something has let others go first.
  package fileprivate(set) var isOvertaking = false

  package init(instant: TestInstant, text: String, origin: String) {
    self.instant = instant
    self.text = text
    self.origin = origin
  }

  /// - Parameter isSent: Whether nobody but the test, or the user, can have sent the action.
  init<State, Action>(
    _ record: RecordedAction<State, Action>, _ instant: TestInstant, isSent: Bool
  ) {
    let origin = record.emitter.map { emitter in
      let action = emitter.action.map { " of \(summary(of: $0))" } ?? ""
      return "from \(emitter.label ?? "an effect")\(action)"
    }
    self.init(
      instant: instant, text: summary(of: record.action),
      origin: origin ?? (isSent ? "sent" : "sent at once by an effect"))
  }
}

extension [OrderStep] {
  /// The steps, a line each. Those that came otherwise than first in, first out are marked.
  package var timeline: String {
    let instants = map { seconds($0.instant.offset) }
    let width = instants.map(\.count).max() ?? 0
    return zip(self, instants).map { step, instant in
      let padding = String(repeating: " ", count: width - instant.count)
      return "\(step.isDeviation ? "▸" : " ") \(padding)\(instant)  \(step.text)  \(step.origin)"
    }.joined(separator: "\n")
  }
}

/// Follows an order.
package struct FollowedOrder: OrderPolicy {
  private let order: EffectOrder
  private var next = 0

  package init(_ order: EffectOrder) {
    self.order = order
  }

  package mutating func pick(_ choice: Int, among count: Int, task: (Int) -> UInt64) -> Int {
    guard next < order.deviations.count, order.deviations[next].choice == choice else { return 0 }
    defer { next += 1 }
    return order.deviations[next].option
  }

  /// The first place where the order does not fit the run.
  func mismatch(after choices: [OrderChoice]) -> String? {
    for deviation in order.deviations {
      guard deviation.choice < choices.count else {
        return """
          it deviates at choice \(deviation.choice), and the run has made \(choices.count) choices, \
          counted from 0
          """
      }
      let choice = choices[deviation.choice]
      guard choice.count == deviation.count else {
        return """
          at choice \(deviation.choice) there were \(deviation.count) to choose from, and now there \
          are \(choice.count)
          """
      }
    }
    return nil
  }
}
