// A benchmark of routing: messages through workers that are chosen by chance, as behind a load balancer.

import Foundation
import Synchronization

/// Sends messages for some time, each to a store and through a worker that chance chooses, and prints how many a
/// second were answered and how long that took.
struct Routing {
  private let sockets: [String]
  private let stores: Int
  private let clients: Int
  private let seconds: Double
  private let seed: UInt64

  init(_ arguments: Arguments) throws(UsageError) {
    guard let sockets = arguments.text("sockets")?.split(separator: ","), !sockets.isEmpty else {
      throw UsageError("The benchmark of routing needs '--sockets A,B'.")
    }
    self.sockets = sockets.map(String.init)
    stores = Int(try arguments.number("stores", or: 300))
    clients = Int(try arguments.number("players", or: 32))
    seconds = try arguments.number("seconds", or: 8)
    seed = UInt64(try arguments.number("seed", or: 1))
  }

  /// Runs it, and prints a line.
  func run() {
    let times = AnswerTimes()
    let group = DispatchGroup()
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    for number in 0..<clients {
      group.enter()
      let (sockets, stores, seed) = (sockets, stores, seed)
      Thread.detachNewThread {
        var client = Client(sockets, seed: seed &* 97 &+ UInt64(number))
        var random = SystemLikeRandomness(state: seed &* 1_000_003 &+ UInt64(number))
        var own: [Duration] = []
        while clock.now < end {
          let store = Int.random(in: 0..<stores, using: &random)
          let began = clock.now
          let answer = client.ask(
            "r\(seed)-\(number)-\(own.count) join s\(seed)-\(store) c\(number)")
          if answer != nil { own.append(clock.now - began) }
        }
        times.add(own)
        group.leave()
      }
    }
    group.wait()
    let sorted = times.all.sorted()
    guard !sorted.isEmpty else { return print("no answers") }
    func milliseconds(_ part: Double) -> String {
      let time = sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
      return String(
        format: "%.1f",
        Double(time.components.seconds) * 1000 + Double(time.components.attoseconds) * 1e-15)
    }
    print(
      "workers \(sockets.count)   messages/s \(Int(Double(sorted.count) / seconds))   "
        + "p50 \(milliseconds(0.5)) ms   p99 \(milliseconds(0.99)) ms   "
        + "longest \(milliseconds(1)) ms")
  }
}

/// The times that several threads have measured.
private final class AnswerTimes: Sendable {
  private let times = Mutex<[Duration]>([])
  var all: [Duration] { times.withLock { $0 } }
  func add(_ own: [Duration]) { times.withLock { $0 += own } }
}
