// Overriding dependencies for a piece of code.

/// Runs a piece of code in which some dependencies have other values.
///
/// ```swift
/// let model = withDependencies {
///   $0.date = .constant(epoch)
///   $0.uuid = .incrementing
/// } operation: {
///   Model()
/// }
/// ```
///
/// The overrides are in force for the operation and for the tasks that it starts. Features that are
/// made in it keep them as long as they live. They replace the values in force outside.
///
/// - Parameters:
///   - update: Changes the dependencies.
///   - operation: The code to run.
@discardableResult
public func withDependencies<Result>(
  _ update: (inout DependencyValues) throws -> Void,
  operation: () throws -> Result
) rethrows -> Result {
  try DependencyValues.current.updated(update).whileMaking(operation)
}

/// Runs an asynchronous piece of code in which some dependencies have other values.
/// See ``withDependencies(_:operation:)``.
@discardableResult
public nonisolated(nonsending) func withDependencies<Result>(
  _ update: nonisolated(nonsending) (inout DependencyValues) async throws -> Void,
  operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  try await DependencyValues.current.updated(update).whileMaking(operation)
}

/// Runs a piece of code with the dependencies that an object was made with, and some others.
///
/// A model that makes the models of its children does so in here, so that overrides made for it
/// reach them:
///
/// ```swift
/// child = withDependencies(from: self) { ChildModel() }
/// ```
///
/// - Parameters:
///   - model: An object with at least one property that is a ``Dependency``, or one that was made
///     in another `withDependencies` and returned from it. Other objects are reported.
///   - update: Changes the dependencies.
///   - operation: The code to run.
@discardableResult
public func withDependencies<Model: AnyObject, Result>(
  from model: Model,
  _ update: (inout DependencyValues) throws -> Void,
  operation: () throws -> Result,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) rethrows -> Result {
  let inherited = DependencyValues(of: model, fileID, filePath, line, column)
  return try inherited.updated(update).whileMaking(operation)
}

/// Runs an asynchronous piece of code with the dependencies that an object was made with.
@discardableResult
public nonisolated(nonsending) func withDependencies<Model: AnyObject, Result>(
  from model: Model,
  _ update: nonisolated(nonsending) (inout DependencyValues) async throws -> Void,
  operation: nonisolated(nonsending) () async throws -> Result,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async rethrows -> Result {
  let inherited = DependencyValues(of: model, fileID, filePath, line, column)
  return try await inherited.updated(update).whileMaking(operation)
}

/// Runs a piece of code with the dependencies that an object was made with.
@discardableResult
public func withDependencies<Model: AnyObject, Result>(
  from model: Model,
  operation: () throws -> Result,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) rethrows -> Result {
  try withDependencies(
    from: model, { _ in }, operation: operation,
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Runs an asynchronous piece of code with the dependencies that an object was made with.
@discardableResult
public nonisolated(nonsending) func withDependencies<Model: AnyObject, Result>(
  from model: Model,
  operation: nonisolated(nonsending) () async throws -> Result,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async rethrows -> Result {
  try await withDependencies(
    from: model, { _ in }, operation: operation,
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Gives dependencies their values for the whole program.
///
/// To be called once, before anything else happens: at the beginning of `main`. A value that has
/// been used before is not replaced where it is in use. In a test the values are those of this test, and no
/// other test sees them.
///
/// ```swift
/// prepareDependencies {
///   $0.database = try! .open(path)
/// }
/// ```
///
/// The `context` may be set, too: it is then the context of the whole program.
///
/// - Returns: The result of the closure.
@discardableResult
public func prepareDependencies<Result>(
  _ update: (inout DependencyValues) throws -> Result
) rethrows -> Result {
  var values = DependencyValues()
  let result = try DependencyAccess.overriding { try update(&values) }
  values.becomeDefaults()
  return result
}

/// Runs a piece of code that keeps the dependencies in force here for later.
///
/// For closures that are called from elsewhere, where a task's values do not reach: callbacks,
/// queues.
///
/// ```swift
/// withEscapedDependencies { dependencies in
///   DispatchQueue.main.async {
///     dependencies.yield { model.refresh() }
///   }
/// }
/// ```
public func withEscapedDependencies<Result>(
  _ operation: (DependencyValues.Continuation) throws -> Result
) rethrows -> Result {
  try operation(DependencyValues.Continuation())
}

/// Runs an asynchronous piece of code that keeps the dependencies in force here for later.
public nonisolated(nonsending) func withEscapedDependencies<Result>(
  _ operation: nonisolated(nonsending) (DependencyValues.Continuation) async throws -> Result
) async rethrows -> Result {
  try await operation(DependencyValues.Continuation())
}

extension DependencyValues {
  /// The dependencies that were in force somewhere, to be brought into force elsewhere.
  public struct Continuation: Sendable {
    private let values = DependencyValues.current

    /// Runs a piece of code with the dependencies.
    public func yield<Result>(_ operation: () throws -> Result) rethrows -> Result {
      try values.whileInForce(operation)
    }

    /// Runs an asynchronous piece of code with the dependencies.
    public nonisolated(nonsending) func yield<Result>(
      _ operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
      try await values.whileInForce(operation)
    }
  }
}
