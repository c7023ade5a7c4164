// Default values of dependencies: each is made once, when it is first asked for.

import Foundation
import RondoAnimation
import RondoScheduling
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// The default values that have been made so far.
final class DefaultDependencies: DefaultsOfTest {
  private static let madeOfProcess = MadeForEachXCTest { DefaultDependencies() }
  private static let ofTests = DefaultsOfTests<DefaultDependencies>()

  /// The default values of the process or, under XCTest, of the test that is running.
  private static var ofProcess: DefaultDependencies { madeOfProcess.value }

  /// The default values of the test that is running here, if there is one, else those of the process.
  static var current: DefaultDependencies { ofCurrentTest ?? ofProcess }

  /// The default values of the test that is running here. A test does not see the values that another
  /// test has made or prepared.
  static var ofCurrentTest: DefaultDependencies? {
    guard DependencyContext.ofProcess == .test else { return nil }
    guard let test = currentSwiftTest else { return currentXCTest.map { _ in ofProcess } }
    return ofTests.defaults(of: test)
  }

  /// A new set in which no default value has been made yet. It knows the values that were prepared
  /// for the process or for the test.
  static var fresh: DefaultDependencies { DefaultDependencies(preparedBy: ofProcess) }

  /// Whether something has been prepared. Default values that were made can be made again.
  var areHeld: Bool { state.withLock { !$0.prepared.isEmpty || $0.context != nil } }

  private let state = Mutex(State())
  private let outer: DefaultDependencies?

  private struct State {
    var made: [Place: DependencyEntry] = [:]
    /// The locks of values, each held while its value is made, so that this happens once. The code that
    /// makes a value may ask for it, and for others, which other threads may be making.
    var making: [Place: NSRecursiveLock] = [:]
    /// The values that ``prepareDependencies(_:)`` has put in place.
    var prepared: [ObjectIdentifier: DependencyEntry] = [:]
    /// The context that has been prepared.
    var context: DependencyContext?
  }

  /// - Parameter outer: The set whose prepared values are the defaults here, too.
  init(preparedBy outer: DefaultDependencies? = nil) {
    self.outer = outer
  }

  private struct Place: Hashable {
    let key: ObjectIdentifier
    let context: DependencyContext

    // The contexts of one key are few, and hashing their names is slow.
    func hash(into hasher: inout Hasher) {
      hasher.combine(key)
    }
  }

  /// Returns the default of a dependency, and makes it if it has not been made yet.
  ///
  /// - Parameters:
  ///   - context: The context whose default is asked for; `nil` for the context of the program.
  ///   - name: The property by which it is asked for.
  ///   - whileInForce: Runs the code that makes the value, with the dependencies in force that
  ///     asked for it.
  func value<Key: TestDependencyKey>(
    of key: Key.Type, in context: DependencyContext?, named name: StaticString,
    _ whileInForce: (() -> (Key.Value, isComplete: Bool)) -> (Key.Value, isComplete: Bool)
  ) -> Key.Value {
    let id = ObjectIdentifier(key)
    if let prepared = prepared(id) { return prepared.value(of: key) }
    let context = context ?? self.context
    let place = Place(key: id, context: context)
    if let known = made(at: place) { return known.value(of: key) }
    let making = state.withLock { state in
      let lock = state.making[place] ?? NSRecursiveLock()
      state.making[place] = lock
      return lock
    }
    return making.withLock {
      // Made by another thread meanwhile.
      if let known = made(at: place) { return known.value(of: key) }
      let (value, isComplete) = whileInForce {
        DependencyAccess.checkingTestValue(named: name) { Self.make(key, context, name) }
      }
      guard isComplete else { return value }
      return state.withLock { state in
        // The code that has made the value may have asked for it.
        let entry = state.made[place] ?? TypedDependencyEntry(value)
        state.made[place] = entry
        state.making[place] = nil
        return entry
      }.value(of: key)
    }
  }

  private func made(at place: Place) -> DependencyEntry? {
    state.withLock { $0.made[place] }
  }

