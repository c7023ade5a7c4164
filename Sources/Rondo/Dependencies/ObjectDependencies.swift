// The dependencies of objects that have no property to keep them in.

import Synchronization

/// The dependencies of objects that `withDependencies` has returned.
enum ObjectDependencies {
  private struct Record: WeakEntry {
    weak var object: AnyObject?
    let values: DependencyValues
  }

  private static let records = LockIsolated(WeakEntries<ObjectIdentifier, Record>())

  /// Notes the dependencies of an object. O(1) on average.
  static func note(_ object: AnyObject, _ values: DependencyValues) {
    // The end of a dependency may ask for dependencies.
    let released = records.withLock {
      $0.update(Record(object: object, values: values), for: ObjectIdentifier(object))
    }
    withExtendedLifetime(released) {}
  }

  /// The dependencies of an object; `nil` where `withDependencies` has not returned it.
  static func values(of object: AnyObject) -> DependencyValues? {
    records.withLock { records in
      guard let record = records[ObjectIdentifier(object)], record.object === object
      else { return nil }
      return record.values
    }
  }
}

extension DependencyValues {
  /// Runs an operation in which these values are in force; an object that it returns keeps them.
  func whileMaking<Result>(_ operation: () throws -> Result) rethrows -> Result {
    let result = try whileInForce(operation)
    noteResult(result)
    return result
  }

  /// Runs an asynchronous operation in which these values are in force.
  nonisolated(nonsending) func whileMaking<Result>(
    _ operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    let result = try await whileInForce(operation)
    noteResult(result)
    return result
  }

  private func noteResult<Result>(_ result: Result) {
    guard Result.self is AnyObject.Type else { return }
    ObjectDependencies.note(result as AnyObject, self)
  }
}
