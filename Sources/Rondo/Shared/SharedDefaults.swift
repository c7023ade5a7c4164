// Where shared values are kept if nobody says otherwise: one place for the program, one for each test.

import Foundation
import RondoScheduling

/// The shared values of the program, or of one test, and the storages of those that are kept.
final class SharedDefaults: Sendable {
  let references = SharedReferences()
  let inMemory = InMemoryStorage()

  // Made when they are asked for, because most tests never do, and user defaults are slow to make.
  private let madeFiles = Locked<FileStorage?>(nil)
  private let madeAppStorage = Locked<UncheckedDefaults?>(nil)

  var files: FileStorage {
    madeFiles.withLock { made in
      let files = made ?? .inMemory
      made = files
      return files
    }
  }

  var appStorage: UncheckedDefaults {
    madeAppStorage.withLock { made in
      let defaults = made ?? UncheckedDefaults(.inMemory)
      made = defaults
      return defaults
    }
  }

  private static let ofProcess = Locked(SharedDefaults())
  private static let ofTests = Locked<[AnyHashable: SharedDefaults]>([:])

  /// Those of the test that is running, if one is, else of the process.
  static var current: SharedDefaults {
    if let test = currentSwiftTest {
      return ofTests.withLock { known in
        if let defaults = known[test] { return defaults }
        let defaults = SharedDefaults()
        known[test] = defaults
        return defaults
      }
    }
    return ofProcess.withLock { defaults in
      // Tests of XCTest cannot be told apart. But there is only one at a time, and when it is over
      // nobody holds what it has shared.
      if DependencyContext.ofProcess == .test, defaults.references.areAllGone {
        defaults = SharedDefaults()
      }
      return defaults
    }
  }
}

/// User defaults, which lock themselves.
struct UncheckedDefaults: @unchecked Sendable {
  let value: UserDefaults

  init(_ value: UserDefaults) {
    self.value = value
  }
}

/// The storages that a program or a test has chosen.
private enum StoragesKey: DependencyKey {
  struct Value: Sendable {
    var defaults: SharedDefaults?
    var inMemory: InMemoryStorage?
    var files: FileStorage?
    var appStorage: UncheckedDefaults?
  }
  static var liveValue: Value { Value() }
  static var testValue: Value { Value() }
}

extension DependencyValues {
  /// What `.inMemory` keys keep their values in. Every test has one of its own.
  public var defaultInMemoryStorage: InMemoryStorage {
    get { self[StoragesKey.self].inMemory ?? sharedDefaults.inMemory }
    set { self[StoragesKey.self].inMemory = newValue }
  }

  /// What `.fileStorage` keys keep their values in: the file system or, in tests and previews, a
  /// part of memory of the test's own.
  public var defaultFileStorage: FileStorage {
    get {
      self[StoragesKey.self].files
        ?? (context == .live ? .fileSystem : sharedDefaults.files)
    }
    set { self[StoragesKey.self].files = newValue }
  }

  /// What `.appStorage` keys keep their values in: the standard user defaults or, in tests and
  /// previews, some of the test's own that are never written to a file.
  public var defaultAppStorage: UserDefaults {
    get {
      self[StoragesKey.self].appStorage?.value
        ?? (context == .live ? .standard : sharedDefaults.appStorage.value)
    }
    set { self[StoragesKey.self].appStorage = UncheckedDefaults(newValue) }
  }

  /// Where shared values are kept if nobody says otherwise.
  var sharedDefaults: SharedDefaults {
    self[StoragesKey.self].defaults ?? .current
  }

  /// Keeps the shared values of the test that is running, also where that cannot be asked.
  mutating func keepSharedDefaults() {
    guard self[StoragesKey.self].defaults == nil else { return }
    self[StoragesKey.self].defaults = .current
  }

  /// Begins with empty storage.
  mutating func renewSharedDefaults() {
    self[StoragesKey.self].defaults = SharedDefaults()
  }
}
