// Modifiers around a node, as many as there are.

/// Modifiers around a node, the innermost first.
///
/// They are kept in pieces of equal length. One more is added in the same time however many there are,
/// also where the list without it lives on, and nothing that goes through them or lets them go nests. An
/// animation's are a chain of the same kind; a type for both would not be compiled for either.
struct ModifierList: RandomAccessCollection {
  typealias Modifier = Node.Modifier

  /// Pieces that are full.
  private var full: [[Modifier]] = []
  private var last: [Modifier] = []

  /// A list of nothing.
  init() {}

  var startIndex: Int { 0 }
  var endIndex: Int { full.count &* 64 &+ last.count }

  subscript(index: Int) -> Modifier {
    get { index < full.count &* 64 ? full[index / 64][index % 64] : last[index % 64] }
    set {
      if index < full.count &* 64 {
        full[index / 64][index % 64] = newValue
      } else {
        last[index % 64] = newValue
      }
    }
  }

  /// Puts one more around the others.
  mutating func append(_ modifier: Modifier) {
    if last.count == 64 {
      full.append(last)
      last = []
    }
    last.append(modifier)
  }
}
