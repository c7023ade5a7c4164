// The texts of failures about the state.

import Rondo
import RondoScheduling

extension Messages {
  static func wrongState<State, Action>(
    _ subject: Subject<Action>, before: State, expected: State, actual: State,
    isAsserted: Bool, isExhaustive: Bool, unmentioned: [SharedChange] = [],
    skippedNumber: (number: Int, next: Int)? = nil
  ) -> String {
    let isUnasserted = !isAsserted
    let missing = areEqual(before, actual) ? subject.action.flatMap(missingReducer) : nil
    return text(
      isUnasserted
        ? "\(subject.actor) changed the state, which was not asserted."
        : "\(subject.state) is not as asserted.",
      difference(expected: expected, actual: actual),
      isUnasserted
        ? "Assert the change in a closure behind '\(subject.call.rawValue)'."
        : missing.map { "\($0), or correct the closure behind '\(subject.call.rawValue)'." }
          ?? "Correct the closure behind '\(subject.call.rawValue)', or the reducer.",
      skippedNumber.map(adviceOnNumbers),
      adviceOnShared(unmentioned, in: actual))
  }

  /// Advice that names the number that an element of a stack gets, where another was asserted.
  private static func adviceOnNumbers(_ skipped: (number: Int, next: Int)) -> String {
    "An element of a stack was asserted under the id #\(skipped.number), but the next id is "
      + "#\(skipped.next): the elements of all stacks are numbered from 0, in the order in which they "
      + "are added."
  }

  /// Advice on asserting the changes of shared values that were not mentioned, if there are any.
  private static func adviceOnShared(_ changes: [SharedChange], in state: Any) -> String? {
    guard let first = changes.first else { return nil }
    let names = changes.map { $0.path(in: state) ?? $0.name }
    let example = first.path(in: state) ?? "$value"
    return "Shared values have changed (\(names.joined(separator: ", "))): assert that by "
      + "'$0.\(example).withLock { $0 = … }'."
  }

  /// Advice on the reducer that may not be listed, where an action has changed nothing that is a
  /// binding action or an action of a child.
  private static func missingReducer(for action: Any) -> String? {
    guard !isBinding(action) else {
      return "Nothing has written to the field: list 'BindingReducer()' first in the feature's body"
    }
    let mirror = Mirror(reflecting: action)
    guard mirror.displayStyle == .enum, let child = mirror.children.first, let name = child.label
    else { return nil }
    let composition =
      if let type = type(of: child.value) as? any ActionOfAPlace.Type {
        type.composition(name)
      } else if isAction(child.value) {
        "'Scope(state: \\.\(name), action: \\.\(name))'"
      } else {
        nil as String?
      }
    return composition.map {
      "Nothing has changed, as if no reducer of the child had run: see that the feature's body has "
        + "\($0)"
    }
  }

  /// Whether the value of a case is an action of a child, by the name of its type.
  private static func isAction(_ value: Any) -> Bool {
    Mirror(reflecting: value).displayStyle == .enum && "\(type(of: value))" == "Action"
  }

  /// Whether an action of the feature, or of a child of it, is a binding action: it asks to set a
  /// field.
  private static func isBinding(_ action: Any) -> Bool {
    if action is any FieldWish { return true }
    let mirror = Mirror(reflecting: action)
    guard mirror.displayStyle == .enum || mirror.displayStyle == .tuple else { return false }
    return mirror.children.contains { isBinding($0.value) }
  }

  static func noChange<Action>(_ subject: Subject<Action>) -> String {
    text(
      "\(subject.actor) did not change the state, but a change was asserted.",
      "Remove the closure behind '\(subject.call.rawValue)', or correct the reducer.")
  }

  static func closureThrew<Action>(_ error: any Error, _ subject: Subject<Action>) -> String {
    text(
      "The closure behind '\(subject.call.rawValue)' threw an error, so nothing was compared: \(error)",
      "Let the closure set what is expected, and nothing else. "
        + "The store goes on with the state as the reducer left it.")
  }

  static func skippedChange<State, Action>(
    _ subject: Subject<Action>, asserted: State, actual: State
  ) -> String {
    text(
      "\(subject.actor) changed more of the state than was asserted.",
      difference(expected: asserted, actual: actual))
  }
}

/// An action that says which kind of place its child has in the parent.
private protocol ActionOfAPlace {
  /// The call that composes the child, for a case of the parent's actions.
  static func composition(_ name: String) -> String
}

extension PresentationAction: ActionOfAPlace {
  fileprivate static func composition(_ name: String) -> String {
    "'.ifLet(\\.$\(name), action: \\.\(name))'"
  }
}

extension IdentifiedAction: ActionOfAPlace {
  fileprivate static func composition(_ name: String) -> String {
    "'.forEach(\\.\(name), action: \\.\(name))'"
  }
}

extension StackAction: ActionOfAPlace {
  fileprivate static func composition(_ name: String) -> String {
    "'.forEach(\\.\(name), action: \\.\(name))'"
  }
}
