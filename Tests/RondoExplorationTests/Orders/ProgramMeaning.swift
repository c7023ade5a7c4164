// The meaning of made-up programs, computed a second time and in another way.

/// The states that a made-up feature can come to, found by trying everything.
///
/// It is a plain interpreter of what a live store may do. Each effect has a thread of its own, or one
/// for each child of its task group. Any thread may make the next step, and a step is all that others
/// can notice at once: an action that is handled with everything that it starts and cancels, a
/// cancellation, the end of an effect. A server may answer, and a user may act, at any moment. Time
/// passes only when no thread can go on; everything that is due at an instant goes on then in any
/// order.
struct ProgramMeaning {
  typealias State = RandomProgram.Feature.State

  /// The states in which a run can end.
  private(set) var last: Set<State> = []
  /// The states that can be seen.
  private(set) var all: Set<State> = []

  private let trees: [RandomProgram.Tree]
  private let modulus: Int
  private let limit: Int
  private var known: Set<World> = []

  /// - Parameters:
  ///   - actionCount: The number of actions that the user sends at most.
  ///   - limit: The number of situations that are looked at before it gives up.
  /// - Returns: `nil` where there are more situations.
  init?(of program: RandomProgram, actionCount: Int, limit: Int = 20_000) {
    (trees, modulus, self.limit) = (program.trees, program.modulus, limit)
    all.insert(State())
    guard visit(World(actionsLeft: actionCount)) else { return nil }
  }

  // MARK: Everything that may happen

  private mutating func visit(_ world: World) -> Bool {
    guard known.insert(world).inserted else { return true }
    guard known.count <= limit else { return false }
    var isAtRest = true
    func changed(_ change: (inout World) -> Void) -> World {
      var copy = world
      change(&copy)
      copy.tidyUp()
      return copy
    }
    var next: [World] = []
    for (index, frame) in world.frames.enumerated() {
      switch frame.kind {
      case .pause(let due, let tree, let sum) where due <= world.now:
        isAtRest = false
        next.append(changed { $0.endPause(index, tree, sum) })
      case .effect(let threads, let sum, let isFailing):
        if threads.isEmpty {
          isAtRest = false
          next.append(
            changed {
              if isFailing {
                $0.frames[index].kind = .effect([], sum, isFailing: false)
                handle(.failed, &$0)
              } else {
                $0.end(index)
              }
            })
        }
        for (number, thread) in threads.enumerated() {
          switch thread.first {
          case .answered(let text)?:
            isAtRest = false
            next.append(changed { take(number, of: index, &$0) { handle(.answered(text), &$0) } })
          case .program(.add(let value))?:
            isAtRest = false
            next.append(
              changed { take(number, of: index, &$0) { handle(.add(value + sum % 2), &$0) } })
          case .program(.start(let tree))?:
            isAtRest = false
            next.append(changed { take(number, of: index, &$0) { handle(.start(tree), &$0) } })
          case .program(.cancel(let id))?:
            isAtRest = false
            next.append(changed { take(number, of: index, &$0) { $0.cancel("\(id)") } })
          case .program(.call(let text))?:
            next.append(changed { $0.setThread(number, of: index, thread.answering(text)) })
            next.append(changed { $0.fail(number, of: index) })
          case .callback(let value)?:
            // The closure that is called back is the last that the effect does.
            next.append(
              changed {
                handle(.add(value + sum % 2), &$0)
                $0.end(index)
              })
          case .waking, .program, nil: break
          }
        }
      case .pause, .sequence, .scope: break
      }
    }
    if isAtRest, let due = world.nextDue {
      next.append(changed { $0.now = due })
    } else if next.isEmpty, world.state.count > 0 {
      last.insert(world.state)
    }
    if world.actionsLeft > 0 {
      next.append(
        changed {
          $0.actionsLeft -= 1
          handle(.start($0.state.count == 0 ? 0 : 1), &$0)
        })
    }
    for world in next {
      all.insert(world.state)
      guard visit(world) else { return false }
    }
    return true
  }

  /// Lets a thread go behind its next step, and makes that step.
  private func take(
    _ thread: Int, of frame: Int, _ world: inout World, _ step: (inout World) -> Void
  ) {
    world.advance(thread, of: frame)
    step(&world)
  }

