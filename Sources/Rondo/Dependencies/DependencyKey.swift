// Keys of dependencies: a type of value, and its default values.

/// A dependency whose live value is in another module.
///
/// A module that only uses a client declares the key with this protocol, so that features and tests
/// need not build the live client; the module that implements it adds ``DependencyKey``.
public protocol TestDependencyKey<Value>: SendableMetatype {
  /// The type of the dependency's value.
  associatedtype Value: Sendable = Self

  /// The value in previews and demonstrations. By default ``testValue``.
  static var previewValue: Value { get }

  /// The value in tests: usually one that reports its use, such as `unimplemented`.
  static var testValue: Value { get }
}

/// A dependency: a type of value that features use without saying where it comes from.
///
/// ```swift
/// struct Pasteboard: Sendable {
///   var copy: @Sendable (String) -> Void
/// }
///
/// extension Pasteboard: DependencyKey {
///   static let liveValue = Pasteboard(copy: { System.copy($0) })
///   static let testValue = Pasteboard(copy: unimplemented("Pasteboard.copy"))
/// }
///
/// extension DependencyValues {
///   var pasteboard: Pasteboard {
///     get { self[Pasteboard.self] }
///     set { self[Pasteboard.self] = newValue }
///   }
/// }
/// ```
///
/// A feature then says `@Dependency(\.pasteboard) var pasteboard`.
public protocol DependencyKey<Value>: TestDependencyKey {
  /// The value when the program runs for its users.
  static var liveValue: Value { get }

  associatedtype Value = Self

  /// The value in previews; the live one unless the key says otherwise.
  static var previewValue: Value { get }
  /// The value in tests; one that reports its use unless the key says otherwise.
  static var testValue: Value { get }
}

extension TestDependencyKey {
  public static var previewValue: Value { testValue }

  /// Whether the test value that is made now will be used. It is `false` while a test overrides a
  /// part of the dependency: a test value that reports when it is made then does not report.
  public static var shouldReportUnimplemented: Bool { !DependencyAccess.isOverriding }
}

extension DependencyKey {
  /// The live value.
  public static var previewValue: Value { liveValue }

  /// The preview value. Its use is reported, because a test should override the dependencies it
  /// uses.
  public static var testValue: Value {
    DependencyAccess.noteMissingTestValue(of: Self.self)
    return previewValue
  }
}

/// The kind of program that asks for a dependency.
public enum DependencyContext: String, Hashable, Sendable, CaseIterable {
  /// The program runs for its users.
  case live
  /// The program shows a part of itself.
  case preview
  /// A test runs.
  case test
}

/// A key whose value belongs to the running test where no value is set.
protocol KeyOwnedByTest: DependencyKey {
  /// Stores the value of the running test in some dependencies, unless they have one.
  static func keep(in values: inout DependencyValues)

  /// Stores a new value in some dependencies, for a test that is run again.
  static func renew(in values: inout DependencyValues)
}

/// The keys whose values belong to the running test.
///
/// They are keys of folders above this one, so this one cannot list them. The folder that has such keys
/// makes this type a ``ListOfKeysOwnedByTests``.
enum KeysOwnedByTests {
  static let all =
    (KeysOwnedByTests.self as Any.Type as? any ListOfKeysOwnedByTests.Type)?.keys ?? []
}

/// A list of keys whose values belong to the running test.
protocol ListOfKeysOwnedByTests {
  static var keys: [any KeyOwnedByTest.Type] { get }
}
