// `@CasePathable` as the compiler expands it.

import Rondo
import Testing

@CasePathable
private enum Action {
  case reset
  case set(Int)
  case rename(to: String)
  case move(Int, to: Int)
  case pair((Int, Int))
  case maybe(Int?)
  case never(Never)
  case start(at: Int = 0)
  case `default`
  #if os(Linux)
    case signalled
  #else
    case opened
  #endif
}

@CasePathable
@dynamicMemberLookup
indirect enum Tree<Leaf> {
  case leaf(Leaf)
  case node(Self, [Tree<Leaf>])
}

@CasePathable
enum Nothing {}

/// Names that a sequence of case paths has, too.
struct Page<Element: Sendable> {
  @CasePathable
  enum Root {
    case loaded(Result<[Element], any Error>)
    case one(Element)
    indirect case again(Root)
  }
}

public struct Outer<Value> {
  @CasePathable
  fileprivate enum Hidden {
    case value(Value)
  }
}

extension Outer {
  @CasePathable
  public enum Shown: Equatable where Value: Equatable {
    case value(Value)
  }
}

@CasePathable
private enum Callback {
  case one(@MainActor (Int) -> Void)
  case two(@MainActor (Self) -> Void, Int)
}

// C7, C10
struct CasePathableUseTests {
  @Test("A closure of a global actor may be carried")
  func closures() {
    let callback = Callback.two({ _ in }, 2)
    #expect(callback.is(\.two))
    #expect(callback[case: \.two]?.1 == 2)
    #expect(callback[case: \.one] == nil)
  }

  @Test("An enum and what it carries may be called as a sequence calls its own")
  func namesOfSequences() {
    let page = Page<Int>.Root.again(.one(1))
    #expect(page[case: \.again.one] == 1)
    #expect(page[case: \.loaded.success] == nil)
    #expect(Array(Page<Int>.Root.allCasePaths).count == 3)
  }

  @Test("What is embedded is extracted, and from no other case")
  func laws() {
    let paths = Action.allCasePaths
    #expect(paths.set.extract(from: paths.set.embed(1)) == 1)
    #expect(paths.rename.extract(from: .rename(to: "a")) == "a")
    #expect(paths.reset.extract(from: .set(1)) == nil)
    #expect(paths.reset.extract(from: .reset) != nil)
    #expect(paths.default.extract(from: paths.default.embed()) != nil)
    #expect(paths.maybe.extract(from: .maybe(nil)) == .some(nil))
    #expect(paths.start.extract(from: .start()) == 0)
  }

  @Test("Several values are a tuple with the labels of the case")
  func tuples() {
    let moved = Action.allCasePaths.move.extract(from: .move(1, to: 2))
    #expect(moved?.0 == 1)
    #expect(moved?.to == 2)
    let pair = Action.allCasePaths.pair.extract(from: .pair((1, 2)))
    #expect(pair?.0 == 1)
    #expect(Action.allCasePaths.move.embed((3, to: 4)).is(\.move))
  }

  @Test("Case paths are listed in the order of declaration, and name the case of a value")
  func reflection() {
    #expect(Array(Action.allCasePaths).count == 10)
    #expect(Action.allCasePaths.first { _ in true } == \.reset)
    #expect(Action.allCasePaths[.rename(to: "")] == \.rename)
    #expect(Array(Nothing.allCasePaths).isEmpty)
  }

  @Test("Generic, recursive and nested enums have case paths, too")
  func generic() {
    let tree = Tree<Int>.node(.leaf(1), [.leaf(2)])
    #expect(tree[case: \.node]?.0.leaf == 1)
    #expect(Outer<Int>.Hidden.value(1).is(\.value))
    #expect(Outer<Int>.Shown.value(1)[case: \.value] == 1)
  }
}
