// How the elements of stacks are numbered in a test.

import Synchronization

/// Numbers for the elements of all stacks of a store under test, each given once.
///
/// A stack counts by itself, and starts anew when another is put in its place. A test names elements
/// by their numbers, and wants them to say which one it is however often the stack was replaced.
package final class StackNumbers: Sendable {
  private let free: Mutex<Int>

  /// - Parameter next: The number to begin with.
  package init(next: Int = 0) {
    free = Mutex(next)
  }

  /// The number that the next element gets.
  package var next: Int { free.withLock { $0 } }

  /// A number that neither a stack has given, nor another one.
  func take(after stackNext: Int) -> Int {
    free.withLock { free in
      let number = max(free, stackNext)
      free = number + 1
      return number
    }
  }

  /// Takes note of a number that somebody else has chosen.
  func skip(past number: Int) {
    free.withLock { $0 = max($0, number + 1) }
  }
}

extension DependencyValues {
  /// Who numbers the elements of stacks; `nil` where each stack does so itself.
  package var stackNumbers: StackNumbers? {
    get { self[StackNumbersKey.self] }
    set { self[StackNumbersKey.self] = newValue }
  }

  /// Runs a closure that says what a feature with these values is expected to do: in it the elements
  /// of stacks are numbered from a number on, or each stack's by themselves.
  package func whileAsserting<Result>(
    numberingStacksFrom next: Int?, _ body: () throws -> Result
  ) rethrows -> Result {
    var values = self
    values.stackNumbers = next.map(StackNumbers.init)
    return try values.whileInForce(body)
  }
}

private enum StackNumbersKey: TestDependencyKey {
  static var testValue: StackNumbers? { nil }
}
