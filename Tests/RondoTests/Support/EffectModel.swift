// What effects mean, written down as plainly as possible: recursive, slow, and without a runtime.

/// Runs effect trees by calling closures: one for every value, one at the end.
final class EffectModel {
  private(set) var log: [Answer] = []

  private var now = 0
  private var events: [(time: Int, work: () -> Void)] = []
  private var scopes: [(id: Int, scope: Scope)] = []
  /// The tag of the action that is being answered; none once a scheduler has been in between.
  private var inherited: String?

  /// Something that can be cancelled with everything in it.
  private final class Scope {
    let parent: Scope?
    /// The tag of the action that had started it.
    let tag: String?
    var isCancelled = false
    var didEnd: () -> Void = {}

    init(in parent: Scope?, tag: String? = nil) {
      self.parent = parent
      self.tag = parent?.tag ?? tag
    }

    var isAlive: Bool { !isCancelled && parent?.isAlive ?? true }

    func isIn(_ other: Scope) -> Bool { self === other || parent?.isIn(other) ?? false }
  }

  private struct Value {
    var number: Int
    var inherited: String?
    var tag: String?
  }

  static func run(_ program: EffectProgram) -> [Answer] {
    let model = EffectModel()
    for start in program.starts {
      model.advance(to: model.now + start.milliseconds)
      model.inherited = start.tag
      model.start(start.tree, in: Scope(in: nil, tag: start.tag), emit: model.record, end: {})
      model.inherited = nil
    }
    model.advance(to: .max)
    // What has been cancelled from outside has not ended, and its closures refer to the model.
    model.scopes = []
    return model.log
  }

  private func record(_ value: Value) {
    log.append(
      Answer(
        milliseconds: now, value: value.number, tag: value.tag ?? value.inherited ?? "-"))
  }

  private func advance(to time: Int) {
    while let first = events.enumerated().filter({ $0.element.time <= time })
      .min(by: { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) })
    {
      events.remove(at: first.offset)
      now = first.element.time
      first.element.work()
    }
    if time != .max { now = time }
  }

  private func start(
    _ tree: EffectTree, in scope: Scope, emit: @escaping (Value) -> Void, end: @escaping () -> Void
  ) {
    guard scope.isAlive else { return }
    guard !tree.isNone else { return end() }
    switch tree {
    case .none:
      end()

    case .send(let number):
      emit(Value(number: number, inherited: inherited))
      if scope.isAlive { end() }

    case .merge(let trees):
      var left = trees.count
      for tree in trees {
        start(tree, in: scope, emit: emit) {
          left -= 1
          if left == 0 { end() }
        }
      }

    case .concatenate(let trees):
      guard let first = trees.first else { return end() }
      start(first, in: scope, emit: emit) { [self] in
        start(.concatenate(Array(trees.dropFirst())), in: scope, emit: emit, end: end)
      }

    case .map(let tree, let addend):
      start(
        tree, in: scope,
        emit: { value in
          var value = value
          value.number += addend
          emit(value)
        }, end: end)

    case .filter(let tree, let divisor):
      start(tree, in: scope, emit: { if $0.number % divisor != 0 { emit($0) } }, end: end)

    case .tag(let tree, let tag):
      start(
        tree, in: scope,
        emit: { value in
          var value = value
          value.tag = tag
          emit(value)
        }, end: end)

    case .prefix(let tree, let count):
      let inner = Scope(in: scope)
      var left = count
      start(
        tree, in: inner,
        emit: { value in
          left -= 1
          emit(value)
          guard left == 0, inner.isAlive else { return }
          inner.isCancelled = true
          end()
        }, end: end)

    case .delay(let tree, let milliseconds):
      var waiting = 0
      var hasEnded = false
      start(
        tree, in: scope,
        emit: { [self] value in
          waiting += 1
          events.append(
            (
              time: now + milliseconds,
              work: {
                guard scope.isAlive else { return }
                var value = value
                value.inherited = nil
                emit(value)
                waiting -= 1
                if waiting == 0, hasEnded, scope.isAlive { end() }
              }
            ))
        },
        end: {
          hasEnded = true
          if waiting == 0 { end() }
        })

    case .cancellable(let tree, let id, let cancelInFlight):
      // Cancelling the others and taking their place is one step; what goes on because of it is next.
      let cancelled = cancelInFlight ? cancel(id, butFor: scope) : []
      let inner = Scope(in: scope)
      inner.didEnd = end
      scopes.append((id, inner))
      goOn(behind: cancelled)
      start(tree, in: inner, emit: emit) { [self] in
        scopes.removeAll { $0.scope === inner }
        end()
      }

    case .cancel(let id):
      goOn(behind: cancel(id))
      if scope.isAlive { end() }
    }
  }

  /// Cancels all scopes under an id, but for those that a scope is in, and returns them.
  private func cancel(_ id: Int, butFor inner: Scope? = nil) -> [Scope] {
    let found = scopes.filter { other in
      other.id == id && other.scope.isAlive && inner?.isIn(other.scope) != true
    }
    .map(\.scope)
    scopes.removeAll { other in found.contains { $0 === other.scope } }
    for scope in found { scope.isCancelled = true }
    return found
  }

  /// To what is around it, a cancelled scope has ended. What goes on keeps the tag of its own action.
  private func goOn(behind cancelled: [Scope]) {
    let outer = inherited
    for scope in cancelled where scope.parent?.isAlive ?? true {
      inherited = scope.tag
      scope.didEnd()
    }
    inherited = outer
  }
}
