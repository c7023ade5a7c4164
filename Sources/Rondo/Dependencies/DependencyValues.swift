// The dependencies in force at some point of the program.

import RondoAnimation
import RondoScheduling
import Synchronization

/// All dependencies: the overridden values, and the defaults of all others.
///
/// Every dependency has a property here, which its module adds in an extension; see
/// ``DependencyKey``. Features read dependencies by ``Dependency``.
/// `withDependencies` and the initializers of stores override them.
///
/// Overrides are in force for the body of a scope and for the tasks that are started in it. An
/// effect keeps the overrides that were in force where its reducer made it.
public struct DependencyValues: Sendable {
  /// The overridden values.
  private(set) var overrides: [ObjectIdentifier: DependencyEntry] = [:]
  /// The values for dependencies that are neither in `overrides` nor in `source`. They come before the
  /// defaults.
  private var fallback: [ObjectIdentifier: DependencyEntry] = [:]
  /// The values that a test store gives, which are made when they are asked for. No value of `fallback` is of
  /// one of these dependencies, unless the values around that store have set it.
  private var source: DependencySource?

  /// Makes values that override nothing.
  public init() {}

  /// Makes values that an object gives.
  package init(source: DependencySource) {
    self.source = source
  }

  /// Whether nothing has been overridden.
  var isEmpty: Bool { overrides.isEmpty && fallback.isEmpty && source == nil }

  /// The value of a dependency.
  ///
  /// - Parameters:
  ///   - key: The dependency.
  ///   - name: The property that asks for it, for messages.
  public subscript<Key: TestDependencyKey>(
    key: Key.Type, name: StaticString = #function
  ) -> Key.Value {
    get {
      // Not by '??': that looks the type of an optional value up.
      guard let entry = entry(ObjectIdentifier(key)) else {
        return defaultValue(of: key, named: name)
      }
      return entry.value(of: key)
    }
    set {
      overrides[ObjectIdentifier(key)] = TypedDependencyEntry(newValue)
    }
  }

  /// The default value of a dependency. The code that makes it runs with these dependencies in
  /// force.
  private func defaultValue<Key: TestDependencyKey>(
    of key: Key.Type, named name: StaticString
  ) -> Key.Value {
    withReporter {
      defaults.value(of: key, in: override(of: ContextKey.self), named: name) { make in
        DependencyAccess.isThreadOverriding.with(DependencyAccess.isOverriding) {
          whileInForceIfAny(make)
        }
      }
    }
  }

  /// The value of a dependency that has been overridden; `nil` where its default is in force.
  func override<Key: TestDependencyKey>(of key: Key.Type) -> Key.Value? {
    entry(ObjectIdentifier(key))?.value(of: key)
  }

  private func entry(_ key: ObjectIdentifier) -> DependencyEntry? {
    overrides[key] ?? fallback[key] ?? source?.entry(key)
  }

  /// The context, which selects the default value of each dependency.
  public var context: DependencyContext {
    get { contextInForce }
    set { self[ContextKey.self] = newValue }
  }

  private var contextInForce: DependencyContext {
    override(of: ContextKey.self) ?? defaults.context
  }

  /// The default values that have been made so far.
  private var defaults: DefaultDependencies {
    override(of: DefaultsKey.self) ?? .current
  }

  /// The reporter that hears of misuse of these dependencies, before the reporters in force do. It
  /// is needed on a thread where nothing is in force: nothing else there tells whose dependencies
  /// these are.
  package var issueReporter: (any IssueReporter)? { source?.issueReporter }

  private func withReporter<Result>(_ make: () -> Result) -> Result {
    guard let issueReporter else { return make() }
    return withIssueReporters([issueReporter] + IssueReporters.current, make)
  }

  /// The values of `newer`, and these values for dependencies that `newer` does not override.
  func overridden(by newer: DependencyValues) -> DependencyValues {
    guard !isEmpty else { return newer }
    guard !newer.isEmpty, !isCopy(of: newer) else { return self }
    var result = newer
    result.fill(by: overrides)
    result.fill(by: fallback)
    if result.source == nil { result.source = source }
    return result
  }

  private mutating func fill(by entries: [ObjectIdentifier: DependencyEntry]) {
    guard !entries.isEmpty else { return }
    // The common case, in which nothing is copied.
    guard !fallback.isEmpty || source != nil else { return fallback = entries }
    for (key, entry) in entries where fallback[key] == nil && source?.has(key) != true {
      fallback[key] = entry
    }
  }

