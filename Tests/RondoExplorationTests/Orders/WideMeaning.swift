// Everything that a wide program can come to, by rewriting its tree.

import Rondo

/// An interpreter that shares nothing with ``ProgramMeaning``, nor with an explorer: what is in flight is a tree of
/// values, and every rule makes another tree. It tells a task that is cancelled from an effect that is.
struct WideMeaning {
  typealias Line = WideProgram.Line
  typealias Tree = WideProgram.Tree

  private(set) var last: Set<Int> = []
  private(set) var all: Set<Int> = []
  private var known: Set<Situation> = []

  init?(of program: WideProgram, actionCount: Int, limit: Int) {
    var stack = [Situation(left: actionCount)]
    all.insert(0)
    known.insert(stack[0])
    while let situation = stack.popLast() {
      let (next, isAtRest) = situation.successors(program)
      if isAtRest, situation.left < actionCount { last.insert(situation.sum) }
      for situation in next { all.formUnion(situation.passed) }
      for situation in next where known.insert(situation).inserted {
        all.insert(situation.sum)
        guard known.count < limit else { return nil }
        stack.append(situation)
      }
    }
  }
}

/// A task of a closure.
private struct Job: Hashable {
  enum End: Hashable { case done, failed, cancelled }
  indirect enum Wait: Hashable {
    case sleep(Int, isTry: Bool), call(isTry: Bool), confirm
    case say(Message)
    case race([Job], first: Int?)
    case drain([Job], End)
    case both([Job], awaited: Int)
    case begin(Int, [WideProgram.Line], inFlight: Bool)
    case piece(Int, Job)
  }
  var lines: [WideProgram.Line]
  var wait: Wait?
  var isCancelled = false
  var end: End?
}

private enum Message: Hashable {
  case add(Int), answered, lost, failed, start(Int), cancel(Int), begin(Int, inFlight: Bool)
  case nothing
}

private indirect enum Node: Hashable {
  case done
  case pending(Int)
  case job(Job, sum: Int, hasCaught: Bool)
  case row(Node, [WideProgram.Tree], sum: Int)
  case side([Node])
  case scope(Int, Node)
  case pause(Int, WideProgram.Tree, sum: Int)
  case clocked(due: Int, Int, Node)
  case late(Int, Node, [Parcel])
}

private struct Parcel: Hashable { let due: Int, message: Message }

private struct Situation: Hashable {
  var sum = 0
  var now = 0
  var left: Int
  var roots: [Node] = []

  // Empty between two steps.
  private var stack: [(number: Int, tree: WideProgram.Tree, sum: Int)] = []
  private var fresh: [(number: Int, tree: WideProgram.Tree, sum: Int)] = []
  private var number = 0
  /// The sums in the middle of the step.
  var passed: Set<Int> = []

  init(left: Int) { self.left = left }

  static func == (one: Self, other: Self) -> Bool {
    one.sum == other.sum && one.now == other.now && one.left == other.left
      && one.roots == other.roots
  }
  func hash(into hasher: inout Hasher) {
    hasher.combine(sum)
    hasher.combine(now)
    hasher.combine(left)
    hasher.combine(roots)
  }

  // MARK: Successors

  func successors(_ program: WideProgram) -> (next: [Situation], isAtRest: Bool) {
    var next: [Situation] = []
    var isBusy = false
    var isWaitingForServer = false
    var clean = self
    clean.passed = []
    for index in roots.indices {
      for move in moves(roots[index]) {
        if move.isOfServer { isWaitingForServer = true } else { isBusy = true }
        var copy = clean
        copy.roots[index] = move.node
        copy.say(move.message, program, at: move.place)
        copy.finish(program)
        next.append(copy)
      }
    }
    let due = roots.compactMap(nextDue).min()
    if !isBusy, let due {
      var copy = clean
      copy.now = due
      next.append(copy)
    }
    if left > 0 {
      for index in program.trees.indices {
        var copy = clean
        copy.left -= 1
        copy.say(.start(index), program, at: nil)
        copy.finish(program)
        next.append(copy)
      }
    }
    return (next, !isBusy && !isWaitingForServer && due == nil)
  }

  private func nextDue(_ node: Node) -> Int? {
    switch node {
    case .done, .pending: nil
    case .job(let job, _, _): nextDue(job)
    case .row(let node, _, _), .scope(_, let node): nextDue(node)
    case .side(let nodes): nodes.compactMap(nextDue).min()
    case .pause(let due, _, _): due
    case .clocked(let due, _, let node): min(due, nextDue(node) ?? due)
    case .late(_, let node, let parcels):
      [nextDue(node), parcels.first?.due].compactMap { $0 }.min()
    }
  }

