// Dependencies that are made when they are first asked for.

import RondoScheduling
import Synchronization

/// Ways to make dependencies of an object, the same for all objects of its kind.
///
/// A test store gives its feature a dozen dependencies, and few features read more than one of them.
package struct DependencyRecipes<Owner: AnyObject & Sendable>: Sendable {
  fileprivate typealias Make = DependencySource.Make

  /// The dependencies that are the same for all objects.
  fileprivate let constants: [ObjectIdentifier: DependencyEntry]
  fileprivate var recipes: [ObjectIdentifier: Make] = [:]

  /// - Parameters:
  ///   - example: Any object, by which it is found out which dependencies there are.
  ///   - constants: Sets dependencies that are the same for all objects.
  ///   - recipes: Functions, each of which sets one dependency.
  package init(
    example: Owner, constants: (inout DependencyValues) -> Void,
    _ recipes: @Sendable (inout DependencyValues, Owner) -> Void...
  ) {
    var values = DependencyValues()
    constants(&values)
    self.constants = values.overrides
    for recipe in recipes {
      var values = DependencyValues()
      recipe(&values, example)
      for key in values.overrides.keys {
        self.recipes[key] = { owner in
          var values = DependencyValues()
          recipe(&values, unsafeDowncast(owner, to: Owner.self))
          return values.overrides[key]!
        }
      }
    }
  }
}

/// The dependencies that are made of one object.
package final class DependencySource: Sendable {
  fileprivate typealias Make = @Sendable (_ owner: any AnyObject & Sendable) -> DependencyEntry

  private let constants: [ObjectIdentifier: DependencyEntry]
  private let recipes: [ObjectIdentifier: Make]
  private let owner: any AnyObject & Sendable
  /// See ``DependencyValues/issueReporter``, which is asked for whenever a default value is made.
  let issueReporter: (any IssueReporter)?
  /// The dependencies that have been made so far.
  private let made = Mutex<[ObjectIdentifier: DependencyEntry]>([:])

  package init<Owner>(
    _ recipes: DependencyRecipes<Owner>, of owner: Owner, issueReporter: (any IssueReporter)?
  ) {
    self.issueReporter = issueReporter
    constants = recipes.constants
    self.recipes = recipes.recipes
    self.owner = owner
  }

  /// Whether it has the value of a key.
  func has(_ key: ObjectIdentifier) -> Bool {
    constants[key] != nil || recipes[key] != nil
  }

  /// The value of a key; `nil` where it has none.
  func entry(_ key: ObjectIdentifier) -> DependencyEntry? {
    if let constant = constants[key] { return constant }
    guard let make = recipes[key] else { return nil }
    return made.withLock { made in
      if let known = made[key] { return known }
      let new = make(owner)
      made[key] = new
      return new
    }
  }
}