  private func handle(_ action: RandomProgram.Feature.Action, _ world: inout World) {
    let sum = world.state.sum
    world.state.count += 1
    switch action {
    case .start(let index): world.step { $0.pending.append((trees[index], sum, World.top)) }
    case .add(let value): world.state.sum = (sum * 2 + value) % modulus
    case .answered(let text): world.state.sum = (sum * 3 + text.count) % modulus
    case .failed: world.state.sum = 0
    }
  }
}

/// A situation.
private struct World: Hashable {
  static let top = -1

  var state = ProgramMeaning.State()
  var now = 0
  var actionsLeft: Int
  /// The frames in flight, in the order in which they were started.
  var frames: [Frame] = []
  /// Effects that are about to be started. There are none between two steps.
  var pending: [(tree: RandomProgram.Tree, sum: Int, parent: Int)] = []

  struct Frame: Hashable {
    enum Kind: Hashable {
      /// Effects that come one after another.
      case sequence([RandomProgram.Tree], sum: Int)
      /// Effects that can be cancelled together.
      case scope(String)
      /// An effect that waits for its time.
      case pause(due: Int, RandomProgram.Tree, sum: Int)
      case effect([[Move]], _ sum: Int, isFailing: Bool)
    }

    var kind: Kind
    var parent: Int
    var isThere = true
    /// The number of children that are there, or about to be started.
    var childCount = 0
  }

  /// A step that is left for a thread.
  enum Move: Hashable {
    case program(RandomProgram.Step)
    /// The end of a sleep.
    case waking(Int)
    case answered(String)
    /// A closure that a server calls back.
    case callback(Int)
  }

  init(actionsLeft: Int) {
    self.actionsLeft = actionsLeft
  }

  static func == (one: World, other: World) -> Bool {
    one.state == other.state && one.now == other.now && one.actionsLeft == other.actionsLeft
      && one.frames == other.frames
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(state)
    hasher.combine(now)
    hasher.combine(actionsLeft)
    hasher.combine(frames)
  }

  var nextDue: Int? {
    frames.flatMap { frame -> [Int] in
      switch frame.kind {
      case .pause(let due, _, _): [due]
      case .effect(let threads, _, _):
        threads.compactMap { if case .waking(let due)? = $0.first { due } else { nil } }
      case .sequence, .scope: []
      }
    }.min()
  }

  // MARK: Starting and ending

  /// Makes a change, and then starts what it has put in line, each one wholly before the next.
  mutating func step(_ change: (inout World) -> Void) {
    let outer = pending
    pending = []
    change(&self)
    let mine = pending
    pending = outer
    for (tree, sum, parent) in mine where parent == World.top || frames[parent].isThere {
      step { $0.start(tree, sum, parent) }
    }
  }

  private mutating func add(_ kind: Frame.Kind, _ parent: Int) -> Int {
    frames.append(Frame(kind: kind, parent: parent))
    return frames.count - 1
  }

  private mutating func start(_ tree: RandomProgram.Tree, _ sum: Int, _ parent: Int) {
    switch tree {
    case .run(let steps):
      _ = add(.effect([steps.map(Move.program)], sum, isFailing: false), parent)
    case .group(let groups):
      _ = add(.effect(groups.map { $0.map(Move.program) }, sum, isFailing: false), parent)
    case .merge(let trees):
      if parent != World.top { frames[parent].childCount += trees.count - 1 }
      pending += trees.map { ($0, sum, parent) }
    case .concatenate(let trees):
      let frame = add(.sequence(Array(trees.dropFirst()), sum: sum), parent)
      frames[frame].childCount = 1
      pending.append((trees[0], sum, frame))
    case .cancellable(let id, let tree, let inFlight):
      if inFlight { cancelOthers("\(id)", parent) }
      guard parent == World.top || frames[parent].isThere else { return }
      let frame = add(.scope("\(id)"), parent)
      frames[frame].childCount = 1
      pending.append((tree, sum, frame))
    case .debounce(let id, let tree):
      cancelOthers("debounce \(id)", parent)
      guard parent == World.top || frames[parent].isThere else { return }
      let scope = add(.scope("debounce \(id)"), parent)
      frames[scope].childCount = 1
      _ = add(.pause(due: now + 1, tree, sum: sum), scope)
    case .cancel(let id):
      cancelAll("\(id)")
      childHasEnded(parent)
    case .future(let number):
      _ = add(.effect([[.callback(number)]], sum, isFailing: false), parent)
    }
  }

