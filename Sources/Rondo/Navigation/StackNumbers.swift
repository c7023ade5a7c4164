// How the elements of stacks are numbered in a test.

import RondoAnimation
import Synchronization

/// Numbers for the elements of all stacks of a store under test, each given once.
///
/// A stack counts by itself, and starts anew when another is put in its place. A test names elements
/// by their numbers, and wants them to say which one it is however often the stack was replaced.
package final class StackNumbers: Sendable {
  private let free: Mutex<Int>
  private let skip: Mutex<(number: Int, next: Int)?>

  package init() {
    free = Mutex(0)
    skip = Mutex(nil)
  }

  /// A number that was chosen though it was not the next, and the one that was, if that has happened
  /// since the numbering began.
  package var skipped: (number: Int, next: Int)? { skip.withLock { $0 } }

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
    let next = free.withLock { free in
      defer { free = max(free, number + 1) }
      return free
    }
    if number > next { skip.withLock { $0 = $0 ?? (number, next) } }
  }

  /// Runs a body on whose thread elements get the numbers from one on, whatever else is in force.
  package func whileNumbering<Result>(
    from next: Int, _ body: () throws -> Result
  ) rethrows -> Result {
    free.withLock { $0 = next }
    skip.withLock { $0 = nil }
    let outer = Self.slot.pointer
    Self.slot.pointer = Unmanaged.passUnretained(self).toOpaque()
    defer { Self.slot.pointer = outer }
    return try withExtendedLifetime(self, body)
  }

  private static let slot = ThreadSlot()

  /// Who numbers the elements that are added here; `nil` where each stack does so itself.
  static var current: StackNumbers? {
    guard let pointer = slot.pointer else { return DependencyValues.current.stackNumbers }
    return Unmanaged<StackNumbers>.fromOpaque(pointer).takeUnretainedValue()
  }
}

extension DependencyValues {
  /// Who numbers the elements of stacks that a feature adds.
  package var stackNumbers: StackNumbers? {
    get { self[StackNumbersKey.self] }
    set { self[StackNumbersKey.self] = newValue }
  }
}

private enum StackNumbersKey: DependencyKey {
  static var liveValue: StackNumbers? { nil }
  static var testValue: StackNumbers? { nil }
}