  /// The value that has been put in place of a default.
  private func prepared(_ key: ObjectIdentifier) -> DependencyEntry? {
    state.withLock { $0.prepared[key] } ?? outer?.prepared(key)
  }

  /// The context that has been put in place of the context of the process, else the context of the
  /// process.
  var context: DependencyContext {
    state.withLock { $0.context } ?? outer?.context ?? .ofProcess
  }

  /// Puts a context in place of the context of the process.
  func prepare(_ context: DependencyContext) {
    state.withLock { $0.context = context }
  }

  /// Puts a value in place of the default.
  func prepare(_ key: ObjectIdentifier, _ entry: DependencyEntry) {
    // The value before is released outside of the lock: its end may ask for dependencies.
    let old = state.withLock { $0.prepared.updateValue(entry, forKey: key) }
    withExtendedLifetime(old) {}
  }

  private static func make<Key: TestDependencyKey>(
    _ key: Key.Type, _ context: DependencyContext, _ name: StaticString
  ) -> Key.Value {
    switch context {
    case .test: return Key.testValue
    case .preview: return Key.previewValue
    case .live:
      guard let live = key as? any DependencyKey.Type else {
        return missingLiveValue(of: key, named: name)
      }
      return liveValue(of: live) as! Key.Value
    }
  }

  private static func liveValue<Key: DependencyKey>(of key: Key.Type) -> Any {
    key.liveValue
  }

  private static func missingLiveValue<Key: TestDependencyKey>(
    of key: Key.Type, named name: StaticString
  ) -> Key.Value {
    let dependency = DependencyAccess.spelling(of: key, name)
    if !DependencyAccess.isOverriding {
      reportIssue(
        """
        \(dependency) has no live value, and was used outside of a test. Make \(typeName(key)) a \
        'DependencyKey' with a 'liveValue' in a module that the program links. Its test value is used.
        """,
        at: DependencyAccess.declaration ?? SourcePosition())
    }
    return key.testValue
  }
}

/// The values that belong to one test.
protocol DefaultsOfTest: AnyObject, Sendable {
  /// New values for a test.
  static var fresh: Self { get }
  /// Whether the values of a test that goes on would be missed.
  var areHeld: Bool { get }
}

/// The values of tests, by the identities of the tests.
///
/// Nobody tells of the end of a test. So the values are released of tests that hold none any more,
/// after thousands of other tests have asked for values.
final class DefaultsOfTests<Defaults: DefaultsOfTest>: Sendable {
  private struct Entry {
    let defaults: Defaults
    var lastUse: UInt64
  }

  private struct State {
    var entries: [AnyHashable: Entry] = [:]
    var uses: UInt64 = 0
    /// The number of entries above which old ones are removed.
    var limit = 4_096

    /// The older half of the entries, if there are too many. The caller removes those that are not needed.
    mutating func takeOld() -> ArraySlice<(key: AnyHashable, value: Entry)> {
      guard entries.count > limit else { return [] }
      limit = .max
      return entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(entries.count / 2)
    }
  }

  private let state = LockIsolated(State())

  var count: Int { state.withLock { $0.entries.count } }

  /// The values of a test.
  func defaults(of test: AnyHashable) -> Defaults {
    let (defaults, old) = state.withLock { state in
      state.uses += 1
      let defaults = state.entries[test]?.defaults ?? .fresh
      state.entries[test] = Entry(defaults: defaults, lastUse: state.uses)
      return (defaults, state.takeOld())
    }
    if !old.isEmpty { remove(old) }
    return defaults
  }

  /// Removes those of some entries that are not needed any more.
  private func remove(_ old: ArraySlice<(key: AnyHashable, value: Entry)>) {
    // Asked, and released, outside of the lock: the end of a value may ask for defaults.
    let unused = old.filter { !$0.value.defaults.areHeld }
    state.withLock { state in
      for (test, entry) in unused where state.entries[test]?.lastUse == entry.lastUse {
        state.entries[test] = nil
      }
      state.limit = max(4_096, 2 * state.entries.count)
    }
    withExtendedLifetime(unused) {}
  }
}

