// The things that a test has to assert.

import RondoAnimation
import Synchronization

/// The kinds of events in a ``TestStore`` that its test has to assert.
///
/// ```swift
/// store.exhaustivity = .off
/// store.exhaustivity = [.state, .actions, .effects]  // Transactions may go unmentioned.
/// ```
///
/// For all tests of a target see ``TestStoreConfiguration``.
public struct Exhaustivity: OptionSet, Sendable, Hashable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Every change of state has to be asserted. Without this option, a closure asserts only the
  /// values that it sets.
  public static let state = Self(rawValue: 1 << 0)

  /// Every action that effects send has to be received, in order. Without this option,
  /// ``TestStore`` skips the actions before the one that is asked for.
  public static let actions = Self(rawValue: 1 << 1)

  /// Every transaction that is not empty has to be asserted. Without this option, a transaction is
  /// compared only if `receive` mentions it.
  public static let transactions = Self(rawValue: 1 << 2)

  /// Every effect has to end, or be cancelled, before the test does.
  public static let effects = Self(rawValue: 1 << 3)

  /// Skipped assertions are printed as notes, which never fail a test.
  public static let showsSkippedAssertions = Self(rawValue: 1 << 7)

  /// Everything has to be asserted.
  public static let on: Self = [.state, .actions, .transactions, .effects]

  /// Nothing has to be asserted but what the test mentions.
  public static let off: Self = []

  /// Nothing has to be asserted but what the test mentions; what is skipped may be shown.
  public static func off(showSkippedAssertions: Bool) -> Self {
    showSkippedAssertions ? .showsSkippedAssertions : .off
  }
}

/// The settings that all test stores of a test target begin with.
///
/// Declare a type named `TestStoreDefaults` in the test target; every store that is made in one of
/// its files takes its settings from there:
///
/// ```swift
/// struct TestStoreDefaults: TestStoreConfiguration {
///   static let exhaustivity: Exhaustivity = [.state, .actions, .effects]
/// }
/// ```
///
/// In a program that depends on the product `ComposableArchitecture`, a target that declares none
/// does not ask for transactions. This line in the target asks for them:
///
/// ```swift
/// enum TestStoreDefaults: TestStoreConfiguration {}
/// ```
public protocol TestStoreConfiguration {
  /// The initial value of ``TestStore/exhaustivity``. Defaults to ``Exhaustivity/on``.
  static var exhaustivity: Exhaustivity { get }

  /// The initial value of ``TestStore/timeout``. Defaults to ten seconds.
  static var timeout: Duration { get }
}

extension TestStoreConfiguration {
  public static var exhaustivity: Exhaustivity { .on }
  public static var timeout: Duration { .seconds(10) }
}

/// The settings of targets that declare none, in a program without a module that declares settings
/// for all targets.
private enum BuiltInDefaults: TestStoreConfiguration {}

/// The module that declares settings for all targets that declare none. A program contains it if it
/// depends on its product.
private let moduleOfCommonDefaults = "ComposableArchitecture"

/// The settings of the target that a file belongs to.
func configuration(of fileID: StaticString) -> any TestStoreConfiguration.Type {
  // The text of a file stays where it is: its address stands for it.
  let place = fileID.hasPointerRepresentation ? UInt(bitPattern: fileID.utf8Start) : 0
  return configurations.withLock { configurations in
    if place != 0, let known = configurations[place] { return known }
    let module = "\(fileID)".prefix { $0 != "/" }
    let found =
      findConfiguration(ofModule: module) ?? findConfiguration(ofModule: moduleOfCommonDefaults)
      ?? BuiltInDefaults.self
    configurations[place] = found
    return found
  }
}

private let configurations = Mutex<[UInt: any TestStoreConfiguration.Type]>([:])

private func findConfiguration(
  ofModule module: some StringProtocol
) -> (any TestStoreConfiguration.Type)? {
  // The mangled name of a struct, an enum or a class of the module.
  for kind in ["V", "O", "C"] {
    let name = "\(module.utf8.count)\(module)17TestStoreDefaults\(kind)"
    if let type = _typeByName(name) as? any TestStoreConfiguration.Type { return type }
  }
  return nil
}
