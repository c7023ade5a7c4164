// H21: a closure that observes also shows the changes that another thread makes while it runs.

import Dispatch
import Foundation
import Rondo
import RondoCompatibility
import RondoSeededRandomness
import Synchronization
import Testing

@MainActor @Suite struct ObserveRaceTests {
  // H21
  @Test(arguments: Reading.allCases)
  func aChangeBehindTheReadIsShown(reading: Reading) async {
    let world = World()
    var shown: [String] = []
    let token = observe {
      let text = world.read(reading)
      if shown.isEmpty { onAnotherThread { world.change(reading, to: 7) } }
      shown.append(text)
    }
    await quiet()
    #expect(shown.last == world.read(reading))
    #expect(shown.count == 2)
    token.cancel()
  }

  // H21
  @Test func whateverOtherThreadsDoWhileItIsDrawnTheLastPictureIsTrue() async {
    await forEachSeed(Soak.isOn ? 300 : 100) { random in
      let world = World()
      let views = (0..<random.int(in: 1..<4)).map { _ in Drawing(world, &random) }
      for _ in 0..<random.int(in: 0..<4) {
        let change = Change(&random)
        switch random.int(in: 0..<3) {
        case 0: world.make(change)
        case 1: onAnotherThread { world.make(change) }
        default: await quiet()
        }
      }
      // A view that draws may start threads that change something again.
      var runs: Int
      repeat {
        runs = views.map(\.runs).reduce(0, +)
        await world.racers.wait()
        await quiet()
      } while views.map(\.runs).reduce(0, +) != runs
      for view in views {
        #expect(view.shown == view.text, "\(view.readings)")
        // A change tells of a value and of its saving, each at most twice.
        #expect(view.runs <= 1 + 6 * world.changes.load(ordering: .relaxed))
      }
    }
  }

  // H21
  @Test func aClosureIsNotWokenByItsOwnChanges() async {
    let shared = Shared(value: 0)
    let other = Shared(value: 0)
    var runs = 0
    let token = observe {
      runs += 1
      shared.withLock { $0 += shared.wrappedValue + 1 }
      let copy = other
      copy.projectedValue = Shared(value: runs)
    }
    await quiet()
    #expect(runs == 1)
    token.cancel()
  }

  // H21
  @Test func aChangeBetweenTwoOfItsOwnIsShown() async {
    let shared = Shared(value: 0)
    var shown: [Int] = []
    let token = observe {
      let value = shared.wrappedValue
      shown.append(value)
      guard value == 0 else { return }
      shared.withLock { $0 = 1 }
      onAnotherThread { shared.withLock { $0 = 5 } }
      shared.withLock { $0 += 1 }
    }
    await quiet()
    #expect(shown == [0, 6])
    token.cancel()
  }

  // H21
  @Test func aClosureIsNotWokenByWhatItReadTheTimeBefore() async {
    let first = Shared(value: 0)
    let second = Shared(value: 0)
    var runs = 0
    let token = observe {
      runs += 1
      guard runs == 1 else { return _ = second.wrappedValue }
      _ = first.wrappedValue
      onAnotherThread { first.withLock { $0 = 1 } }
    }
    await quiet()
    #expect(runs == 2)
    first.withLock { $0 = 2 }
    await quiet()
    #expect(runs == 2)
    second.withLock { $0 = 1 }
    await quiet()
    #expect(runs == 3)
    token.cancel()
  }

  // H21
  @Test func perceptionTrackingTellsOnceOfAChangeWhileItReads() {
    let shared = Shared(value: 0)
    let wakes = Mutex(0)
    withPerceptionTracking {
      _ = shared.wrappedValue
      onAnotherThread { shared.withLock { $0 = 1 } }
    } onChange: {
      wakes.withLock { $0 += 1 }
    }
    #expect(wakes.withLock { $0 } == 1)
    shared.withLock { $0 = 2 }
    #expect(wakes.withLock { $0 } == 1)
  }

  // H21
  @Test func whatAnInnerTrackingReadsIsReadByTheOuterOne() async {
    let shared = Shared(value: 0)
    var shown: [Int] = []
    let token = observe {
      shown.append(
        withPerceptionTracking {
          shared.wrappedValue
        } onChange: {
        })
      if shown.count == 1 { onAnotherThread { shared.withLock { $0 = 1 } } }
    }
    await quiet()
    #expect(shown == [0, 1])
    token.cancel()
  }
}

/// Runs a body on another thread, and waits for its end.
private func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  let hasEnded = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    body()
    hasEnded.signal()
  }
  hasEnded.wait()
}

/// Lets the closures run that were woken, and those that their runs have woken.
@MainActor private func quiet() async {
  for _ in 0..<8 { await nextTurn() }
}

/// A way to read a value that other threads may change.
enum Reading: CaseIterable, Sendable {
  case value, reader, part, readOnlyPart, mapped, unwrapped, wrapped, projection, element
  case keyed, keyedReader, loading, loadError, saveError, reflected
}

private struct Point: Equatable, Sendable {
  var x = 0
  var label: String { "x is \(x)" }
}

/// A key that changes its status when it is told to.
private final class StatusKey: SharedKey {
  struct Refusal: Error {}

