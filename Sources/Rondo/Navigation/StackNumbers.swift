// The numbering of the elements of stacks in a test.

import RondoAnimation
import Synchronization

/// Numbers for the elements of all stacks of a store under test, each given once.
///
/// Outside of tests each stack counts for itself, so a stack that replaces another one starts again
/// at zero. A test names elements by their numbers, so there each number is given once only,
/// however often a stack is replaced.
package final class StackNumbers: Sendable {
  private let free: Mutex<Int>
  private let skip: Mutex<(number: Int, next: Int)?>

  package init() {
    free = Mutex(0)
    skip = Mutex(nil)
  }

  /// The first number that was chosen although it was greater than the next one, with that next
  /// one; `nil` if that has not happened since the numbering began.
  package var skipped: (number: Int, next: Int)? { skip.withLock { $0 } }

  /// The number that the next element gets.
  package var next: Int { free.withLock { $0 } }

  /// Takes a number that was not given before: not by these numbers, and not by the stack.
  func take(after stackNext: Int) -> Int {
    free.withLock { free in
      let number = max(free, stackNext)
      free = number &+ 1
      return number
    }
  }

  /// Records a number that was chosen by other code, so that it is not given again.
  func skip(past number: Int) {
    let next = free.withLock { free in
      defer { free = max(free, number &+ 1) }
      return free
    }
    if number > next { skip.withLock { $0 = $0 ?? (number, next) } }
  }

  /// Runs a closure. Elements that are added on its thread get the numbers from `next` on, also
  /// where other numbers are in force.
  package func whileNumbering<Result>(
    from next: Int, _ body: () throws -> Result
  ) rethrows -> Result {
    free.withLock { $0 = next }
    skip.withLock { $0 = nil }
    return try Self.ofThread.with(self, body)
  }

  private static var ofThread: ThreadLocalObject<StackNumbers> {
    ThreadLocalObject(\.stackNumbers)
  }

  /// The numbers for elements that are added by the current code; `nil` where each stack counts for
  /// itself.
  static var current: StackNumbers? {
    ofThread.current ?? DependencyValues.current.stackNumbers
  }
}

extension DependencyValues {
  /// The numbers for elements of stacks that a feature adds.
  package var stackNumbers: StackNumbers? {
    get { self[StackNumbersKey.self] }
    set { self[StackNumbersKey.self] = newValue }
  }
}

private enum StackNumbersKey: DependencyKey {
  static var liveValue: StackNumbers? { nil }
  static var testValue: StackNumbers? { nil }
}