  private func nextDue(_ job: Job) -> Int? {
    switch job.wait {
    case .sleep(let due, _): due
    case .race(let jobs, _), .drain(let jobs, _), .both(let jobs, _):
      jobs.compactMap(nextDue).min()
    case .piece(_, let job): nextDue(job)
    default: nil
    }
  }

  // MARK: Moves of nodes

  fileprivate struct Move {
    var node: Node
    var message: Message
    var isOfServer = false
    /// The number of a pending mark that stands where the message comes from.
    var place: Int?
  }

  private func moves(_ node: Node) -> [Move] {
    switch node {
    case .done, .pending: return []
    case .job(let job, let sum, let hasCaught):
      if let end = job.end {
        if end == .failed, !hasCaught {
          return [Move(node: .job(job, sum: sum, hasCaught: true), message: .failed)]
        }
        return [Move(node: .done, message: .nothing)]
      }
      return steps(job, sum).map {
        Move(
          node: .job($0.job, sum: sum, hasCaught: false), message: $0.message,
          isOfServer: $0.isOfServer)
      }
    case .row(let node, let rest, let sum):
      return moves(node).map { $0.with(.row($0.node, rest, sum: sum)) }
    case .scope(let id, let node): return moves(node).map { $0.with(.scope(id, $0.node)) }
    case .side(let nodes):
      return nodes.indices.flatMap { index in
        moves(nodes[index]).map { move in
          var nodes = nodes
          nodes[index] = move.node
          return move.with(.side(nodes))
        }
      }
    case .pause(let due, let tree, let sum):
      // Started when the step is finished.
      return due <= now ? [Move(node: .row(.done, [tree], sum: sum), message: .nothing)] : []
    case .clocked(let due, let time, let node):
      var all = moves(node).map { move in
        move.with(.clocked(due: move.message.isAnswer ? now + time : due, time, move.node))
      }
      if due <= now { all.append(Move(node: .done, message: .nothing)) }
      return all
    case .late(let time, let node, let parcels):
      var all = moves(node).map { move -> Move in
        guard move.message.isAnswer else { return move.with(.late(time, move.node, parcels)) }
        var copy = move.with(
          .late(time, move.node, parcels + [Parcel(due: now + time, message: move.message)]))
        copy.message = .nothing
        return copy
      }
      if let first = parcels.first, first.due <= now {
        all.append(
          Move(node: .late(time, node, Array(parcels.dropFirst())), message: first.message))
      }
      return all
    }
  }

  // MARK: Steps of tasks

  private typealias Step = (job: Job, message: Message, isOfServer: Bool)

  private func steps(_ job: Job, _ sum: Int) -> [Step] {
    func going(_ message: Message = .nothing, _ change: (inout Job) -> Void) -> Job {
      var copy = job
      copy.wait = nil
      change(&copy)
      return settled(copy, sum)
    }
    func inner(_ index: Int, _ jobs: [Job], _ wait: ([Job]) -> Job.Wait) -> [Step] {
      guard jobs[index].end == nil else { return [] }
      return steps(jobs[index], sum).map { step in
        var jobs = jobs
        jobs[index] = step.job
        return (going { $0.wait = wait(jobs) }, step.message, step.isOfServer)
      }
    }
    switch job.wait {
    case nil: return []
    case .sleep(let due, _): return due <= now ? [(going { _ in }, .nothing, false)] : []
    case .call(let isTry):
      return [
        (going { $0.wait = .say(.answered) }, .nothing, true),
        (
          going { if isTry { $0.wait = .say(.lost) } else { $0.end = .failed } }, .nothing, true
        ),
      ]
    case .confirm: return [(going { $0.wait = .say(.answered) }, .nothing, true)]
    case .say(let message): return [(going { _ in }, message, false)]
    case .race(let jobs, let first):
      var all = jobs.indices.flatMap { inner($0, jobs) { .race($0, first: first) } }
      if let first {
        all.append(
          (
            going {
              $0.wait = .drain(jobs.map { settled(cancelled($0), sum) }, jobs[first].end!)
            }, .nothing, false
          ))
      } else {
        for index in jobs.indices where jobs[index].end != nil {
          all.append((going { $0.wait = .race(jobs, first: index) }, .nothing, false))
        }
      }
      return all
    case .drain(let jobs, let end):
      return jobs.indices.flatMap { inner($0, jobs) { .drain($0, end) } }
    case .both(let jobs, let awaited):
      var all = jobs.indices.flatMap { inner($0, jobs) { .both($0, awaited: awaited) } }
      if let end = jobs[awaited].end {
        all.append(
          (
            going {
              if end != .done {
                $0.wait = .drain(jobs.map { settled(cancelled($0), sum) }, end)
              } else if awaited == 0 {
                $0.wait = .both(jobs, awaited: 1)
              }
            }, .nothing, false
          ))
      }
      return all
    case .begin(let id, let lines, let inFlight):
      return [
        (
          going { $0.wait = .piece(id + 1_000, settled(Job(lines: lines), sum)) },
          .begin(id, inFlight: inFlight), false
        )
      ]
    case .piece(let id, let inside):
      if inside.end != nil { return [(going { _ in }, .nothing, false)] }
      return steps(inside, sum).map { step in
        (going { $0.wait = .piece(id, step.job) }, step.message, step.isOfServer)
      }
    }
  }

