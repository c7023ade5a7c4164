// The date, identifiers and chance of reducers: the same when their actions are reduced again.

import Foundation
import Rondo
import Synchronization

/// The date, identifiers and chance of the reducers of one store. On the thread of a reducer, while it
/// runs, they depend on the turn alone, and on the random bits that are stored with it; code of effects gets
/// those of the system, also where it runs meanwhile.
final class TurnSource: Sendable {
  private let seed: UInt64
  private let now: @Sendable () -> Date
  private let newKey: @Sendable (_ turn: Int64) -> ChanceKey
  private let turn = Mutex(Turn())

  private struct Turn {
    var at = Date(timeIntervalSinceReferenceDate: 0)
    var number: Int64 = 0
    var key: ChanceKey?
    var chance: Chance?
    var index = 0
  }

  /// The source of the reducer that the current thread runs, as its address.
  private static var reducing: ThreadLocal<UInt> { ThreadLocal(\.turnSource) }

  private var address: UInt { UInt(bitPattern: ObjectIdentifier(self)) }
  private var isReducing: Bool { Self.reducing.current == address }

  /// - Parameters:
  ///   - newKey: Makes the key of a turn that asks for chance.
  ///   - now: The time outside of reducers.
  init(
    _ store: StoreKey, newKey: @escaping @Sendable (_ turn: Int64) -> ChanceKey,
    now: @escaping @Sendable () -> Date
  ) {
    seed = (try? StateDigest.of("\(store)")) ?? 0
    self.newKey = newKey
    self.now = now
  }

  /// Begins a turn, which gets a key when a reducer first asks for chance.
  func begin(at date: Date, number: Int64) {
    turn.withLock { $0 = Turn(at: date, number: number) }
  }

  /// Begins a turn that was written, with its key. One that had not asked for chance, and does now, has the same
  /// chance whenever it is read.
  func beginAgain(at date: Date, number: Int64, _ key: ChanceKey?) {
    let key = key ?? ChanceKey(words: [seed, UInt64(truncatingIfNeeded: number), 0, 0])
    turn.withLock { $0 = Turn(at: date, number: number, key: key) }
  }

  /// The key of the turn, if a reducer has asked for chance.
  var key: ChanceKey? { turn.withLock(\.key) }

  /// To be called before an action of the turn is reduced.
  func willReduce(_ index: Int) {
    Self.reducing.current = address
    turn.withLock {
      $0.index = index
      $0.chance = nil
    }
  }

  /// To be called on the same thread, when it was reduced.
  func didReduce() {
    Self.reducing.current = 0
  }

  private var date: Date {
    isReducing ? turn.withLock { $0.at } : now()
  }

  /// The next random number of the action, or of the system outside of reducers.
  fileprivate func next() -> UInt64 {
    guard isReducing else { return .random(in: 0...(.max)) }
    return turn.withLock { turn in
      let key = turn.key ?? newKey(turn.number)
      turn.key = key
      var chance = turn.chance ?? Chance(key, stream: UInt64(turn.index))
      defer { turn.chance = chance }
      return chance.next()
    }
  }

  /// Gives the dependencies of reducers these sources.
  func install(in values: inout DependencyValues) {
    values.date = DateGenerator { self.date }
    values.uuid = UUIDGenerator {
      let (high, low) = (self.next(), self.next())
      var bytes = withUnsafeBytes(of: (high.bigEndian, low.bigEndian), Array.init)
      // A random identifier, version 4, of RFC 9562.
      bytes[6] = bytes[6] & 0x0F | 0x40
      bytes[8] = bytes[8] & 0x3F | 0x80
      return UUID(
        uuid: (
          bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
          bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
        ))
    }
    values.withRandomNumberGenerator = WithRandomNumberGenerator(TurnRandomness(source: self))
  }
}

private struct TurnRandomness: RandomNumberGenerator, Sendable {
  let source: TurnSource

  mutating func next() -> UInt64 { source.next() }
}
