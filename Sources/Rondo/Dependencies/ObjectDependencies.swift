// The dependencies of objects that have no property to keep them in.

import Synchronization

/// The dependencies of objects that `withDependencies` has returned.
enum ObjectDependencies {
  private struct Record {
    weak var object: AnyObject?
    let values: DependencyValues
  }

  private struct Records {
    var byObject: [ObjectIdentifier: Record] = [:]
    /// The number of records at which those of released objects are removed.
    var limit = 64
  }

  private static let records = LockIsolated(Records())

  /// Notes the dependencies of an object. O(1) on average.
  static func note(_ object: AnyObject, _ values: DependencyValues) {
    // Released after the access: the end of a dependency, or of an object that was looked at, may ask for
    // dependencies.
    let released = records.withLock { records in
      let record = Record(object: object, values: values)
      let old = records.byObject.updateValue(record, forKey: ObjectIdentifier(object))
      var all: [ObjectIdentifier: Record] = [:]
      var objects: [AnyObject] = []
      if records.byObject.count > records.limit {
        all = records.byObject
        records.byObject = all.filter { _, record in
          guard let object = record.object else { return false }
          objects.append(object)
          return true
        }
        records.limit = max(64, 2 * records.byObject.count)
      }
      return (old, all, objects)
    }
    withExtendedLifetime(released) {}
  }

  /// The dependencies of an object; `nil` where `withDependencies` has not returned it.
  static func values(of object: AnyObject) -> DependencyValues? {
    records.withLock { records in
      guard let record = records.byObject[ObjectIdentifier(object)], record.object === object
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
