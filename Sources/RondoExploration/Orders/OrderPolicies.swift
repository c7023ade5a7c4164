// Ways to choose by chance.

import RondoTestStore

/// Takes anything that may run, each with the same chance.
struct RandomWalk: OrderPolicy {
  private var random: SearchRandom

  init(seed: UInt64) {
    random = SearchRandom(seed: seed)
  }

  mutating func pick(_ choice: Int, among count: Int, task: (Int) -> UInt64) -> Int {
    random.next(below: count)
  }
}

/// Gives every task a priority and runs the task with the highest one; at a few choices the task
/// that has just run falls behind all others. This is probabilistic concurrency testing (PCT): a bug
/// that needs *d* steps in a certain order is found with a chance that can be stated.
struct ChangingPriorities: OrderPolicy {
  private var random: SearchRandom
  private var priorities = TaskPriorities()
  private var changes: Set<Int> = []
  private var lowest: UInt64 = 1 << 20

  init(seed: UInt64, changes count: Int, choices: Int) {
    random = SearchRandom(seed: seed)
    for _ in 0..<count { changes.insert(random.next(below: max(1, choices))) }
  }

  mutating func pick(_ choice: Int, among count: Int, task: (Int) -> UInt64) -> Int {
    if changes.contains(choice) {
      lowest -= 1
      priorities.setCurrent(lowest)
    }
    return priorities.takeHighest(among: count, task, &random, keeps: true)
  }
}

/// Gives every step a priority when it could first run, and runs the step with the highest one. This
/// is partial-order sampling (POS): it comes nearer than a random walk to taking each order that makes a
/// difference with the same chance.
struct PartialOrderSampling: OrderPolicy {
  private var random: SearchRandom
  private var priorities = TaskPriorities()

  init(seed: UInt64) {
    random = SearchRandom(seed: seed)
  }

  mutating func pick(_ choice: Int, among count: Int, task: (Int) -> UInt64) -> Int {
    priorities.takeHighest(among: count, task, &random, keeps: false)
  }
}

/// The priorities of tasks by their numbers.
private struct TaskPriorities {
  private var priorities: [UInt64: UInt64] = [:]
  /// The task that was taken last.
  private var current: UInt64 = 0

  mutating func setCurrent(_ priority: UInt64) {
    priorities[current] = priority
  }

  mutating func takeHighest(
    among count: Int, _ task: (Int) -> UInt64, _ random: inout SearchRandom, keeps: Bool
  ) -> Int {
    var best = (option: 0, priority: UInt64.min, task: UInt64(0))
    for option in 0..<count {
      var number = task(option)
      if number == .max { number = current }
      // Above all those that have fallen behind.
      let drawn = random.next() | 1 << 63
      let priority = number == 0 ? drawn : priorities[number] ?? drawn
      if number != 0 { priorities[number] = priority }
      if priority > best.priority { best = (option, priority, number) }
    }
    if !keeps { priorities[best.task] = nil }
    current = best.task
    return best.option
  }
}

/// Random numbers that are the same for the same seed (SplitMix64).
struct SearchRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var result = state
    result = (result ^ (result >> 30)) &* 0xBF58_476D_1CE4_E5B9
    result = (result ^ (result >> 27)) &* 0x94D0_49BB_1331_11EB
    return result ^ (result >> 31)
  }

  mutating func next(below limit: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(limit)).high)
  }
}
