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
  private static let ofTests = DefaultsOfTests<SharedDefaults>()

  static var fresh: SharedDefaults { SharedDefaults() }

  /// The defaults of the running test, if there is one, else those of the process.
  static var current: SharedDefaults {
    currentSwiftTest.map(ofTests.defaults) ?? ofProcess.value
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
