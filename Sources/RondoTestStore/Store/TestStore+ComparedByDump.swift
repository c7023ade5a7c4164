// A test store for a state that is not 'Equatable'.

import Rondo
import RondoScheduling

/// A state that is compared part by part, as a dump shows it, where it is not `Equatable`.
///
/// What is reached by a name is the state's: `$0.count = 1`. The state itself is ``value``.
@dynamicMemberLookup
public struct ComparedByDump<Value>: Equatable {
  /// The state itself.
  public var value: Value

  /// A state that is compared part by part.
  public init(_ value: Value) {
    self.value = value
  }

  /// A part of the state.
  public subscript<Part>(dynamicMember keyPath: WritableKeyPath<Value, Part>) -> Part {
    get { value[keyPath: keyPath] }
    set { value[keyPath: keyPath] = newValue }
  }

  /// A part of the state that cannot be changed.
  public subscript<Part>(dynamicMember keyPath: KeyPath<Value, Part>) -> Part {
    value[keyPath: keyPath]
  }

  /// Whether two states have equal parts, at any depth. Parts that are `Equatable` are compared by `==`,
  /// closures not at all.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    areEqual(lhs.value, rhs.value)
  }
}

extension ComparedByDump: CustomDumpRepresentable {
  public var customDumpValue: Any { value }
}

extension TestStore {
  /// A store of a feature whose state is not `Equatable`. States are compared part by part.
  ///
  /// ```swift
  /// let store = TestStore(comparingDumpsOf: Player.State()) { Player() }
  /// await store.send(.played) { $0.isPlaying = true }
  /// ```
  ///
  /// - Parameters:
  ///   - initialState: The state to start in.
  ///   - timeline: The time that effects use.
  ///   - reducer: The reducer, or several, which are run in order.
  ///   - prepareDependencies: Changes the dependencies of the feature, its children and effects.
  public convenience init<Value, R: Reducer<Value, Action>>(
    comparingDumpsOf initialState: @autoclosure () -> Value,
    timeline: TestTimeline = TestTimeline(),
    @ReducerBuilder<Value, Action> reducer: () -> R,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void = { _ in },
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where State == ComparedByDump<Value> {
    self.init(
      initialState: ComparedByDump(initialState()), timeline: timeline,
      reducer: {
        Scope(
          state: \ComparedByDump<Value>.value, action: AnyCasePath<Action, Action>(),
          child: reducer)
      }, withDependencies: prepareDependencies,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