  private func cancelled(_ job: Job) -> Job {
    var job = job
    job.isCancelled = true
    switch job.wait {
    case .race(let jobs, let first): job.wait = .race(jobs.map(cancelled), first: first)
    case .drain(let jobs, let end): job.wait = .drain(jobs.map(cancelled), end)
    case .both(let jobs, let awaited): job.wait = .both(jobs.map(cancelled), awaited: awaited)
    default: break
    }
    return job
  }

  /// A task that has gone on to where others may notice it.
  private func settled(_ start: Job, _ sum: Int) -> Job {
    var job = start
    while job.end == nil {
      switch job.wait {
      case .sleep(_, let isTry) where job.isCancelled:
        job.wait = nil
        if !isTry { job.end = .cancelled }
        continue
      case .call(let isTry) where job.isCancelled:
        job.wait = nil
        if isTry { job.wait = .say(.lost) } else { job.end = .cancelled }
        continue
      case .race(let jobs, let first):
        let settledJobs = jobs.map { settled($0, sum) }
        job.wait = .race(settledJobs, first: first)
        return job
      case .both(let jobs, let awaited):
        job.wait = .both(jobs.map { settled($0, sum) }, awaited: awaited)
        return job
      case .drain(let jobs, let end):
        let jobs = jobs.map { settled($0, sum) }
        guard jobs.allSatisfy({ $0.end != nil }) else {
          job.wait = .drain(jobs, end)
          return job
        }
        job.wait = nil
        if end != .done { job.end = end }
        continue
      case .some: return job
      case nil: break
      }
      guard !job.lines.isEmpty else {
        job.end = .done
        return job
      }
      switch job.lines.removeFirst() {
      case .add(let number): job.wait = .say(.add(number + sum % 2))
      case .call: job.wait = .call(isTry: false)
      case .tryCall: job.wait = .call(isTry: true)
      case .confirm: job.wait = .confirm
      case .sleep(let time): job.wait = .sleep(now + time, isTry: false)
      case .trySleep(let time): job.wait = .sleep(now + time, isTry: true)
      case .yield: break
      case .start(let index): job.wait = .say(.start(index))
      case .cancel(let id): job.wait = .say(.cancel(id))
      case .fail: job.end = .failed
      case .race(let one, let other):
        job.wait = .race(
          [one, other].map { Job(lines: $0, isCancelled: job.isCancelled) }, first: nil)
      case .both(let one, let other):
        job.wait = .both(
          [one, other].map { Job(lines: $0, isCancelled: job.isCancelled) }, awaited: 0)
      case .piece(let id, let lines, let inFlight):
        job.wait = .begin(id, lines, inFlight: inFlight)
      }
    }
    return job
  }

  // MARK: What others notice

  private mutating func say(_ message: Message, _ program: WideProgram, at place: Int?) {
    defer { passed.insert(sum) }
    switch message {
    case .nothing: break
    case .add(let number): sum = (sum * 2 + number) % program.modulus
    case .answered: sum = (sum * 3 + 1) % program.modulus
    case .lost: sum = (sum * 5 + 2) % program.modulus
    case .failed: sum = (sum * 7 + 3) % program.modulus
    case .start(let index): roots.append(pending(program.trees[index], sum))
    case .cancel(let id): cancelAll(id)
    case .begin(let id, let inFlight):
      // The piece that begins, and what it is a part of, stays.
      var all: [Node] = []
      let copy = self
      for root in roots { all.append(inFlight ? cancel(id, root) { copy.isBeginning($0) } : root) }
      roots = all.map(begun)
    }
  }

