// H26: the effects of a child end when any code has removed the child, at any depth.

import Foundation
import Rondo
import RondoRuntimeTestSupport
import RondoSeededRandomness
import Testing

/// A feature with children of its own kind, a child that is there or not, and a stack.
private struct Node: Reducer {
  struct State: Equatable, Identifiable {
    let id: Int
    var note = 0
    var detail: Leaf.State?
    var path = StackState<Leaf.State>()
    var children: IdentifiedArrayOf<State> = []
  }

  indirect enum Action: CasePathable, Sendable {
    case wait
    case detail(Leaf.Action)
    case path(StackActionOf<Leaf>)
    case children(IdentifiedAction<Int, Action>)

    struct AllCasePaths: Sendable {
      let detail = AnyCasePath(Action.detail)
      let path = AnyCasePath(Action.path)
      let children = AnyCasePath(Action.children)
    }
    static let allCasePaths = AllCasePaths()
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      guard case .wait = action else { return .none }
      state.note += 1
      return .future { _ in }
    }
    .ifLet(\.detail, action: \.detail) { Leaf() }
    .forEach(\.path, action: \.path) { Leaf() }
    .forEach(\.children, action: \.children) { Node() }
  }
}

private struct Leaf: Reducer {
  struct State: Equatable, Identifiable { let id: Int }
  enum Action: Sendable { case wait }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { .future { _ in } }
}

/// A tree of nodes that any code changes from outside of all their reducers.
private struct Tree: Reducer {
  enum Action: CasePathable {
    case root(Node.Action)
    case edit((inout Node.State) -> Void)

    struct AllCasePaths: Sendable {
      let root = AnyCasePath(Action.root)
    }
    static let allCasePaths = AllCasePaths()
  }

  struct State: Equatable {
    var root = Node.State(id: 0)
  }

  var body: some Reducer<State, Action> {
    Scope(state: \.root, action: \.root) { Node() }
    Reduce { state, action in
      if case .edit(let edit) = action { edit(&state.root) }
      return .none
    }
  }
}

/// The way to a child: ids of nodes, and the leaf below the last one if it is not the node itself.
private struct Way: CustomStringConvertible {
  enum Leaf {
    case detail(Int)
    case element(StackElementID, Int)
  }

  var nodes: [Int] = []
  var leaf: Leaf?

  var description: String { "\(nodes)\(leaf.map { " \($0)" } ?? "")" }

  func leads(from root: Node.State) -> Bool {
    var node = root
    for id in nodes {
      guard let next = node.children[id: id] else { return false }
      node = next
    }
    return switch leaf {
    case .detail(let id): node.detail?.id == id
    case .element(let position, let id): node.path[id: position]?.id == id
    case nil: true
    }
  }

  var action: Tree.Action {
    let action: Node.Action =
      switch leaf {
      case .detail: .detail(.wait)
      case .element(let id, _): .path(.element(id: id, action: .wait))
      case nil: .wait
      }
    return .root(nodes.reversed().reduce(action) { .children(.element(id: $1, action: $0)) })
  }

  /// All ways in a tree.
  static func all(in root: Node.State) -> [Way] {
    var ways: [Way] = []
    func visit(_ node: Node.State, _ nodes: [Int]) {
      if !nodes.isEmpty { ways.append(Way(nodes: nodes)) }
      if let detail = node.detail { ways.append(Way(nodes: nodes, leaf: .detail(detail.id))) }
      for id in node.path.ids {
        ways.append(Way(nodes: nodes, leaf: .element(id, node.path[id: id]!.id)))
      }
      for child in node.children { visit(child, nodes + [child.id]) }
    }
    visit(root, [])
    return ways
  }
}

extension Node.State {
  /// Changes a node that is somewhere below.
  fileprivate mutating func change(
    _ random: inout Randomness, depth: Int = 0, _ body: (inout Self, inout Randomness) -> Void
  ) {
    guard depth < 3, !children.isEmpty, random.int(in: 0..<4) > 0 else {
      return body(&self, &random)
    }
    let position = random.int(in: 0..<children.count)
    if random.bool() {
      children[position].change(&random, depth: depth + 1, body)
    } else {
      children[id: children[position].id]!.change(&random, depth: depth + 1, body)
    }
  }

