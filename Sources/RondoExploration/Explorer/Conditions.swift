// Conditions of the states, steps and ends of an explorer's runs.

import RondoScheduling

/// Something that is to hold of a state.
///
/// It does not name the type of the state: each use of a generic type costs generic code a look-up, and a
/// condition is asked after every action of every run.
struct ExploredCondition {
  enum Kind {
    case always, eventually
  }

  let kind: Kind
  let name: String?
  let position: SourcePosition
  private let isMet: (UnsafeRawPointer) -> Bool

  init<State>(
    _ kind: Kind, _ name: String?, _ position: SourcePosition,
    _ holds: @escaping (_ state: State) -> Bool
  ) {
    (self.kind, self.name, self.position) = (kind, name, position)
    isMet = { holds($0.load(as: State.self)) }
  }

  /// - Parameter state: The address of a state of the type that the condition was made for.
  func holds(_ state: UnsafeRawPointer) -> Bool { isMet(state) }
}

/// Something that is to hold of every step.
struct StepCondition<State, Action> {
  let name: String?
  let position: SourcePosition
  /// Whether two whole states are compared, which show the same shared values.
  var comparesStates = false
  /// Keeps what is compared of the state before, and gives what compares it with the state after.
  let begin: (_ old: State) -> (_ action: Action, _ new: State) -> Bool
}

/// Something that leads to something else, sooner or later.
struct Consequence {
  let cause: ExploredCondition
  let result: ExploredCondition
}

/// Kinds of faults that an explorer makes up, where no outcome names them.
public struct FaultKinds: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// A call fails with an ``ExplorerFault``, unless its outcomes name a failure; a stream ends with one.
  public static let error = Self(rawValue: 1 << 0)
  /// A call never comes back, and a stream stays silent from some time on.
  public static let never = Self(rawValue: 1 << 1)
  /// A callback is called twice, a stream gives out an element twice, and a server with a memory handles a
  /// call twice before it answers.
  public static let twice = Self(rawValue: 1 << 2)
  /// An effect is cancelled from outside, at any time.
  public static let cancellation = Self(rawValue: 1 << 3)

  /// Errors, silence and repetitions: the faults of servers.
  public static let all: Self = [.error, .never, .twice]
}

/// The error of a call that an explorer lets fail, where no outcome names another one.
public struct ExplorerFault: Error, Hashable, CustomStringConvertible {
  /// The error.
  public init() {}

  public var description: String { "ExplorerFault()" }
}