  /// Whether both are known to be the same, because nothing was changed after one was copied from
  /// the other. This is common: the actions of an effect are reduced with the dependencies that the
  /// effect already has.
  private func isCopy(of other: Self) -> Bool {
    Self.haveSameStorage(overrides, other.overrides)
      && hasSameFallback(as: other)
  }

  /// Whether two dictionaries are known to be equal, because they are one. `false` proves nothing.
  private static func haveSameStorage<Value>(
    _ left: [ObjectIdentifier: Value], _ right: [ObjectIdentifier: Value]
  ) -> Bool {
    // A dictionary is a reference to its storage; in one that is another thing, nothing is compared.
    guard MemoryLayout<[ObjectIdentifier: Value]>.size == MemoryLayout<UInt>.size else {
      return false
    }
    return withUnsafeBytes(of: left) { left in
      withUnsafeBytes(of: right) { left.load(as: UInt.self) == $0.load(as: UInt.self) }
    }
  }

  private func hasSameFallback(as other: Self) -> Bool {
    Self.haveSameStorage(fallback, other.fallback)
      && source === other.source
  }

  /// In a test, makes dependencies anew instead of sharing them with other tests, unless an outer
  /// scope has done so. Where no test is known every scope has defaults of its own.
  mutating func isolateDefaults() {
    guard DependencyContext.ofProcess == .test, override(of: DefaultsKey.self) == nil else {
      return
    }
    self[DefaultsKey.self] = DefaultDependencies.ofCurrentTest ?? .fresh
    keepOwnOfTest()
  }

  /// In a test, makes all dependencies anew if a scope has replaced the whole of the values that it
  /// was given.
  fileprivate mutating func resetDefaultsIfReplaced() {
    guard DependencyContext.ofProcess == .test, override(of: DefaultsKey.self) == nil else {
      return
    }
    self[DefaultsKey.self] = DefaultDependencies()
    keepOwnOfTest()
  }

  /// These values with new defaults for all that is not overridden, and with nothing shared with
  /// earlier runs: for a test that is run again.
  package var withFreshDefaults: DependencyValues {
    var values = self
    // For the two below, and for what a test is likely to override.
    values.overrides.reserveCapacity(overrides.count + 6)
    values[DefaultsKey.self] = .fresh
    for key in KeysOwnedByTests.all { key.renew(in: &values) }
    return values
  }

  /// In a test, stores here what belongs to the test, for code that runs where the running test is not
  /// known.
  private mutating func keepOwnOfTest() {
    guard context == .test else { return }
    for key in KeysOwnedByTests.all { key.keep(in: &self) }
  }

  /// Makes the overrides the defaults of the process, or of the test that is running.
  func becomeDefaults() {
    let defaults = Self.current.defaults
    for (key, entry) in overrides { defaults.prepare(key, entry) }
    if let context = override(of: ContextKey.self) { defaults.prepare(context) }
  }

  /// These values after a change.
  package func updated(
    _ update: (inout DependencyValues) throws -> Void
  ) rethrows -> DependencyValues {
    var values = self
    values.isolateDefaults()
    try DependencyAccess.overriding { try update(&values) }
    values.resetDefaultsIfReplaced()
    return values
  }

  /// These values after a change that may take time.
  nonisolated(nonsending) func updated(
    _ update: nonisolated(nonsending) (inout DependencyValues) async throws -> Void
  ) async rethrows -> DependencyValues {
    var values = self
    values.isolateDefaults()
    let surroundings = InForce(values: Self.ambient, isOverriding: true)
    try await Self.$inForce.whileSet(to: surroundings) { try await update(&values) }
    values.resetDefaultsIfReplaced()
    return values
  }

  // MARK: By context

  /// Values that override nothing, in the program as it is for its users.
  public static var live: Self { inContext(.live) }

  /// Values that override nothing, in a preview.
  public static var preview: Self { inContext(.preview) }

  /// Values that override nothing, in a test.
  public static var test: Self { inContext(.test) }

  private static func inContext(_ context: DependencyContext) -> Self {
    var values = Self()
    values.context = context
    return values
  }

  // MARK: In force

  struct InForce: Sendable {
    let values: DependencyValues?
    var isOverriding = false
  }

