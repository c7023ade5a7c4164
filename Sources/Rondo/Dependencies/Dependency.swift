// The property wrapper by which features name their dependencies.

/// A dependency of a feature, by its property of ``DependencyValues`` or by its key.
///
/// ```swift
/// struct Feature: Reducer {
///   @Dependency(\.continuousClock) var clock
///   @Dependency(Pasteboard.self) var pasteboard
/// }
/// ```
///
/// The value is looked up when it is read: first in the dependencies in force there, then in those
/// that were in force where the property was made. Read it in a reducer or in the body of an
/// effect, where the dependencies of the feature are in force.
@propertyWrapper
public struct Dependency<Value>: Sendable {
  private let values = DependencyValues.current
  private let read: @Sendable (DependencyValues) -> Value

  /// A dependency that has a property.
  public init(
    _ keyPath: KeyPath<DependencyValues, Value> & Sendable,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    read = DependencyAccess.noting(SourcePosition(fileID, filePath, line, column)) {
      $0[keyPath: keyPath]
    }
  }

  /// A dependency that has only a key.
  public init<Key: TestDependencyKey>(
    _ key: Key.Type,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where Key.Value == Value {
    read = DependencyAccess.noting(SourcePosition(fileID, filePath, line, column)) { $0[Key.self] }
  }

  /// A dependency that has a property, as another type.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - type: A type that the dependency's value has: a protocol that it conforms to, or a
  ///     superclass. The program stops where the value does not have this type.
  public init<Base>(
    _ keyPath: KeyPath<DependencyValues, Base> & Sendable,
    as type: Value.Type,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    read = DependencyAccess.noting(SourcePosition(fileID, filePath, line, column)) {
      $0[keyPath: keyPath] as! Value
    }
  }

  /// A dependency that has only a key, as another type.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - type: A type that the dependency's value has: a protocol that it conforms to, or a
  ///     superclass. The program stops where the value does not have this type.
  public init<Key: TestDependencyKey>(
    _ key: Key.Type,
    as type: Value.Type,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    read = DependencyAccess.noting(SourcePosition(fileID, filePath, line, column)) {
      $0[Key.self] as! Value
    }
  }

  /// The dependency's value here and now.
  public var wrappedValue: Value {
    read(valuesInForce)
  }

  var valuesInForce: DependencyValues {
    values.overridden(by: .current)
  }
}

/// A value that has dependencies of its own, for `withDependencies(from:)`.
private protocol DependencyHolder {
  var valuesInForce: DependencyValues { get }
}

extension Dependency: DependencyHolder {}

extension DependencyValues {
  /// The dependencies that an object was made with. An object that has no ``Dependency`` property,
  /// and was not returned from `withDependencies` either, is reported.
  init(
    of object: AnyObject,
    _ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt
  ) {
    var type: Mirror? = Mirror(reflecting: object)
    while let mirror = type {
      for child in mirror.children {
        guard let holder = child.value as? any DependencyHolder else { continue }
        self = holder.valuesInForce
        return
      }
      type = mirror.superclassMirror
    }
    if let values = ObjectDependencies.values(of: object) {
      self = values.overridden(by: .current)
      return
    }
    reportIssue(
      """
      withDependencies(from:) was given a \(Swift.type(of: object)), which has no property that is \
      a '@Dependency' and was not returned from a 'withDependencies', so that there is nothing to \
      take over. Those in force are used.
      """,
      fileID: fileID, filePath: filePath, line: line, column: column)
    self = .current
  }
}
