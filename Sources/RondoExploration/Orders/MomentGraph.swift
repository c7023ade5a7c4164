// The moments that orders lead to, so that none is explored twice.

import RondoTestStore

/// The moments of all runs so far at which there was something to choose, and what each option leads to.
///
/// Where two orders lead to the same moment, for example because their steps commute, what follows
/// is the same. So each option of a moment is run once. A run does not stop at a moment that is known:
/// it goes on, and whether it comes to what the same options have led to before is checked at every
/// step. If it does not, moments that look equal are not, and cannot be used.
struct MomentGraph {
  /// The options of every moment, as a range of `options`.
  private var moments: [UInt64: Range<Int>] = [:]
  private var options: [UInt64] = []
  /// The moment that an option leads to.
  private var successors: [UInt64: UInt64] = [:]
  private var first: UInt64?

  /// Whether there are as many moments as can be kept.
  var isFull: Bool { options.count > 1 << 18 }

  /// Whether an option of a moment has been run.
  func isRun(_ option: UInt64) -> Bool { successors[option] != nil }

  /// Adds the moments of a run.
  ///
  /// - Parameters:
  ///   - trace: The moments.
  ///   - choices: The choices of the run.
  ///   - knownCount: The number of choices that another run has made before in the same way.
  /// - Returns: The new moments; `nil` where the run contradicts another one.
  mutating func add(
    _ trace: OrderTrace, _ choices: [OrderChoice], knownCount: Int
  ) -> [OrderTrace.Moment]? {
    var new: [OrderTrace.Moment] = []
    // Every choice has to have its moment, or what follows is not known.
    guard trace.moments.count == choices.count else { return nil }
    if first == nil { first = trace.moments.first?.number }
    guard first == trace.moments.first?.number else { return nil }
    for (index, moment) in trace.moments.enumerated() {
      let found = trace.options[moment.firstOption..<moment.firstOption + moment.count]
      if let known = moments[moment.number] {
        guard known.count == moment.count,
          options[known].elementsEqual(found)
            || options[known].sorted() == found.sorted()
        else { return nil }
      } else {
        guard moment.choice >= knownCount else { return nil }
        moments[moment.number] = options.count..<options.count + moment.count
        options.append(contentsOf: found)
        new.append(moment)
      }
      let taken = trace.options[moment.firstOption + choices[moment.choice].taken]
      let next = index + 1 < trace.moments.count ? trace.moments[index + 1].number : trace.end
      guard successors.updateValue(next, forKey: taken) ?? next == next else { return nil }
    }
    return new
  }

  /// The number of orders that the moments stand for, once every option of each has been run.
  var orderCount: Double {
    guard let first else { return 1 }
    var counts: [UInt64: Double] = [:]
    var stack = [first]
    while let moment = stack.last {
      guard counts[moment] == nil, let range = moments[moment] else {
        stack.removeLast()
        continue
      }
      let next = options[range].compactMap { successors[$0] }
      let open = next.filter { moments[$0] != nil && counts[$0] == nil }
      guard open.isEmpty else {
        stack.append(contentsOf: open)
        continue
      }
      counts[moment] = next.reduce(0) { $0 + (counts[$1] ?? 1) }
      stack.removeLast()
    }
    return counts[first] ?? 1
  }
}
