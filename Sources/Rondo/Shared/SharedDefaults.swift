// Where shared values are kept if nobody says otherwise: one place for the program, one for each test.

import Foundation
import RondoScheduling

/// The shared values of the program, or of one test, and the storages of those that are kept.
final class SharedDefaults: Sendable {
  let references = SharedReferences()
  let inMemory = InMemoryStorage()
  let files = FileStorage.inMemory
  let appStorage = UncheckedDefaults(.inMemory)

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

private enum SharedDefaultsKey: TestDependencyKey {
  static var testValue: Value { Value() }
  struct Value: Sendable { var defaults: SharedDefaults? }
}

private enum InMemoryStorageKey: TestDependencyKey {
  static var testValue: Value { Value() }
  struct Value: Sendable { var storage: InMemoryStorage? }
}

private enum FileStorageDependencyKey: TestDependencyKey {
  static var testValue: Value { Value() }
  struct Value: Sendable { var storage: FileStorage? }
}

private enum AppStorageDependencyKey: TestDependencyKey {
  static var testValue: Value { Value() }
  struct Value: Sendable { var storage: UncheckedDefaults? }
}

extension DependencyValues {
  /// What `.inMemory` keys keep their values in. Every test has one of its own.
  public var defaultInMemoryStorage: InMemoryStorage {
    get { self[InMemoryStorageKey.self].storage ?? sharedDefaults.inMemory }
    set { self[InMemoryStorageKey.self].storage = newValue }
  }

  /// What `.fileStorage` keys keep their values in: the file system or, in tests and previews, a
  /// part of memory of the test's own.
  public var defaultFileStorage: FileStorage {
    get {
      self[FileStorageDependencyKey.self].storage
        ?? (context == .live ? .fileSystem : sharedDefaults.files)
    }
    set { self[FileStorageDependencyKey.self].storage = newValue }
  }

  /// What `.appStorage` keys keep their values in: the standard user defaults or, in tests and
  /// previews, some of the test's own that are never written to a file.
  public var defaultAppStorage: UserDefaults {
    get {
      self[AppStorageDependencyKey.self].storage?.value
        ?? (context == .live ? .standard : sharedDefaults.appStorage.value)
    }
    set { self[AppStorageDependencyKey.self].storage = UncheckedDefaults(newValue) }
  }

  /// Where shared values are kept if nobody says otherwise.
  var sharedDefaults: SharedDefaults {
    self[SharedDefaultsKey.self].defaults ?? .current
  }

  /// Keeps the shared values of the test that is running, also where that cannot be asked.
  mutating func keepSharedDefaults() {
    guard self[SharedDefaultsKey.self].defaults == nil else { return }
    self[SharedDefaultsKey.self].defaults = .current
  }
}