  let id = UUID()
  let subscriber = Mutex<SharedSubscriber<Int>?>(nil)
  let isRefusing = Atomic(false)

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    self.subscriber.withLock { $0 = subscriber }
    return SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    let isRefusing = isRefusing.load(ordering: .relaxed)
    continuation.resume(with: isRefusing ? .failure(Refusal()) : .success(()))
  }
}

/// A change that any thread may make.
private struct Change: Sendable {
  let reading: Reading
  let number: Int

  init(_ random: inout Randomness) {
    reading = Reading.allCases.randomElement(using: &random)!
    number = random.int(in: 0..<1000)
  }
}

/// Shared values of all kinds, which any thread may read and change.
private final class World: Sendable {
  private let number = Shared(value: 0)
  private let point = Shared(value: Point())
  private let list = Shared(value: [Point(), Point()])
  private let optional: Shared<Int?> = Shared(value: 0)
  private let shown = Shared(value: Point())
  private let kept: Shared<Int>
  private let key = StatusKey()
  private let status: Shared<Int>
  let changes = Atomic(0)
  let racers = Racers()

  init() {
    (kept, status) = withDependencies {
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: { [key] in
      (Shared(wrappedValue: 0, .inMemory("kept")), Shared(wrappedValue: 0, key))
    }
  }

  func read(_ reading: Reading) -> String {
    switch reading {
    case .value: "\(number.wrappedValue)"
    case .reader: "\(SharedReader(number).wrappedValue)"
    case .part: "\(point.x.wrappedValue)"
    case .readOnlyPart: point.label.wrappedValue
    case .mapped: "\(number.read { $0 * 2 }.wrappedValue)"
    case .unwrapped: "\(Shared(optional)?.wrappedValue ?? -1)"
    case .wrapped: "\(Shared<Int?>(number).wrappedValue ?? -1)"
    case .projection: "\(shown.projectedValue.x.wrappedValue)"
    case .element: "\([Shared<Point>](list).map { $0.x.wrappedValue })"
    case .keyed: "\(kept.wrappedValue)"
    case .keyedReader: "\(SharedReader(kept).wrappedValue)"
    case .loading: "\(status.isLoading)"
    case .loadError: "\(status.loadError == nil)"
    case .saveError: "\(status.saveError == nil)"
    case .reflected: "\(number == Shared(value: 7))"
    }
  }

  /// Changes what a reading reads.
  func change(_ reading: Reading, to new: Int) {
    changes.add(1, ordering: .relaxed)
    switch reading {
    case .value, .reader, .mapped, .wrapped, .reflected: number.withLock { $0 = new }
    case .part: point.x.withLock { $0 = new }
    case .readOnlyPart: point.withLock { $0 = Point(x: new) }
    case .unwrapped: optional.withLock { $0 = new.isMultiple(of: 3) ? nil : new }
    case .projection: shown.projectedValue = Shared(value: Point(x: new))
    case .element: list.withLock { $0[0].x = new }
    case .keyed, .keyedReader: kept.withLock { $0 = new }
    case .loading:
      key.subscriber.withLock { $0 }?.yieldLoading(!new.isMultiple(of: 2))
    case .loadError:
      key.subscriber.withLock { $0 }?.yield(throwing: StatusKey.Refusal())
    case .saveError:
      key.isRefusing.store(!new.isMultiple(of: 2), ordering: .relaxed)
      status.withLock { $0 = new }
    }
  }

  func make(_ change: Change) {
    self.change(change.reading, to: change.number)
  }
}

/// Threads that change values while nobody waits for them.
private final class Racers: Sendable {
  private let group = DispatchGroup()

  func start(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(group: group, execute: DispatchWorkItem(block: body))
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      group.notify(queue: .global()) { continuation.resume() }
    }
  }
}

/// A view of some values, which takes its time: other threads change values while it draws.
@MainActor private final class Drawing {
  /// A change on another thread, made before the view reads one of the values, or at the end.
  private struct Disturbance {
    let change: Change
    /// Whether the view goes on only when the change has been made.
    let waits: Bool
  }

  let world: World
  let readings: [Reading]
  private(set) var shown = ""
  private(set) var runs = 0
  private var disturbances: [[Disturbance]]
  private var token: ObserveToken?

  init(_ world: World, _ random: inout Randomness) {
    self.world = world
    readings = (0..<random.int(in: 1..<4)).map { _ in
      Reading.allCases.randomElement(using: &random)!
    }
    disturbances = []
    for _ in 0..<(3 * (readings.count + 1)) {
      disturbances.append(
        (0..<max(0, random.int(in: -1..<3))).map { _ in
          Disturbance(change: Change(&random), waits: random.bool())
        })
    }
    token = observe { [weak self] in self?.draw() }
  }

  /// The text of the present values, which the view has to show in the end.
  var text: String { readings.map(world.read).joined(separator: ", ") }

  private func draw() {
    runs += 1
    shown = readings.map { reading in
      disturb()
      return world.read(reading)
    }.joined(separator: ", ")
    disturb()
  }

  private func disturb() {
    for disturbance in disturbances.popLast() ?? [] {
      let body: @Sendable () -> Void = { [world] in world.make(disturbance.change) }
      if disturbance.waits { onAnotherThread(body) } else { world.racers.start(body) }
    }
  }
}