  @TaskLocal static var inForce: InForce?

  /// The dependencies in force here; `nil` where there are none.
  static var ambient: DependencyValues? { inForce?.values }

  /// The dependencies in force here.
  package static var current: DependencyValues { ambient ?? DependencyValues() }

  /// Whether the task overrides dependencies, in a closure that may suspend.
  static var isTaskOverriding: Bool { inForce?.isOverriding ?? false }

  /// The dependencies in force here, for default values: `var id = DependencyValues._current.uuid()`.
  public static var _current: DependencyValues { current }

  /// Runs a body in which nothing is overridden, whatever is around it.
  static func whileNoneIsInForce<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard ambient != nil else { return try body() }
    return try $inForce.withValue(nil, operation: body)
  }

  /// Runs a body in which these values are in force and no others.
  package func whileInForce<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$inForce.withValue(InForce(values: self), operation: body)
  }

  /// Runs a body in which these values are in force and no others.
  package nonisolated(nonsending) func whileInForce<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await Self.$inForce.whileSet(to: InForce(values: self), body)
  }

  /// These values, and the given ones for dependencies that these do not override.
  package func filled(by surroundings: DependencyValues) -> DependencyValues {
    surroundings.overridden(by: self)
  }

  /// Makes something with dependencies of its own. They are those in force here, the given ones
  /// where nothing is overridden, and on top of both the changes of `update`.
  package static func whileFilled<Result>(
    by surroundings: DependencyValues,
    _ update: (inout DependencyValues) -> Void,
    _ make: () -> Result
  ) -> Result {
    let filled = current.filled(by: surroundings)
    var values = filled.updated(update)
    // The update may have replaced the whole of the values. It has not where they are still filled.
    if filled.source == nil || !values.hasSameFallback(as: filled) {
      values = values.filled(by: surroundings)
    }
    return values.whileInForce(make)
  }

  /// The dependencies, to be changed in place. Values that are read meanwhile count as read to be
  /// overridden in part.
  package var overriding: DependencyValues {
    get { self }
    _modify {
      let outer = exchange(&DependencyAccess.isThreadOverriding.current, with: true)
      defer { DependencyAccess.isThreadOverriding.current = outer }
      yield &self
    }
  }

  /// Runs a body in which these values are in force, unless nothing has been overridden.
  func whileInForceIfAny<Result>(_ body: () throws -> Result) rethrows -> Result {
    try isEmpty ? body() : whileInForce(body)
  }

  /// Makes something with the dependencies that an update has changed, or with those in force if
  /// there is no update.
  static func whilePrepared<Result>(
    by update: ((inout DependencyValues) -> Void)?, _ make: () -> Result
  ) -> Result {
    guard let update else { return make() }
    return withDependencies(update, operation: make)
  }

  /// Runs a body in which these values override those in force.
  func overridingCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.current.overridden(by: self).whileInForce(body)
  }
}

/// The value of an overridden dependency.
class DependencyEntry: @unchecked Sendable {
  // @unchecked: immutable; the only subclass stores a `Sendable` value.
  fileprivate init() {}

  /// The value, given the key under which the entry is kept.
  final func value<Key: TestDependencyKey>(of key: Key.Type) -> Key.Value {
    unsafeDowncast(self, to: TypedDependencyEntry<Key.Value>.self).value
  }
}

final class TypedDependencyEntry<Value: Sendable>: DependencyEntry, @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

// Keys that have no defaults themselves: the defaults of all other keys depend on them.

private enum ContextKey: TestDependencyKey {
  static var testValue: DependencyContext { .ofProcess }
}

private enum DefaultsKey: TestDependencyKey {
  static var testValue: DefaultDependencies { .current }
}

/// Whether the code runs in a test.
public var isTesting: Bool { DependencyContext.ofProcess == .test }

extension DependencyContext {
  /// The kind of the running program: `test` under a test runner, else `live`. The environment
  /// variable `RONDO_CONTEXT` overrides it.
  static let ofProcess: DependencyContext = {
    if let name = environmentVariable("RONDO_CONTEXT"), let context = Self(rawValue: name) {
      return context
    }
    let isTest = CommandLine.arguments.contains { argument in
      argument.hasSuffix(".xctest") || argument == "--testing-library"
    }
    return isTest ? .test : .live
  }()
}