  private func isBeginning(_ node: Node) -> Bool { begun(node) != node }

  private func begun(_ node: Node) -> Node {
    switch node {
    case .done, .pending, .pause: return node
    case .job(var job, let sum, let hasCaught):
      if case .piece(let id, let inside)? = job.wait, id >= 1_000 {
        job.wait = .piece(id - 1_000, inside)
      }
      return .job(job, sum: sum, hasCaught: hasCaught)
    case .row(let node, let rest, let sum): return .row(begun(node), rest, sum: sum)
    case .scope(let id, let node): return .scope(id, begun(node))
    case .side(let nodes): return .side(nodes.map(begun))
    case .clocked(let due, let time, let node): return .clocked(due: due, time, begun(node))
    case .late(let time, let node, let parcels): return .late(time, begun(node), parcels)
    }
  }

  private mutating func pending(_ tree: WideProgram.Tree, _ sum: Int) -> Node {
    number += 1
    fresh.append((number, tree, sum))
    return .pending(number)
  }

  private mutating func cancel(
    _ id: Int, _ node: Node, stays: (Node) -> Bool
  ) -> Node {
    switch node {
    case .done, .pending, .pause: return node
    case .job(var job, let sum, let hasCaught):
      if case .piece(id, let inside)? = job.wait {
        job.wait = .piece(id, settled(cancelled(inside), sum))
      }
      return .job(job, sum: sum, hasCaught: hasCaught)
    case .row(let node, let rest, let sum):
      return .row(cancel(id, node, stays: stays), rest, sum: sum)
    case .side(let nodes): return .side(nodes.map { cancel(id, $0, stays: stays) })
    case .scope(let own, let inside):
      if own == id, !stays(node) { return .done }
      return .scope(own, cancel(id, inside, stays: stays))
    case .clocked(let due, let time, let node):
      return .clocked(due: due, time, cancel(id, node, stays: stays))
    case .late(let time, let node, let parcels):
      return .late(time, cancel(id, node, stays: stays), parcels)
    }
  }

  // MARK: Starting

  /// Starts what is to be started, each wholly before the next.
  private mutating func finish(_ program: WideProgram) {
    collapseAll()
    while let next = stack.popLast() {
      start(next.number, next.tree, next.sum, program)
      collapseAll()
    }
    roots.removeAll { $0 == .done }
    number = 0
  }

  private mutating func collapseAll() {
    collapseRoots()
    stack += fresh.reversed()
    fresh = []
  }

  private mutating func collapsed(_ node: Node) -> Node {
    switch node {
    case .done, .pending, .job, .pause: return node
    case .row(let node, let rest, let sum):
      let node = collapsed(node)
      guard node == .done else { return .row(node, rest, sum: sum) }
      guard let first = rest.first else { return .done }
      return .row(pending(first, sum), Array(rest.dropFirst()), sum: sum)
    case .side(let nodes):
      let nodes = nodes.map { collapsed($0) }.filter { $0 != .done }
      return nodes.isEmpty ? .done : .side(nodes)
    case .scope(let id, let node):
      let node = collapsed(node)
      return node == .done ? .done : .scope(id, node)
    case .clocked(let due, let time, let node):
      let node = collapsed(node)
      return node == .done ? .done : .clocked(due: due, time, node)
    case .late(let time, let node, let parcels):
      let node = collapsed(node)
      return node == .done && parcels.isEmpty ? .done : .late(time, node, parcels)
    }
  }

  private func contains(_ node: Node, _ number: Int) -> Bool {
    switch node {
    case .pending(let other): other == number
    case .done, .job, .pause: false
    case .row(let node, _, _), .scope(_, let node), .clocked(_, _, let node),
      .late(_, let node, _):
      contains(node, number)
    case .side(let nodes): nodes.contains { contains($0, number) }
    }
  }

