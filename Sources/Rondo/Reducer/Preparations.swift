// Preparing a reducer that a wrapper calls by hand, once.

import RondoAnimation
import Synchronization

/// The prepared forms of the reducers that one wrapper calls by `reduce(into:action:)`.
///
/// A store prepares the reducers that it runs. A reducer that wraps another one and has no body calls
/// it anew for every action, and would have its body read each time. So the store keeps one of these
/// for each such wrapper, and puts it in force while the wrapper runs.
@usableFromInline
final class Preparations {
  /// A reducer that was prepared, as the bytes of its value, and what came of it.
  private struct Entry {
    let type: ObjectIdentifier
    /// Keeps alive what the bytes refer to. Otherwise another value could get the same bytes.
    let reducer: Any
    let bytes: [UInt8]
    let prepared: Any
  }

  private var entries: [Entry] = []

  /// More than a wrapper holds. Of one that makes new reducers all the time the last ones are kept.
  private static var limit: Int { 16 }

  private static var ofThread: ThreadLocalObject<Preparations> {
    ThreadLocalObject(\.preparations)
  }

  @usableFromInline
  init() {}

  /// Whether a reducer holds another one in one of its properties, or in a tuple or an array of them.
  ///
  /// It is found out once for a type. One that makes the reducer which it calls anew for each action
  /// has nothing that could be kept.
  @usableFromInline
  static func areNeeded<R: Reducer>(by reducer: R) -> Bool {
    let type = ObjectIdentifier(R.self)
    if let known = holders.withLock({ $0[type] }) { return known }
    let isHolder = holdsReducer(Mirror(reflecting: reducer))
    holders.withLock { $0[type] = isHolder }
    return isHolder
  }

  private static let holders = Mutex<[ObjectIdentifier: Bool]>([:])

  private static func holdsReducer(_ mirror: Mirror) -> Bool {
    mirror.children.contains { child in
      if child.value is any Reducer { return true }
      let inner = Mirror(reflecting: child.value)
      return [.tuple, .collection, .optional].contains(inner.displayStyle) && holdsReducer(inner)
    }
  }

  /// Runs a body in which ``Reducer/prepared()`` keeps its results here.
  @usableFromInline
  func inForce<Result>(_ body: () -> Result) -> Result {
    Self.ofThread.with(self, body)
  }

  @usableFromInline
  static var current: Preparations? { ofThread.current }

  /// Returns the prepared form of a reducer, and makes it if need be.
  @usableFromInline
  func prepared<R: Reducer>(_ reducer: R) -> PreparedReducer<R.State, R.Action> {
    let type = ObjectIdentifier(R.self)
    if let found = withUnsafeBytes(of: reducer, { find(type, $0) }) {
      return found as! PreparedReducer<R.State, R.Action>
    }
    let prepared = reducer._prepare()
    if entries.count == Self.limit { entries.removeFirst() }
    entries.append(
      Entry(
        type: type, reducer: reducer, bytes: withUnsafeBytes(of: reducer) { Array($0) },
        prepared: prepared))
    return prepared
  }

  private func find(_ type: ObjectIdentifier, _ bytes: UnsafeRawBufferPointer) -> Any? {
    entries.first { $0.type == type && $0.bytes.elementsEqual(bytes) }?.prepared
  }
}

extension Reducer {
  /// This reducer, ready to run: prepared once where a store runs it through a wrapper, and now
  /// anywhere else.
  @inlinable
  func prepared() -> PreparedReducer<State, Action> {
    Preparations.current?.prepared(self) ?? _prepare()
  }
}
