// The queue under virtual time, held against a sorted list.

import RondoSeededRandomness
import Testing

@testable import RondoScheduling

@Suite struct DueQueueTests {
  // R22
  @Test(arguments: Randomness.seeds(10)) func itIsASortedList(seed: UInt64) {
    var generator = Randomness(seed: seed)
    var queue = DueQueue<Int>()
    var model: [(due: Duration, id: Int)] = []
    var tickets: [Int: DueQueue<Int>.Ticket] = [:]
    for id in 0..<400 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<5:
        let due = Duration.seconds(Int.random(in: 0..<20, using: &generator))
        tickets[id] = queue.insert(id, due: due)
        model.append((due, id))
      case 5..<8:
        let victim = Int.random(in: 0...id, using: &generator)
        let removed = tickets[victim].flatMap { queue.remove($0) }
        #expect(removed == model.first { $0.id == victim }?.id, "seed \(seed)")
        model.removeAll { $0.id == victim }
      default:
        let limit = Duration.seconds(Int.random(in: 0..<20, using: &generator))
        let popped = queue.popFirst(dueBy: limit) { _ in false }
        let first = model.filter { $0.due <= limit }.min { ($0.due, $0.id) < ($1.due, $1.id) }
        #expect(popped?.payload == first?.id, "seed \(seed)")
        model.removeAll { $0.id == first?.id }
      }
      #expect(queue.brokenInvariants == [], "seed \(seed)")
      #expect(queue.count == model.count, "seed \(seed)")
      #expect(queue.firstDue == model.map(\.due).min(), "seed \(seed)")
    }
  }

  // R22
  @Test func anElementThatIsKeptGoesBackToItsPlaceInLine() {
    var queue = DueQueue<String>()
    queue.insert("timer", due: .seconds(1))
    let first = queue.popFirst(dueBy: .seconds(1)) { _ in true }!
    queue.insert("later", due: .seconds(2))
    let isBack = queue.reschedule(first.ticket, due: .seconds(2))
    #expect(isBack)
    #expect(queue.brokenInvariants == [])
    #expect(queue.sorted.map(\.payload) == ["timer", "later"])
  }

  // R22
  @Test func anElementAtRestCanBeRemoved() {
    var queue = DueQueue<String>()
    queue.insert("timer", due: .seconds(1))
    let first = queue.popFirst(dueBy: .seconds(1)) { _ in true }!
    let removed = queue.remove(first.ticket)
    #expect(removed == "timer")
    let isBack = queue.reschedule(first.ticket, due: .seconds(2))
    #expect(!isBack)
    #expect(queue.brokenInvariants == [])
    #expect(queue.count == 0)
  }

  // R22
  @Test func whatIsRemovedDoesNotLinger() {
    var queue = DueQueue<Int>()
    let far = queue.insert(0, due: .seconds(1_000_000))
    for id in 1...10_000 {
      _ = queue.remove(queue.insert(id, due: .seconds(id)))
    }
    #expect(queue.storageCount < 100)
    let removed = queue.remove(far)
    #expect(removed == 0)
  }

  // R22
  @Test func aQueueThatHasRunEmptyGivesItsMemoryBack() {
    var queue = DueQueue<Int>()
    for id in 0..<5_000 { queue.insert(id, due: .seconds(id)) }
    while queue.popFirst(dueBy: .seconds(5_000), keeping: { _ in false }) != nil {}
    #expect(queue.storageCapacity < 2_048)
  }
}