/// The notes that pass, on one thread, between the code that asks for a dependency and the code
/// that makes its default value.
enum DependencyAccess {
  private final class Notes {
    /// The place of the `@Dependency` declaration that asks for the value.
    let declaration: SourcePosition?
    /// The property of `DependencyValues` that asks for it.
    let name: StaticString?
    var lacksTestValue = false

    init(_ declaration: SourcePosition?, _ name: StaticString?) {
      self.declaration = declaration
      self.name = name
    }
  }

  private static var notes: ThreadLocalObject<Notes> { ThreadLocalObject(\.dependencyNotes) }
  static var isThreadOverriding: ThreadLocal<Bool> { ThreadLocal(\.isOverriding) }

  /// Whether a value is only asked for because a part of it is to be overridden.
  static var isOverriding: Bool {
    isThreadOverriding.current || DependencyValues.isTaskOverriding
  }

  /// The place of the `@Dependency` declaration that asks for a value, if it is known.
  static var declaration: SourcePosition? { notes.current?.declaration }

  /// The spelling of a dependency where it is used: `@Dependency(\.uuid)`.
  ///
  /// - Parameter name: The name of the declaration that asks for it. A function's name is not used,
  ///   because it is not a property of `DependencyValues`.
  static func spelling<Key: TestDependencyKey>(of key: Key.Type, _ name: StaticString?) -> String {
    guard let name = name.map({ "\($0)" }), !name.isEmpty, !name.contains("(") else {
      return "@Dependency(\(typeName(key)).self)"
    }
    return "@Dependency(\\.\(name))"
  }

  /// Runs a body that overrides dependencies. The body reads values, but does not use them.
  static func overriding<Result>(_ body: () throws -> Result) rethrows -> Result {
    try isThreadOverriding.with(true) { try notes.with(nil, body) }
  }

  /// Returns a function that reads a dependency and, in a test, notes the place where the
  /// dependency is declared.
  static func noting<Value>(
    _ declaration: SourcePosition, _ read: @escaping @Sendable (DependencyValues) -> Value
  ) -> @Sendable (DependencyValues) -> Value {
    guard isTesting else { return read }
    return { values in
      notes.with(Notes(declaration, nil)) { read(values) }
    }
  }

  /// Makes a value. Returns it, and whether it is the one that its author has provided.
  static func checkingTestValue<Value>(
    named name: StaticString, _ make: () -> Value
  ) -> (Value, isComplete: Bool) {
    let notes = Notes(declaration, name)
    let value = self.notes.with(notes, make)
    return (value, !notes.lacksTestValue)
  }

  /// Reports that a dependency without a test value is made in a test.
  static func noteMissingTestValue<Key: DependencyKey>(of key: Key.Type) {
    notes.current?.lacksTestValue = true
    guard !isOverriding else { return }
    // Users cannot add a test value to a dependency of this library.
    let isOwn = String(reflecting: key).hasPrefix("Rondo.")
    let remedy = isOwn ? "" : ", or give \(typeName(key)) a 'testValue'"
    reportIssue(
      """
      \(spelling(of: key, notes.current?.name)) was used in a test, but has no test value. Override \
      it with 'withDependencies'\(remedy). Its preview value is used, which is the live one unless the key has another.
      """,
      at: declaration ?? SourcePosition())
  }
}

extension DependencyAccess {
  /// An endpoint of a dependency of this library that a test has not overridden. Its use is
  /// reported at the `@Dependency` declaration that has made it.
  static func unimplemented<Value>(
    _ name: String, placeholder: @autoclosure @escaping @Sendable () -> Value
  ) -> @Sendable () -> Value {
    let declaration = declaration ?? SourcePosition()
    return {
      reportUnimplemented(
        "@Dependency(\\.\(name))",
        declaration.fileID, declaration.filePath, declaration.line, declaration.column)
      return placeholder()
    }
  }
}

func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