  /// Changes something, once.
  fileprivate mutating func edit(_ random: inout Randomness, _ nextID: inout Int) {
    nextID += 1
    switch random.int(in: 0..<16) {
    case 0...3: children.append(Self(id: nextID))
    case 4: detail = Leaf.State(id: nextID)
    case 5: detail = nil
    case 6: path.append(Leaf.State(id: nextID))
    case 7: _ = path.popLast()
    case 8: if !children.isEmpty { children.remove(at: random.int(in: 0..<children.count)) }
    case 9: children.reverse()
    case 10: children = IdentifiedArray(uniqueElements: children.elements.dropFirst())
    case 11: children.removeAll { $0.id % 5 == 0 }
    case 12: for position in children.indices { children[position].note += 1 }
    case 13: for position in children.indices { children[position].detail = nil }
    case 14: if !children.isEmpty { children[0] = Self(id: nextID) }
    default: note += 1
    }
  }
}

@MainActor @Suite struct ChildEndTests {
  // H26
  @Test func H26_childrenEndWhoeverHasRemovedThem() {
    check(count: 25) { random in
      let store = Store(initialState: Tree.State()) { Tree() }
      var nextID = 0
      var saved = [store.root]
      var waiting: [(way: Way, task: StoreTask)] = []
      for step in 0..<60 {
        let ways = Way.all(in: store.root)
        if !ways.isEmpty, random.bool() {
          let way = ways[random.int(in: 0..<ways.count)]
          waiting.append((way, store.send(way.action)))
        } else if random.int(in: 0..<12) == 0 {
          let old = saved[random.int(in: 0..<saved.count)]
          store.send(.edit { $0 = old })
        } else {
          var (own, id) = (random, nextID)
          store.send(
            .edit { root in
              for _ in 0..<own.int(in: 1..<4) { root.change(&own) { $0.edit(&$1, &id) } }
            })
          (random, nextID) = (own, id)
        }
        if random.int(in: 0..<4) == 0 { saved.append(store.root) }
        store.checkInvariants()
        for (way, task) in waiting where task.isFinished == way.leads(from: store.root) {
          return "After step \(step) \(way) \(task.isFinished ? "has ended" : "goes on")."
        }
        waiting.removeAll(where: \.task.isFinished)
      }
      return nil
    }
  }

  // H26
  @Test func H26_twoPartsOfOneTypeHaveChildrenOfTheirOwn() {
    let store = Store(initialState: Pair.State()) { Pair() }
    let first = store.send(.first(.detail(.wait)))
    let second = store.send(.second(.detail(.wait)))
    store.send(.closeFirst)
    #expect(first.isFinished)
    #expect(!second.isFinished)
  }

  // The code of a state may do anything while it is read, such as end what is looked for.
  @Test(arguments: 1..<20)
  func aGetterMayCancelWhatIsLookedFor(reads: Int) {
    let reader = Reader()
    let store = Store(initialState: Computed.State(reader: reader)) { Computed() }
    let tasks = (0..<40).map { store.send(.rows(.element(id: $0 % 20, action: .wait))) }
    reader.onRead = {
      reader.reads += 1
      if reader.reads == reads { tasks.forEach { $0.cancel() } }
    }
    store.send(.touch)
    reader.onRead = nil
    store.send(.touch)
    store.checkInvariants()
    #expect(tasks.allSatisfy { $0.isFinished } == (reader.reads >= reads))
  }
}

/// A parent of two features of the same type.
private struct Pair: Reducer {
  struct State: Equatable {
    var first = Node.State(id: 1, detail: Leaf.State(id: 1))
    var second = Node.State(id: 2, detail: Leaf.State(id: 1))
  }

  enum Action: CasePathable, Sendable {
    case first(Node.Action)
    case second(Node.Action)
    case closeFirst

    struct AllCasePaths: Sendable {
      let first = AnyCasePath(Action.first)
      let second = AnyCasePath(Action.second)
    }
    static let allCasePaths = AllCasePaths()
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.first, action: \.first) { Node() }
    Scope(state: \.second, action: \.second) { Node() }
    Reduce { state, action in
      if case .closeFirst = action { state.first.detail = nil }
      return .none
    }
  }
}

/// Code that runs whenever a computed list is read.
private final class Reader {
  var onRead: (() -> Void)?
  var reads = 0
}

/// A feature whose list is computed.
private struct Computed: Reducer {
  struct State {
    let reader: Reader
    var ids = Array(0..<20)

    var rows: IdentifiedArrayOf<Leaf.State> {
      get {
        reader.onRead?()
        return IdentifiedArray(uniqueElements: ids.map(Leaf.State.init))
      }
      set { ids = newValue.map(\.id) }
    }
  }

  enum Action: CasePathable, Sendable {
    case touch
    case rows(IdentifiedActionOf<Leaf>)

    struct AllCasePaths: Sendable {
      let rows = AnyCasePath(Action.rows)
    }
    static let allCasePaths = AllCasePaths()
  }

  var body: some ReducerOf<Self> {
    Reduce { _, _ in .none }.forEach(\.rows, action: \.rows) { Leaf() }
  }
}
