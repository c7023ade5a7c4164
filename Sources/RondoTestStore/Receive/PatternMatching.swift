// Which of several expected actions each of those is that have come.

/// Pairs actions with patterns that they fit, one each.
///
/// An action may fit several patterns, of which others fit only one. So those that have been given away
/// are exchanged where that makes room: a matching in a bipartite graph, by augmenting paths.
struct PatternMatching {
  /// For each action, which patterns it fits.
  private var fits: [[Bool]] = []
  /// For each pattern, the action that has it.
  private var owners: [Int?]

  init(patternCount: Int) {
    owners = Array(repeating: nil, count: patternCount)
  }

  /// The patterns that no action has.
  var missing: [Int] { owners.indices.filter { owners[$0] == nil } }

  func pattern(of action: Int) -> Int? { owners.firstIndex(of: action) }

  /// Finds a pattern for one more action.
  ///
  /// - Parameter fits: Which patterns it fits.
  /// - Returns: Whether there is one; otherwise the action is left out.
  mutating func add(_ fits: [Bool]) -> Bool {
    self.fits.append(fits)
    var tried: Set<Int> = []
    if give(to: self.fits.count - 1, &tried) { return true }
    self.fits.removeLast()
    return false
  }

  private mutating func give(to action: Int, _ tried: inout Set<Int>) -> Bool {
    for pattern in owners.indices where fits[action][pattern] {
      guard tried.insert(pattern).inserted else { continue }
      if let owner = owners[pattern], !give(to: owner, &tried) { continue }
      owners[pattern] = action
      return true
    }
    return false
  }
}