  private func replacing(_ number: Int, in node: Node, with new: Node, answers: Message?) -> Node {
    guard contains(node, number) else { return node }
    func inside(_ node: Node) -> Node { replacing(number, in: node, with: new, answers: answers) }
    switch node {
    case .pending: return new
    case .done, .job, .pause: return node
    case .row(let node, let rest, let sum): return .row(inside(node), rest, sum: sum)
    case .scope(let id, let node): return .scope(id, inside(node))
    case .side(let nodes): return .side(nodes.map(inside))
    case .clocked(let due, let time, let node):
      return .clocked(due: answers == nil ? due : now + time, time, inside(node))
    case .late(let time, let node, let parcels):
      guard let answers, !isHeld(number, node) else {
        return .late(time, inside(node), parcels)
      }
      return .late(
        time, replacing(number, in: node, with: new, answers: nil),
        parcels + [Parcel(due: now + time, message: answers)])
    }
  }

  /// Whether an answer from a place is kept for later on its way.
  private func isHeld(_ number: Int, _ node: Node) -> Bool {
    switch node {
    case .late(_, let node, _): contains(node, number)
    case .row(let node, _, _), .scope(_, let node), .clocked(_, _, let node): isHeld(number, node)
    case .side(let nodes): nodes.contains { isHeld(number, $0) }
    case .done, .pending, .job, .pause: false
    }
  }

  private func isOccupied(_ id: Int, _ node: Node, but number: Int) -> Bool {
    switch node {
    case .scope(let own, let inside):
      own == id && !contains(node, number) || isOccupied(id, inside, but: number)
    case .row(let node, _, _), .clocked(_, _, let node), .late(_, let node, _):
      isOccupied(id, node, but: number)
    case .side(let nodes): nodes.contains { isOccupied(id, $0, but: number) }
    case .job(let job, _, _):
      if case .piece(id, _)? = job.wait { true } else { false }
    case .done, .pending, .pause: false
    }
  }

  private mutating func put(_ node: Node, at place: Int, _ answer: Message? = nil) {
    roots = roots.map { replacing(place, in: $0, with: node, answers: answer) }
  }

  private mutating func cancelOthers(_ id: Int, than place: Int) {
    var all: [Node] = []
    for root in roots {
      let copy = self
      all.append(cancel(id, root) { copy.contains($0, place) })
    }
    roots = all
    collapseRoots()
  }

  private mutating func cancelAll(_ id: Int) {
    var all: [Node] = []
    for root in roots { all.append(cancel(id, root) { _ in false }) }
    roots = all
    collapseRoots()
  }

  private mutating func collapseRoots() {
    var all: [Node] = []
    for root in roots { all.append(collapsed(root)) }
    roots = all
  }

  private mutating func start(
    _ place: Int, _ tree: WideProgram.Tree, _ sum: Int, _ program: WideProgram
  ) {
    guard roots.contains(where: { contains($0, place) }) else { return }
    switch tree {
    case .send(let number):
      let isKept = roots.contains { isHeld(place, $0) }
      put(.done, at: place, .add(number))
      if !isKept { say(.add(number), program, at: nil) }
    case .run(let lines):
      put(.job(settled(Job(lines: lines), sum), sum: sum, hasCaught: false), at: place)
    case .cancel(let id):
      cancelAll(id)
      put(.done, at: place)
    case .merge(let trees):
      var nodes: [Node] = []
      for tree in trees { nodes.append(pending(tree, sum)) }
      put(.side(nodes), at: place)
    case .concatenate(let trees):
      put(.row(pending(trees[0], sum), Array(trees.dropFirst()), sum: sum), at: place)
    case .newest(let id, let tree):
      cancelOthers(id, than: place)
      put(.scope(id, pending(tree, sum)), at: place)
    case .unlimited(let id, let tree): put(.scope(id, pending(tree, sum)), at: place)
    case .oldest(let id, let tree):
      let isTaken = roots.contains { isOccupied(id, $0, but: place) }
      put(isTaken ? .done : .scope(id, pending(tree, sum)), at: place)
    case .debounce(let time, let tree):
      cancelOthers(10, than: place)
      put(.scope(10, .pause(now + time, tree, sum: sum)), at: place)
    case .delay(let time, let tree): put(.late(time, pending(tree, sum), []), at: place)
    case .timeout(let time, let tree):
      put(.clocked(due: now + time, time, pending(tree, sum)), at: place)
    }
  }
}

extension Situation.Move {
  fileprivate func with(_ node: Node) -> Self {
    var copy = self
    copy.node = node
    return copy
  }
}

extension Message {
  /// Whether an operator on the way sees it.
  fileprivate var isAnswer: Bool {
    switch self {
    case .add, .answered, .lost, .failed, .start: true
    case .cancel, .begin, .nothing: false
    }
  }
}
