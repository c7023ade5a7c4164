// Random numbers of a turn that nobody can compute without the bits that are stored with it.

/// The 256 random bits of a turn, from which all its random numbers are made. They are stored in the row of the
/// turn, in 64 hexadecimal digits, so the turn has the same numbers when it is reduced again.
struct ChanceKey: Equatable, Sendable {
  let words: [UInt64]

  /// Bits of the system.
  static func random() -> Self {
    var source = SystemRandomNumberGenerator()
    return Self(words: (0..<4).map { _ in source.next() })
  }

  /// - Parameter words: Four words.
  init(words: [UInt64]) {
    self.words = words
  }

  /// The key that a text stands for; `nil` for another text than 64 hexadecimal digits.
  init?(_ text: String) {
    guard text.utf8.count == 64 else { return nil }
    var rest = Substring(text)
    var words: [UInt64] = []
    for _ in 0..<4 {
      guard !rest.hasPrefix("+"), let word = UInt64(rest.prefix(16), radix: 16) else { return nil }
      words.append(word)
      rest = rest.dropFirst(16)
    }
    self.words = words
  }

  var text: String { words.map(\.hexadecimal).joined() }
}

extension ChanceKey: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let key = ChanceKey(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "not 64 hexadecimal digits")
    }
    self = key
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// The random numbers of one action: ChaCha20, by Bernstein, with a counter and a stream of 64 bits each. Who
/// sees some of the numbers cannot compute the others.
struct Chance: RandomNumberGenerator {
  private let key: (SIMD4<UInt32>, SIMD4<UInt32>)
  private let stream: UInt64
  private var counter: UInt64 = 0
  private var block = SIMD16<UInt32>()
  /// The words of the block that were given.
  private var used = 16

  /// - Parameters:
  ///   - key: The bits of the turn.
  ///   - stream: The index of the action in its turn.
  init(_ key: ChanceKey, stream: UInt64) {
    let halves = key.words.flatMap { [UInt32(truncatingIfNeeded: $0), UInt32($0 >> 32)] }
    self.key = (SIMD4(halves[0..<4]), SIMD4(halves[4..<8]))
    self.stream = stream
  }

  mutating func next() -> UInt64 {
    if used == 16 {
      let tail = SIMD4(
        UInt32(truncatingIfNeeded: counter), UInt32(counter >> 32),
        UInt32(truncatingIfNeeded: stream), UInt32(stream >> 32))
      block = Chance.block(key, tail)
      counter &+= 1
      used = 0
    }
    defer { used += 2 }
    return UInt64(block[used]) | UInt64(block[used + 1]) << 32
  }

  /// One block of ChaCha20: sixteen words, made of the key and of the four words of counter and nonce.
  static func block(
    _ key: (SIMD4<UInt32>, SIMD4<UInt32>), _ tail: SIMD4<UInt32>
  ) -> SIMD16<UInt32> {
    // "expand 32-byte k"
    let constant = SIMD4<UInt32>(0x6170_7865, 0x3320_646E, 0x7962_2D32, 0x6B20_6574)
    var (a, b, c, d) = (constant, key.0, key.1, tail)
    for _ in 0..<10 {
      mix(&a, &b, &c, &d)
      // The columns become diagonals, and columns again.
      (b, c, d) = (turned(b, 1), turned(c, 2), turned(d, 3))
      mix(&a, &b, &c, &d)
      (b, c, d) = (turned(b, 3), turned(c, 2), turned(d, 1))
    }
    return SIMD16(
      lowHalf: SIMD8(lowHalf: a &+ constant, highHalf: b &+ key.0),
      highHalf: SIMD8(lowHalf: c &+ key.1, highHalf: d &+ tail))
  }

  private typealias Row = SIMD4<UInt32>

  private static func mix(_ a: inout Row, _ b: inout Row, _ c: inout Row, _ d: inout Row) {
    a &+= b
    d = rotated(d ^ a, 16)
    c &+= d
    b = rotated(b ^ c, 12)
    a &+= b
    d = rotated(d ^ a, 8)
    c &+= d
    b = rotated(b ^ c, 7)
  }

  private static func rotated(_ row: Row, _ count: UInt32) -> Row {
    row &<< Row(repeating: count) | row &>> Row(repeating: 32 - count)
  }

  private static func turned(_ row: Row, _ count: Int) -> Row {
    Row(row[count & 3], row[(count + 1) & 3], row[(count + 2) & 3], row[(count + 3) & 3])
  }
}
