// A model of the meaning of effects, as plain as possible: recursive, slow, and without a runtime.

/// Runs effect trees by calling closures: one for every value, one at the end.
///
/// Everything that happens is a **step**: the start of one node, one piece of due work, one value
/// of a task. A step is done to its end, cancelling and ending included. It names the effects to
/// start because of it. They start next, in the order of naming, before those named earlier.
package final class EffectModel {
  private var log: [Answer] = []

  private var now = 0
  private var events: [(time: Int, work: () -> Void)] = []
  /// The scopes that run or wait under an id, in the order of registration.
  private var registered: [Scope] = []
  private var windows: [Int: Window] = [:]

  /// Actions that have not been handled yet.
  private var queue: [(reply: Reply, marks: Marks)] = []
  /// The starts that the step in progress has named.
  private var named: [Start] = []
  /// The starts that were named before; the next one is the last element.
  private var waiting: [Start] = []

  /// Whether the current work runs later than the action that had started it. Otherwise it runs
  /// because that action is being handled, or because something was cancelled, and then its
  /// answers carry the marks of that action.
  private var isLater = false

  /// Something that can be cancelled with everything in it.
  private final class Scope {
    let parent: Scope?
    /// The marks of the action that has started it.
    let marks: Marks
    var isCancelled = false
    var didEnd: () -> Void = {}

    var id: Int?
    /// The effect to start when there is room for it.
    var waiting: Start?
    var limit = Int.max

    init(_ marks: Marks) {
      parent = nil
      self.marks = marks
    }

    init(in parent: Scope) {
      self.parent = parent
      marks = parent.marks
    }

    var isAlive: Bool { !isCancelled && parent?.isAlive ?? true }

    func isIn(_ other: Scope) -> Bool { self === other || parent?.isIn(other) ?? false }
  }

  private struct Value {
    var reply: Reply
    /// The marks of the action that is being answered.
    var inherited: Marks
    /// The marks that operators and schedulers have set.
    var said = Marks()
    /// The marks that the call of `send` has set.
    var call = Marks()
  }

  private struct Start {
    let tree: EffectTree
    let scope: Scope
    let isLater: Bool
    let emit: (Value) -> Void
    let end: () -> Void
  }

  private final class Window {
    let milliseconds: Int
    var kept: Kept?

    init(_ milliseconds: Int) { self.milliseconds = milliseconds }
  }

  private struct Kept {
    let value: Value
    let scope: Scope
    let emit: (Value) -> Void
    let end: () -> Void
  }

  package static func run(_ program: EffectProgram) -> [Answer] {
    let model = EffectModel()
    for start in program.starts {
      model.advance(to: model.now + start.milliseconds)
      model.handle(start.tree, start.marks)
      model.handleQueue()
    }
    model.advance(to: .max)
    // A scope that was cancelled from outside has not ended, and its closures refer to the model.
    for scope in model.registered { (scope.didEnd, scope.waiting) = ({}, nil) }
    model.registered = []
    model.windows = [:]
    return model.log
  }

  // MARK: Actions

  private func handle(_ tree: EffectTree, _ marks: Marks) {
    step(isLater: false) { start(tree, in: Scope(marks), emit: receive, end: {}) }
  }

  private func receive(_ value: Value) {
    queue.append((value.reply, value.inherited.merging(value.said).merging(value.call)))
  }

  private func handleQueue() {
    while !queue.isEmpty {
      let (reply, marks) = queue.removeFirst()
      log.append(Answer(milliseconds: now, value: reply.value, marks: marks.text))
      if let tree = reply.tree { handle(tree, marks) }
    }
  }

  // MARK: Time

  private func advance(to time: Int) {
    while let first = events.enumerated().filter({ $0.element.time <= time })
      .min(by: { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) })
    {
      events.remove(at: first.offset)
      now = first.element.time
      step(isLater: true, first.element.work)
      handleQueue()
    }
    if time != .max { now = time }
  }

  private func after(_ milliseconds: Int, _ work: @escaping () -> Void) {
    events.append((now + milliseconds, work))
  }

  // MARK: Steps

  /// Does one step, and starts the effects that it names.
  private func step(isLater: Bool, _ work: () -> Void) {
    self.isLater = isLater
    work()
    takeNamed()
    while let next = waiting.popLast() {
      guard next.scope.isAlive else { continue }
      self.isLater = next.isLater
      begin(next.tree, in: next.scope, emit: next.emit, end: next.end)
      takeNamed()
    }
  }

  private func takeNamed() {
    waiting += named.reversed()
    named = []
  }

  /// Names an effect to start, or ends at once if there is nothing to start.
  private func start(
    _ tree: EffectTree, in scope: Scope, emit: @escaping (Value) -> Void, end: @escaping () -> Void
  ) {
    guard !tree.isNone else { return end() }
    named.append(Start(tree: tree, scope: scope, isLater: isLater, emit: emit, end: end))
  }

  // MARK: Effects

  private func begin(
    _ tree: EffectTree, in scope: Scope, emit: @escaping (Value) -> Void, end: @escaping () -> Void
  ) {
    switch tree {
    case .none:
      end()

    case .send(let number):
      emit(Value(reply: Reply(number), inherited: inherited(scope)))
      if scope.isAlive { end() }

    case .start(let number, let tree):
      emit(Value(reply: Reply(number, starts: tree), inherited: inherited(scope)))
      if scope.isAlive { end() }

    case .run(let numbers, let marks):
      for number in numbers {
        after(0) {
          guard scope.isAlive else { return }
          emit(Value(reply: Reply(number), inherited: Marks(), call: marks))
        }
      }
      after(0) { if scope.isAlive { end() } }

    case .merge(let trees):
      let trees = trees.filter { !$0.isNone }
      var left = trees.count
      for tree in trees {
        start(tree, in: scope, emit: emit) {
          left -= 1
          if left == 0 { end() }
        }
      }

    case .concatenate(let trees):
      goOn(with: trees.filter { !$0.isNone }[...], in: scope, emit: emit, end: end)

    case .map(let tree, let addend):
      start(
        tree, in: scope,
        emit: { value in
          var value = value
          value.reply.value += addend
          emit(value)
        }, end: end)

    case .filter(let tree, let divisor):
      start(
        tree, in: scope, emit: { if $0.reply.value % divisor != 0 { emit($0) } }, end: end)

    case .tag(let tree, let marks):
      start(
        tree, in: scope,
        emit: { value in
          var value = value
          value.said = value.said.merging(marks)
          emit(value)
        }, end: end)

    case .prefix(let tree, let count):
      let inner = Scope(in: scope)
      var left = count
      start(
        tree, in: inner,
        emit: { [self] value in
          guard left > 0 else { return }
          left -= 1
          emit(value)
          guard left == 0, inner.isAlive else { return }
          cut(inner)
          end()
        }, end: end)

    case .delay(let tree, let milliseconds, let marks):
      var waiting = 0
      var hasEnded = false
      start(
        tree, in: scope,
        emit: { [self] value in
          waiting += 1
          after(milliseconds) {
            guard scope.isAlive else { return }
            var value = value
            value.inherited = Marks()
            value.said = value.said.merging(marks)
            emit(value)
            waiting -= 1
            if waiting == 0, hasEnded, scope.isAlive { end() }
          }
        },
        end: {
          hasEnded = true
          if waiting == 0 { end() }
        })

    case .cancellable(let tree, let id, let policy):
      let inner = Scope(in: scope)
      switch policy {
      case .unlimited:
        break
      case .newest:
        cancel(others(id, than: scope, orWaiting: true))
      case .oldest:
        guard others(id, than: scope).isEmpty else { return end() }
      case .atMost(let limit):
        inner.limit = limit
      }
      let hasRoom = hasRoom(id, inner)
      register(inner, id, end)
      let start = Start(
        tree: tree, scope: inner, isLater: isLater, emit: emit, end: ending(inner, id, end))
      if hasRoom { named.append(start) } else { inner.waiting = start }

    case .debounce(let tree, let id, let milliseconds):
      cancel(others(id, than: scope, orWaiting: true))
      let inner = Scope(in: scope)
      register(inner, id, end)
      after(milliseconds) { [self] in
        guard inner.isAlive else { return }
        start(tree, in: inner, emit: emit, end: ending(inner, id, end))
      }

    case .throttle(let tree, let id, let milliseconds, let latest):
      var waiting = 0
      var hasEnded = false
      start(
        tree, in: scope,
        emit: { [self] value in
          guard let window = windows[id] else {
            open(Window(milliseconds), id)
            return emit(value)
          }
          if window.kept?.scope.isAlive == false { window.kept = nil }
          guard latest || window.kept == nil else { return }
          waiting += 1
          let replaced = window.kept
          var value = value
          value.inherited = Marks()
          window.kept = Kept(value: value, scope: scope, emit: emit) {
            waiting -= 1
            if waiting == 0, hasEnded, scope.isAlive { end() }
          }
          replaced?.end()
        },
        end: {
          hasEnded = true
          if waiting == 0 { end() }
        })

    case .cancel(let id):
      cancel(registered.filter { $0.id == id })
      if scope.isAlive { end() }
    }
  }

  private func inherited(_ scope: Scope) -> Marks { isLater ? Marks() : scope.marks }

  private func goOn(
    with trees: ArraySlice<EffectTree>, in scope: Scope,
    emit: @escaping (Value) -> Void, end: @escaping () -> Void
  ) {
    guard let first = trees.first else { return end() }
    start(first, in: scope, emit: emit) { [self] in
      goOn(with: trees.dropFirst(), in: scope, emit: emit, end: end)
    }
  }

  private func open(_ window: Window, _ id: Int) {
    windows[id] = window
    after(window.milliseconds) { [self] in
      guard let kept = window.kept, kept.scope.isAlive else {
        windows[id] = nil
        return
      }
      window.kept = nil
      open(window, id)
      kept.emit(kept.value)
      if kept.scope.isAlive { kept.end() }
    }
  }

  // MARK: Ids

  private func register(_ scope: Scope, _ id: Int, _ end: @escaping () -> Void) {
    scope.id = id
    scope.didEnd = end
    registered.append(scope)
  }

  /// The closure to call when a scope that is registered under an id ends by itself.
  private func ending(_ scope: Scope, _ id: Int, _ end: @escaping () -> Void) -> () -> Void {
    { [self] in
      registered.removeAll { $0 === scope }
      giveTurns(id)
      end()
    }
  }

  /// The scopes that run under an id, without those that contain a given scope.
  private func others(_ id: Int, than scope: Scope, orWaiting: Bool = false) -> [Scope] {
    registered.filter { other in
      other.id == id && (orWaiting || other.waiting == nil) && !scope.isIn(other)
    }
  }

  /// Whether one more may run under an id. A scope that contains another one takes no room itself.
  private func hasRoom(_ id: Int, _ scope: Scope) -> Bool {
    let others = others(id, than: scope)
    return others.count { other in
      !others.contains { $0 !== other && $0.isIn(other) }
    } < scope.limit
  }

  /// Starts the waiting scopes that have room now, in order.
  private func giveTurns(_ id: Int) {
    while let next = registered.first(where: {
      $0.id == id && $0.waiting != nil && hasRoom(id, $0)
    }), let start = next.waiting {
      next.waiting = nil
      self.start(start.tree, in: start.scope, emit: start.emit, end: start.end)
    }
  }

  /// Cancels a scope with everything in it.
  private func cut(_ scope: Scope) {
    scope.isCancelled = true
    let cancelled = registered.filter { !$0.isAlive }
    registered.removeAll { !$0.isAlive }
    for scope in cancelled { scope.waiting = nil }
    let ids = Set(cancelled.compactMap(\.id))
    whileNotLater { ids.sorted().forEach(giveTurns) }
  }

  /// Cancels scopes, one after the other. For the effect around it, a cancelled scope has ended.
  private func cancel(_ scopes: [Scope]) {
    for scope in scopes where scope.isAlive && registered.contains(where: { $0 === scope }) {
      cut(scope)
      whileNotLater(scope.didEnd)
    }
  }

  /// Does work that goes on because of a cancellation. It keeps the marks of its own action.
  private func whileNotLater(_ work: () -> Void) {
    let outer = isLater
    isLater = false
    work()
    isLater = outer
  }
}
