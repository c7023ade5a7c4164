// The default storage of shared values: one for the program, one for each test.

import Foundation
import RondoScheduling
import Synchronization

/// The shared values of the program, or of one test, and the storages of those that are kept.
final class SharedDefaults: DefaultsOfTest {
  private let madeReferences = MadeOnce<SharedReferences>()
  private let madeInMemory = MadeOnce<InMemoryStorage>()
  private let madeFiles = MadeOnce<FileStorage>()
  private let madeAppStorage = MadeOnce<UncheckedDefaults>()

  var areHeld: Bool { references.areHeld }

  var references: SharedReferences { madeReferences.value(or: SharedReferences()) }
  var inMemory: InMemoryStorage { madeInMemory.value(or: InMemoryStorage()) }
  var files: FileStorage { madeFiles.value(or: .inMemory) }
  var appStorage: UncheckedDefaults { madeAppStorage.value(or: UncheckedDefaults(.inMemory)) }

  private static let ofProcess = MadeForEachXCTest { SharedDefaults() }
  private static let ofTests = LockIsolated(DefaultsOfTests<SharedDefaults>())

  static var fresh: SharedDefaults { SharedDefaults() }

  /// The defaults of the running test, if there is one, else those of the process.
  static var current: SharedDefaults {
    currentSwiftTest.map(ofTests.defaults) ?? ofProcess.value
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
/// after hundreds of other tests have asked for values.
struct DefaultsOfTests<Defaults: DefaultsOfTest> {
  private struct Entry {
    let defaults: Defaults
    var lastUse: UInt64
  }

  private var entries: [AnyHashable: Entry] = [:]
  private var uses: UInt64 = 0
  /// The number of entries above which old ones are removed.
  private var limit = 512

  var count: Int { entries.count }

  /// The values of a test, and those that are to be released.
  mutating func defaults(of test: AnyHashable) -> (defaults: Defaults, released: [Defaults]) {
    uses += 1
    if let defaults = entries[test]?.defaults {
      entries[test]?.lastUse = uses
      return (defaults, [])
    }
    let defaults = Defaults.fresh
    entries[test] = Entry(defaults: defaults, lastUse: uses)
    return (defaults, removeOld())
  }

  private mutating func removeOld() -> [Defaults] {
    guard entries.count > limit else { return [] }
    let old = entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(entries.count / 2)
    var released: [Defaults] = []
    for (test, entry) in old where !entry.defaults.areHeld {
      released.append(entry.defaults)
      entries[test] = nil
    }
    limit = max(512, 2 * entries.count)
    return released
  }
}

extension LockIsolated {
  /// The values of a test.
  func defaults<Defaults>(of test: AnyHashable) -> Defaults
  where Value == DefaultsOfTests<Defaults> {
    // Values that are not needed any more are released outside of the lock.
    let (defaults, released) = withLock { $0.defaults(of: test) }
    return withExtendedLifetime(released) { defaults }
  }
}

/// A value that is made when it is first asked for: most tests never do that.
private struct MadeOnce<Value: Sendable>: ~Copyable, Sendable {
  private let made = Mutex<Value?>(nil)

  borrowing func value(or make: @autoclosure () -> Value) -> Value {
    made.withLock { made in
      let value = made ?? make()
      made = value
      return value
    }
  }
}

/// User defaults, which lock themselves.
struct UncheckedDefaults: @unchecked Sendable {
  let value: UserDefaults
  /// The file that Rondo writes; `nil` where they write themselves.
  let file: DefaultsFile?

  init(_ value: UserDefaults) {
    self.value = value
    file = DefaultsFile.of(value)
  }
}

/// The storages that a program or a test has chosen.
enum StoragesKey: KeyOwnedByTest {
  struct Value: Sendable {
    var defaults: SharedDefaults?
    var inMemory: InMemoryStorage?
    var files: FileStorage?
    var appStorage: UncheckedDefaults?
  }
  static var liveValue: Value { Value() }
  static var testValue: Value { Value() }

  /// Stores the shared values of the running test.
  static func keep(in values: inout DependencyValues) {
    guard values[Self.self].defaults == nil else { return }
    values[Self.self].defaults = .current
  }

  /// Begins with empty storage.
  static func renew(in values: inout DependencyValues) {
    var storages = values.override(of: Self.self) ?? Value()
    storages.defaults = SharedDefaults()
    values[Self.self] = storages
  }
}

extension KeysOwnedByTests: ListOfKeysOwnedByTests {
  static var keys: [any KeyOwnedByTest.Type] { [StoragesKey.self] }
}

extension DependencyValues {
  /// The storage of the values of `.inMemory` keys. Every test has a storage of its own.
  public var defaultInMemoryStorage: InMemoryStorage {
    get { self[StoragesKey.self].inMemory ?? sharedDefaults.inMemory }
    set { self[StoragesKey.self].inMemory = newValue }
  }

  /// The storage of the values of `.fileStorage` keys: the file system or, in tests and previews, a
  /// part of memory that belongs to the test or preview.
  public var defaultFileStorage: FileStorage {
    get {
      self[StoragesKey.self].files
        ?? (context == .live ? .fileSystem : sharedDefaults.files)
    }
    set { self[StoragesKey.self].files = newValue }
  }

  /// The storage of the values of `.appStorage` keys: the standard user defaults or, in tests and
  /// previews, user defaults of the test or preview that are never written to a file.
  public var defaultAppStorage: UserDefaults {
    get {
      self[StoragesKey.self].appStorage?.value
        ?? (context == .live ? .standard : sharedDefaults.appStorage.value)
    }
    set { self[StoragesKey.self].appStorage = UncheckedDefaults(newValue) }
  }

  /// The shared values in force and their storages: those set here, else those of the running test
  /// or of the process.
  var sharedDefaults: SharedDefaults {
    self[StoragesKey.self].defaults ?? .current
  }
}
