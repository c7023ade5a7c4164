// A program of fixed size, whose compilation is the unit in which builds are measured. It is never changed.

protocol Shape: Hashable, Codable, Sendable {
  associatedtype Part: Hashable & Comparable & Codable & Sendable
  var parts: [Part] { get }
  func scaled(by factor: Int) -> Self
}

struct Line<Part: Hashable & Comparable & Codable & Sendable>: Shape {
  var parts: [Part]
  func scaled(by factor: Int) -> Self {
    Line(parts: (0..<factor).flatMap { _ in parts })
  }
}

struct Grid: Shape {
  var parts: [Int]
  var names: [String: Set<Int>] = [:]
  func scaled(by factor: Int) -> Self {
    Grid(parts: parts.map { $0 * factor }, names: names.mapValues { Set($0.map { $0 * factor }) })
  }
}

enum Tree<Value: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
  case leaf(Value)
  indirect case branch(Tree, Tree)
  case list([Tree])
  case table([String: Tree])

  var count: Int {
    switch self {
    case .leaf: 1
    case .branch(let left, let right): left.count + right.count
    case .list(let trees): trees.reduce(0) { $0 + $1.count }
    case .table(let trees): trees.values.reduce(0) { $0 + $1.count }
    }
  }

  func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Tree<Other> {
    switch self {
    case .leaf(let value): .leaf(try transform(value))
    case .branch(let left, let right): .branch(try left.map(transform), try right.map(transform))
    case .list(let trees): .list(try trees.map { try $0.map(transform) })
    case .table(let trees): .table(try trees.mapValues { try $0.map(transform) })
    }
  }

  func sorted() -> [Value] where Value: Comparable {
    switch self {
    case .leaf(let value): [value]
    case .branch(let left, let right): (left.sorted() + right.sorted()).sorted()
    case .list(let trees): trees.flatMap { $0.sorted() }.sorted()
    case .table(let trees): trees.sorted { $0.key < $1.key }.flatMap { $0.value.sorted() }.sorted()
    }
  }
}

struct Queue<Element> {
  private var elements: [Element?] = []
  private var first = 0
  mutating func push(_ element: Element) { elements.append(element) }
  mutating func pop() -> Element? {
    guard first < elements.count, let element = elements[first] else { return nil }
    elements[first] = nil
    first += 1
    if first > 64, first * 2 > elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }
}

final class Graph<Node: Hashable & Comparable & Sendable> {
  private var edges: [Node: Set<Node>] = [:]
  private var weights: [Edge: Double] = [:]

  struct Edge: Hashable {
    var from: Node
    var to: Node
  }

  func connect(_ from: Node, _ to: Node, weight: Double = 1) {
    edges[from, default: []].insert(to)
    weights[Edge(from: from, to: to)] = weight
  }

  func reachable(from start: Node) -> [Node] {
    var seen: Set<Node> = [start]
    var queue = Queue<Node>()
    queue.push(start)
    while let node = queue.pop() {
      for next in edges[node, default: []].sorted() where seen.insert(next).inserted {
        queue.push(next)
      }
    }
    return seen.sorted()
  }

  func distances(from start: Node) -> [Node: Double] {
    var distances = [start: 0.0]
    var changed = true
    while changed {
      changed = false
      for (edge, weight) in weights {
        guard let distance = distances[edge.from] else { continue }
        if distance + weight < distances[edge.to, default: .infinity] {
          distances[edge.to] = distance + weight
          changed = true
        }
      }
    }
    return distances
  }
}

func describe(_ shapes: [any Shape], factor: Int) -> [String] {
  func text<S: Shape>(_ shape: S) -> String {
    let scaled = shape.scaled(by: factor)
    let most = scaled.parts.max().map { "\($0)" } ?? "none"
    return
      "\(S.self): \(scaled.parts.count) parts, at most \(most), \(Set(scaled.parts).count) of them different"
  }
  return shapes.map { text($0) }
}

actor Counter {
  private var counts: [String: Int] = [:]
  func add(_ word: String) -> Int {
    counts[word, default: 0] += 1
    return counts[word, default: 0]
  }
  func most(_ number: Int) -> [(key: String, value: Int)] {
    Array(counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(number))
  }
}

@main
struct Program {
  static func main() async {
    let graph = Graph<Int>()
    for number in 1...60 { for step in [2, 3, 5] { graph.connect(number, number * step % 61) } }
    let tree = Tree.table(["a": .list([.leaf(3), .leaf(1)]), "b": .branch(.leaf(2), .leaf(5))])
    let counter = Counter()
    await withTaskGroup(of: Int.self) { group in
      for word in "one two two three three three".split(separator: " ") {
        group.addTask { await counter.add(String(word)) }
      }
    }
    let words = await counter.most(2).map(\.key).joined(separator: " ")
    print(graph.reachable(from: 1).count, graph.distances(from: 1).count, words)
    print(tree.map { $0 * 2 }.sorted(), tree.count)
    print(describe([Line(parts: ["a", "b"]), Grid(parts: [1, 2])], factor: 3))
  }
}
