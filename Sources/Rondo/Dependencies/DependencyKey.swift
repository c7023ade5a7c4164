// What a dependency is: a type of value, and the values to begin with.

/// A dependency whose live value is in another module.
///
/// A module that only uses a client declares the key with this protocol, so that features and tests
/// need not build the live client; the module that implements it adds ``DependencyKey``.
public protocol TestDependencyKey<Value>: SendableMetatype {
  /// The type of the dependency's value.
  associatedtype Value: Sendable = Self

  /// The value in previews and demonstrations. By default ``testValue``.
  static var previewValue: Value { get }

  /// The value in tests: usually one that reports its use, such as ``unimplemented(_:)``.
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

  static var previewValue: Value { get }
  static var testValue: Value { get }
}

extension TestDependencyKey {
  public static var previewValue: Value { testValue }

  /// Whether a test value that is made now is to be used. It is not where a test only asks for it to
  /// override a part of it: a test value that reports its making does not report then.
  public static var shouldReportUnimplemented: Bool { !DependencyAccess.isOverriding }
}

extension DependencyKey {
  /// The live value.
  public static var previewValue: Value { liveValue }

  /// The preview value, the use of which is reported: a test should say what it depends on.
  public static var testValue: Value {
    DependencyAccess.noteMissingTestValue(of: Self.self)
    return previewValue
  }
}

/// What kind of program asks for a dependency.
public enum DependencyContext: String, Hashable, Sendable, CaseIterable {
  /// The program runs for its users.
  case live
  /// The program shows a part of itself.
  case preview
  /// A test runs.
  case test
}