  mutating func endPause(_ index: Int, _ tree: RandomProgram.Tree, _ sum: Int) {
    let scope = frames[index].parent
    frames[index].isThere = false
    step { $0.pending.append((tree, sum, scope)) }
  }

  private mutating func childHasEnded(_ parent: Int) {
    guard parent != World.top else { return }
    frames[parent].childCount -= 1
    guard frames[parent].childCount == 0, frames[parent].isThere else { return }
    if case .sequence(var rest, let sum) = frames[parent].kind, !rest.isEmpty {
      frames[parent].childCount = 1
      pending.append((rest.removeFirst(), sum, parent))
      frames[parent].kind = .sequence(rest, sum: sum)
    } else {
      frames[parent].isThere = false
      childHasEnded(frames[parent].parent)
    }
  }

  /// Ends something with all that is below it.
  mutating func end(_ index: Int) {
    step { world in
      guard world.frames[index].isThere else { return }
      world.frames[index].isThere = false
      world.removeOrphans()
      world.childHasEnded(world.frames[index].parent)
    }
  }

  private mutating func removeOrphans() {
    // Parents come before their children.
    for index in frames.indices where frames[index].parent != World.top {
      if !frames[frames[index].parent].isThere { frames[index].isThere = false }
    }
  }

  // MARK: Cancelling

  mutating func cancel(_ id: String) {
    step { $0.cancelAll(id) }
  }

  private mutating func cancelAll(_ id: String) {
    cancel(frames.indices.filter { frames[$0].kind == .scope(id) })
  }

  /// Cancels everything of an id but what something new is a part of.
  private mutating func cancelOthers(_ id: String, _ parent: Int) {
    var around: Set<Int> = []
    var next = parent
    while next != World.top {
      around.insert(next)
      next = frames[next].parent
    }
    cancel(frames.indices.filter { frames[$0].kind == .scope(id) && !around.contains($0) })
  }

  private mutating func cancel(_ indices: [Int]) {
    for index in indices where frames[index].isThere {
      frames[index].isThere = false
      removeOrphans()
      childHasEnded(frames[index].parent)
    }
  }

  // MARK: Threads

  mutating func setThread(_ number: Int, of frame: Int, _ thread: [Move]) {
    guard case .effect(var threads, let sum, let isFailing) = frames[frame].kind else { return }
    threads[number] = thread
    frames[frame].kind = .effect(threads, sum, isFailing: isFailing)
  }

  mutating func advance(_ number: Int, of frame: Int) {
    guard case .effect(let threads, _, _) = frames[frame].kind else { return }
    setThread(number, of: frame, Array(threads[number].dropFirst()))
  }

  /// Ends a thread by an error. The effect goes on with that once all of its threads have ended.
  mutating func fail(_ number: Int, of frame: Int) {
    guard case .effect(var threads, let sum, _) = frames[frame].kind else { return }
    threads.remove(at: number)
    frames[frame].kind = .effect(threads, sum, isFailing: true)
  }

  /// Makes the steps that nobody notices, and forgets what is not there any more.
  mutating func tidyUp() {
    var places: [Int: Int] = [World.top: World.top]
    var left: [Frame] = []
    for (index, var frame) in frames.enumerated() where frame.isThere {
      places[index] = left.count
      frame.parent = places[frame.parent]!
      if case .effect(let threads, let sum, var isFailing) = frame.kind {
        let threads = threads.compactMap { rested($0, &isFailing) }
        frame.kind = .effect(threads, sum, isFailing: isFailing)
      }
      left.append(frame)
    }
    frames = left
  }

  /// A thread that has gone on to where others notice it, or has to wait; `nil` where it has ended.
  private func rested(_ thread: [Move], _ isFailing: inout Bool) -> [Move]? {
    var thread = thread
    while let first = thread.first {
      switch first {
      case .program(.sleep(let seconds)): thread[0] = .waking(now + seconds)
      case .waking(let due) where due <= now: thread.removeFirst()
      case .program(.yield): thread.removeFirst()
      case .program(.throwError):
        isFailing = true
        return nil
      case .waking, .answered, .callback, .program: return thread
      }
    }
    return nil
  }
}

extension [World.Move] {
  /// The thread after a call has been answered.
  fileprivate func answering(_ text: String) -> [World.Move] {
    [.answered(text)] + dropFirst()
  }
}
