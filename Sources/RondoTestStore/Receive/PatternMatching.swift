// The matching of received actions with expected ones.

/// Pairs every action with one pattern that it fits.
///
/// An action may fit several patterns, while another action fits only one of them. So actions
/// change to other patterns where that makes room: a matching in a bipartite graph, by augmenting
/// paths.
struct PatternMatching {
  /// For each action, whether it fits each of the patterns.
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
  /// - Parameter fits: For each pattern, whether the action fits it.
  /// - Returns: Whether a pattern was found; otherwise the action is left out.
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
