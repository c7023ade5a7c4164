// Writing to a field of a state, as an action.

import RondoScheduling
import Synchronization

/// The request to set a field of a state to another value.
///
/// ```swift
/// store.send(.binding(.set(\.name, "Blob")))
/// ```
///
/// In a reducer a pattern tells which field it was:
///
/// ```swift
/// case .binding(\.name): …
/// ```
public struct BindingAction<Root>: @unchecked Sendable {
  // @unchecked: a key path that captures `Sendable` values only, and a `Sendable` value.

  /// The field.
  public let keyPath: PartialKeyPath<Root>
  let set: (inout Root) -> Void
  /// Reports that no reducer has written to the field; `nil` if that is not to be reported.
  var witness: BindingWitness?
  /// The new value.
  public let value: Any
  private let isEqual: (Any) -> Bool

  /// The request to set a field to a value.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<Root, Value>, _ value: Value
  ) -> Self {
    Self(keyPath, value) { $0[keyPath: keyPath] = value }
  }

  /// The request to set a field to a value, with the function that does it.
  package init<Value: Equatable & Sendable>(
    _ keyPath: PartialKeyPath<Root>, _ value: Value, set: @escaping (inout Root) -> Void
  ) {
    self.keyPath = keyPath
    self.set = set
    self.value = value
    isEqual = { $0 as? Value == value }
  }

  /// Writes the value to the field.
  func write(to state: inout Root) {
    witness?.note()
    set(&state)
  }

  /// This action, as a store sends it: it reports if no reducer writes to the field.
  func witnessed(at position: SourcePosition?) -> Self {
    var action = self
    action.witness = position.map { BindingWitness({ [self] in description }, $0) }
    return action
  }

  /// Whether an action is about a field.
  public static func ~= <Value>(keyPath: WritableKeyPath<Root, Value>, action: Self) -> Bool {
    keyPath == action.keyPath
  }
}

/// Reports, when an action that a store has sent for a control is released, that no reducer has
/// written to the field.
final class BindingWitness: Sendable {
  private let isDone = Mutex(false)
  /// The action as it is written. Made only for the report: controls send an action for each change.
  private let wish: @Sendable () -> String
  private let position: SourcePosition

  init(_ wish: @escaping @Sendable () -> String, _ position: SourcePosition) {
    self.wish = wish
    self.position = position
  }

  deinit {
    guard !isDone.withLock({ $0 }) else { return }
    reportIssue(
      """
      A store was to write to a field and sent \(wish()), but nothing has written to the field. List \
      'BindingReducer()' first in the body of the feature.
      """,
      at: position)
  }

  func note() { isDone.withLock { $0 = true } }
}

/// A binding action of any state.
package protocol FieldWish {
  var value: Any { get }
}

extension BindingAction: FieldWish {}

extension BindingAction: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.keyPath == rhs.keyPath && lhs.isEqual(rhs.value)
  }
}

extension BindingAction: CustomStringConvertible {
  public var description: String { ".set(\(text(of: keyPath)), \(summary(of: value)))" }
}

extension BindingAction: CustomDumpStringConvertible {
  /// As it is written, in one line: `.set(\State.name, "Blob")`.
  public var customDumpDescription: String {
    description
  }
}

extension BindingAction: CasePathable {
  /// The case paths of a binding action: one for each field of the state, by its name.
  @dynamicMemberLookup
  public struct AllCasePaths: Sendable {
    /// A field, by its name: `\.binding.text`.
    @_disfavoredOverload
    public subscript<Value: Equatable & Sendable>(
      dynamicMember keyPath: WritableKeyPath<Root, Value>
    ) -> AnyCasePath<BindingAction, Value> {
      CasePathNames.note { name(of: keyPath) }
      let keyPath = Unchecked(keyPath)
      return AnyCasePath(
        embed: { .set(keyPath.value, $0) },
        extract: { $0.keyPath == keyPath.value ? $0.value as? Value : nil })
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }

  /// `.text`, or nothing for a property that is computed: its key path does not know its name.
  package static func name(of keyPath: PartialKeyPath<Root>) -> String {
    let parts = text(of: keyPath).split(separator: ".").dropFirst()
    return parts.contains { $0.contains("<") } ? "" : parts.map { ".\($0)" }.joined()
  }
}

/// An action that may be the wish that a field of the state have another value.
///
/// ```swift
/// enum Action: BindableAction {
///   case binding(BindingAction<State>)
///   case saveTapped
/// }
/// ```
public protocol BindableAction<State>: SendableMetatype {
  /// The type whose fields the binding actions set.
  associatedtype State

  /// Returns the action that carries a request to set a field.
  static func binding(_ action: BindingAction<State>) -> Self

  /// The request, if the action is one. By default found by reflection from the case of this name.
  var binding: BindingAction<State>? { get }
}

extension BindableAction {
  public var binding: BindingAction<State>? {
    BindingPaths.path(of: Self.self).extract(from: self)
  }

  /// The request to set a field to a value: `.set(\.name, "Blob")`.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<State, Value>, _ value: Value
  ) -> Self {
    .binding(.set(keyPath, value))
  }
}

/// The case paths of `binding` of all actions that have been asked so far.
private enum BindingPaths {
  private static let known = Mutex<[ObjectIdentifier: any Sendable]>([:])

  static func path<Action: BindableAction>(
    of type: Action.Type
  ) -> AnyCasePath<Action, BindingAction<Action.State>> {
    known.withLock { known in
      if let path = known[ObjectIdentifier(type)] {
        return path as! AnyCasePath<Action, BindingAction<Action.State>>
      }
      let path = AnyCasePath<Action, BindingAction<Action.State>>({ Action.binding($0) })
      known[ObjectIdentifier(type)] = path
      return path
    }
  }
}
