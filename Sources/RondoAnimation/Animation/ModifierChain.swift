// Modifiers around something, as many as there are.

/// Modifiers around something, the innermost first.
///
/// They are kept in pieces of equal length. One more is added in the same time however many there are,
/// also where the chain without it lives on, and nothing that goes through them or lets them go nests.
@frozen package struct ModifierChain<Modifier>: RandomAccessCollection {
  /// Pieces that are full.
  @usableFromInline var full: [[Modifier]] = []
  @usableFromInline var last: [Modifier] = []

  /// A chain of nothing.
  @inlinable package init() {}

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { full.count &* 64 &+ last.count }

  @inlinable package subscript(index: Int) -> Modifier {
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
  @inlinable package mutating func append(_ modifier: Modifier) {
    if last.count == 64 {
      full.append(last)
      last = []
    }
    last.append(modifier)
  }
}

extension ModifierChain: Sendable where Modifier: Sendable {}
extension ModifierChain: Equatable where Modifier: Equatable {}
extension ModifierChain: Hashable where Modifier: Hashable {}
