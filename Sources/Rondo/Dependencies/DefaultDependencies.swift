// Dependencies that nobody has overridden: made once, when they are first asked for.

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
final class DefaultDependencies: Sendable {
  static let ofProcess = DefaultDependencies()

  private let made = Mutex<[Place: DependencyEntry]>([:])

  private struct Place: Hashable {
    let key: ObjectIdentifier
    /// `nil` for a value that ``prepareDependencies(_:)`` has put in place.
    let context: DependencyContext?
  }

  /// The default of a dependency, made now if need be.
  func value<Key: TestDependencyKey>(
    of key: Key.Type, in context: DependencyContext
  ) -> Key.Value {
    let id = ObjectIdentifier(key)
    let place = Place(key: id, context: context)
    let known = made.withLock { $0[Place(key: id, context: nil)] ?? $0[place] }
    if let known { return known.value(of: key) }
    // Made outside of the lock, because it may ask for other dependencies. Whoever is first wins.
    let (value, isComplete) = DependencyAccess.checkingTestValue { Self.make(key, context) }
    guard isComplete else { return value }
    return made.withLock { made in
      let entry = made[place] ?? TypedDependencyEntry(value)
      made[place] = entry
      return entry
    }.value(of: key)
  }

  /// Puts a value in place of the default.
  func prepare(_ key: ObjectIdentifier, _ entry: DependencyEntry) {
    made.withLock { $0[Place(key: key, context: nil)] = entry }
  }

  private static func make<Key: TestDependencyKey>(
    _ key: Key.Type, _ context: DependencyContext
  ) -> Key.Value {
    switch context {
    case .test: return Key.testValue
    case .preview: return Key.previewValue
    case .live:
      guard let live = key as? any DependencyKey.Type else { return missingLiveValue(of: key) }
      return liveValue(of: live) as! Key.Value
    }
  }

  private static func liveValue<Key: DependencyKey>(of key: Key.Type) -> Any {
    key.liveValue
  }

  private static func missingLiveValue<Key: TestDependencyKey>(of key: Key.Type) -> Key.Value {
    reportIssue(
      """
      The dependency \(key) has no live value, and was used outside of a test. Make it a \
      DependencyKey with a 'liveValue' in a module that the program links. Its test value is used.
      """)
    return key.testValue
  }
}

/// What the code that makes a default value tells the code that asked for it, on the same thread.
enum DependencyAccess {
  private struct Notes {
    /// Whether the value is only asked for to be overridden in part.
    var isOverriding = false
    /// Where the dependency is declared that asks for it.
    var declaration: SourcePosition?
    var lacksTestValue = false
    var outer: UnsafeMutableRawPointer?
  }

  private static let slot = ThreadSlot()

  private static func withNotes<Result>(
    _ notes: inout Notes, _ body: () throws -> Result
  ) rethrows -> Result {
    try withUnsafeMutablePointer(to: &notes) { pointer in
      begin(pointer)
      defer { end(pointer) }
      return try body()
    }
  }

  private static func begin(_ notes: UnsafeMutablePointer<Notes>) {
    notes.pointee.outer = slot.pointer
    slot.pointer = UnsafeMutableRawPointer(notes)
  }

  private static func end(_ notes: UnsafeMutablePointer<Notes>) {
    slot.pointer = notes.pointee.outer
  }

  private static var notes: UnsafeMutablePointer<Notes>? {
    slot.pointer?.assumingMemoryBound(to: Notes.self)
  }

  /// Runs a body that overrides dependencies: what it reads it does not use.
  static func overriding<Result>(_ body: () throws -> Result) rethrows -> Result {
    var notes = Notes(isOverriding: true)
    return try withNotes(&notes, body)
  }

  /// The same in two calls, for an accessor that lends something to its caller.
  static func beginOverriding() -> UnsafeMutableRawPointer {
    let notes = UnsafeMutablePointer<Notes>.allocate(capacity: 1)
    notes.initialize(to: Notes(isOverriding: true))
    begin(notes)
    return UnsafeMutableRawPointer(notes)
  }

  static func endOverriding(_ begun: UnsafeMutableRawPointer) {
    let notes = begun.assumingMemoryBound(to: Notes.self)
    end(notes)
    notes.deallocate()
  }

  /// A way to read a dependency that notes, in a test, where the dependency is declared.
  static func noting<Value>(
    _ declaration: SourcePosition, _ read: @escaping @Sendable (DependencyValues) -> Value
  ) -> @Sendable (DependencyValues) -> Value {
    guard isTesting else { return read }
    return { values in
      var notes = Notes(
        isOverriding: notes?.pointee.isOverriding ?? false, declaration: declaration)
      return withNotes(&notes) { read(values) }
    }
  }

  /// Makes a value. Tells whether it was the one that its author has provided.
  static func checkingTestValue<Value>(_ make: () -> Value) -> (Value, isComplete: Bool) {
    var notes = Notes(
      isOverriding: notes?.pointee.isOverriding ?? false, declaration: notes?.pointee.declaration)
    let value = withNotes(&notes, make)
    return (value, !notes.lacksTestValue)
  }

  /// Called where a dependency without a test value is made in a test.
  static func noteMissingTestValue<Key: DependencyKey>(of key: Key.Type) {
    notes?.pointee.lacksTestValue = true
    guard notes?.pointee.isOverriding != true else { return }
    reportIssue(
      """
      The dependency \(key) was used in a test, but has no test value. Override it with \
      'withDependencies', or give the key a 'testValue'. Its preview value is used.
      """,
      at: notes?.pointee.declaration ?? SourcePosition())
  }
}

func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
