// A feature with all that a process has to know to go on with its stores.

import Foundation
import Rondo

/// A feature that runs in durable stores: its reducer, its version, and the work that its names stand for.
public struct DurableFeature<State: Codable & Sendable, Action: Codable & Sendable>: Sendable {
  let kind: String
  let version: Int
  let revision: Int
  let initialState: @Sendable (_ name: String) -> State
  let makeReducer: @Sendable () -> any Reducer<State, Action>
  /// The place in the source, for messages.
  let position: SourcePosition
  var prepareDependencies: @Sendable (inout DependencyValues) -> Void = { _ in }
  let effects: [String: DurableEffect<Action>]
  let timers: [String: DurableTimer<Action>]
  /// `nil` drops effects, and keeps no states to start them in.
  var onInterruption: (@Sendable (DurableInterruption<Action>) -> InterruptionDecision)?
  var revisionDecision = RevisionDecision.keep
  var setAsideDecision = SetAsideDecision.stop
  var migration: (@Sendable (DurableData) throws -> Data)?
  /// The effects and timers as they were listed.
  let listed: DurableWorkBuilder<Action>.List
  var usedNames: [UsedName] = []

  /// A feature whose stores a journal keeps.
  ///
  /// - Parameters:
  ///   - kind: The name of the feature in the journal, such as `match`. It stays the same.
  ///   - version: The version of its state and actions, as they encode themselves.
  ///   - revision: The revision of its reducer, which goes up when the reducer makes another state of the same actions. A
  ///     turn of another revision that leads to another state now is no damage: see ``whenRevised(_:)``.
  ///   - initialState: The state of a store that has handled nothing, by its name. It is the same
  ///     whenever it is asked for.
  ///   - reducer: The reducer. It may read the date, identifiers and chance from its dependencies: they
  ///     are the same when its actions are reduced again after a crash. It reads nothing else from
  ///     outside of its state.
  ///   - work: The effects and timers.
  public init<R: Reducer<State, Action> & SendableMetatype>(
    _ kind: String, version: Int = 1, revision: Int = 0,
    initialState: @escaping @Sendable (_ name: String) -> State,
    @ReducerBuilder<State, Action> reducer: @escaping @Sendable () -> R,
    @DurableWorkBuilder<Action> work: () -> DurableWorkBuilder<Action>.List = {
      DurableWorkBuilder<Action>.buildBlock()
    },
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    position = SourcePosition(fileID, filePath, line, column)
    self.kind = kind
    self.version = version
    self.revision = revision
    self.initialState = initialState
    makeReducer = { reducer() }
    let list = work()
    listed = list
    effects = Dictionary(list.effects.map { ($0.name, $0) }) { _, last in last }
    timers = Dictionary(list.timers.map { ($0.name, $0) }) { _, last in last }
  }

  /// Changes the dependencies of the feature, its children and effects.
  public func dependencies(
    _ prepare: @escaping @Sendable (inout DependencyValues) -> Void
  ) -> Self {
    changed(self) { $0.prepareDependencies = prepare }
  }

  /// Says what becomes of ordinary effects, such as `.run`, that were in flight at a crash. Without
  /// this they are dropped. Either is reported.
  public func whenInterrupted(
    _ decide:
      @escaping @Sendable (_ interruption: DurableInterruption<Action>)
      -> InterruptionDecision
  ) -> Self {
    changed(self) { $0.onInterruption = decide }
  }

  /// Says what becomes of a store whose turns, since its last snapshot, were written under another revision, and lead to
  /// another state under this one. Without this, the states that were acknowledged stay as they are.
  public func whenRevised(_ decision: RevisionDecision) -> Self {
    changed(self) { $0.revisionDecision = decision }
  }

  /// Says what becomes of a store when a message, a timer or an outcome is set aside, because it has ended as many
  /// processes as ``DurableOptions/attempts`` says. Without this the store stops, as one whose rows cannot be read, until
  /// somebody calls ``DurableStore/retry(discarding:)``.
  public func whenSetAside(_ decision: SetAsideDecision) -> Self {
    changed(self) { $0.setAsideDecision = decision }
  }

  /// Brings the data of older versions forward.
  ///
  /// - Parameter migrate: Takes a state, an action or the input of work in flight of an older version as it was
  ///   encoded, and returns it as the present version encodes it.
  public func migrate(_ migrate: @escaping @Sendable (_ data: DurableData) throws -> Data) -> Self {
    changed(self) { $0.migration = migrate }
  }
}

/// An action whose ordinary effects had not ended when their process did.
public struct DurableInterruption<Action: Sendable>: Sendable {
  /// The name of the store.
  public let store: String
  /// The action that has returned the effects.
  public let action: Action
}

/// The decision about effects that were interrupted.
public enum InterruptionDecision: Sendable {
  /// They are started again from their beginning.
  case restart
  /// They are not.
  case drop
}

/// The decision about turns of which another revision of the feature makes another state.
public enum RevisionDecision: Sendable {
  /// The state that was acknowledged counts. Only the revision that has made it can make it again, so the store waits
  /// until a process of that one has stored it, as it does when it ends.
  case keep
  /// The state that this revision makes of the turns counts. It is reported before anything is written.
  case replace
}

/// The decision about a store of which something was set aside.
public enum SetAsideDecision: Sendable {
  /// It stops: what comes behind waits in the inbox.
  case stop
  /// It goes on without it. ``DurableStores/setAside`` lists what that was.
  case goOn
}

/// A state, an action or an input as JSON, as an older version of a feature has encoded it.
public struct DurableData: Sendable {
  /// The kind of value that was encoded.
  public enum Kind: Hashable, Sendable {
    /// A state of the feature.
    case state
    /// An action of the feature.
    case action
    /// The input of an effect or a timer in flight, by the name of the work.
    case input(of: String)
  }

  /// The kind of value.
  public let kind: Kind
  /// The version of the feature that has encoded it.
  public let version: Int
  /// The encoded value.
  public let json: Data
}

/// Lists the work of a feature.
@resultBuilder
public enum DurableWorkBuilder<Action: Sendable> {
  /// The effects and timers that are listed so far.
  public struct List: Sendable {
    let effects: [DurableEffect<Action>]
    let timers: [DurableTimer<Action>]
  }

  /// An effect as a list of one.
  public static func buildExpression(_ effect: DurableEffect<Action>) -> List {
    List(effects: [effect], timers: [])
  }

  /// A timer as a list of one.
  public static func buildExpression(_ timer: DurableTimer<Action>) -> List {
    List(effects: [], timers: [timer])
  }

  /// The effects and timers of all statements.
  public static func buildBlock(_ lists: List...) -> List {
    List(effects: lists.flatMap(\.effects), timers: lists.flatMap(\.timers))
  }
}
