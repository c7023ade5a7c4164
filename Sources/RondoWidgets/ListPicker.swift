// A list with a selection that moves and scrolls.

import RondoStage

/// The selection of a list, and the part of the list that is seen. The elements stay in your own
/// state.
///
/// ```swift
/// struct State {
///   var tasks: IdentifiedArrayOf<Item> = []
///   var list = ListPickerState<Item.ID>()
/// }
/// enum Action { case list(ListPickerAction<Item.ID>) }
///
/// Reduce { state, action in … }
///   .listPicker(\.list, action: \.list, elements: \.tasks)
/// ```
///
/// A key map hands it what moves it, and a view shows it:
///
/// ```swift
/// KeyMap { Forward(ListPickerAction.init) { .list($0) } }
/// state.list.view(state.tasks, in: size) { task, _ in Node.text(task.title) }
/// ```
///
/// The selection is the id of an element, so that it stays with its element when others come and
/// go.
public struct ListPickerState<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The element that is selected; `nil` for the first one.
  public var selection: ID?

  /// The first row that is seen. A view that is lower than ``height`` scrolls further by itself.
  public var top: Int

  /// The number of rows that are seen, for PageUp and PageDown, and so that the list scrolls no
  /// earlier than it has to. Set it when the terminal gets another size.
  public var height: Int

  /// A list with a selection.
  ///
  /// - Parameters:
  ///   - selection: The element that is selected; `nil` for the first one.
  ///   - height: The number of rows that are seen.
  public init(selection: ID? = nil, height: Int = 10) {
    self.selection = selection
    self.height = height
    top = 0
  }
}

/// An action of a list.
public enum ListPickerAction<ID: Hashable & Sendable>: Hashable, Sendable, CasePathable {
  /// The selection moves.
  case move(ScrollMove)
  /// A certain element is selected.
  case select(ID)

  /// The action of an event; `nil` if the event is not for a list. See ``ScrollMove``.
  public init?(_ event: TerminalEvent) {
    guard let move = ScrollMove(event) else { return nil }
    self = .move(move)
  }

  /// The case paths of a list's actions.
  public struct AllCasePaths: Sendable {
    /// The path to `move`.
    public var move: AnyCasePath<ListPickerAction, ScrollMove> {
      AnyCasePath(embed: { .move($0) }) { if case .move(let move) = $0 { move } else { nil } }
    }

    /// The path to `select`.
    public var select: AnyCasePath<ListPickerAction, ID> {
      AnyCasePath(embed: { .select($0) }) { if case .select(let id) = $0 { id } else { nil } }
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension Reducer {
  /// Moves the selection of a list, and keeps it on an element.
  ///
  /// When an action of the feature removes the element that is selected, the one in its place is
  /// selected next. So this comes behind the reducers that change the elements.
  ///
  /// - Parameters:
  ///   - list: The selection.
  ///   - action: The case of the list's actions.
  ///   - elements: The elements that are listed: a property, or a computed one for a part of them.
  public func listPicker<Elements: RandomAccessCollection>(
    _ list: WritableKeyPath<State, ListPickerState<Elements.Element.ID>>,
    action: CaseName<Action, ListPickerAction<Elements.Element.ID>>,
    elements: @escaping (State) -> Elements
  ) -> some Reducer<State, Action>
  where Elements.Element: Identifiable, Elements.Element.ID: Sendable, Action: CasePathable {
    ListPickerReducer(
      base: self, list: list, action: Action.allCasePaths[keyPath: action], elements: elements)
  }
}

private struct ListPickerReducer<Base: Reducer, Elements: RandomAccessCollection>: Reducer
where Elements.Element: Identifiable, Elements.Element.ID: Sendable {
  typealias ID = Elements.Element.ID

  let base: Base
  let list: WritableKeyPath<Base.State, ListPickerState<ID>>
  let action: AnyCasePath<Base.Action, ListPickerAction<ID>>
  let elements: (Base.State) -> Elements

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    // A selection that is not there yet, as one that was saved, waits for its element.
    let row = state[keyPath: list].selectedRow(in: elements(state))
    let effect = base.reduce(into: &state, action: action)
    let elements = elements(state)
    var next = state[keyPath: list]
    if let row { next.follow(row, in: elements) }
    if let action = self.action.extract(from: action) { next.apply(action, to: elements) }
    next.scroll(count: elements.count)
    if next != state[keyPath: list] { state[keyPath: list] = next }
    return effect
  }
}

extension ListPickerState {
  /// The row of the selection, from 0: the first one where nothing is selected that is there.
  func row<Elements: RandomAccessCollection>(in elements: Elements) -> Int
  where Elements.Element: Identifiable, Elements.Element.ID == ID {
    selectedRow(in: elements) ?? 0
  }

  /// The row of the selection, from 0; `nil` where nothing is selected that is there.
  fileprivate func selectedRow<Elements: RandomAccessCollection>(in elements: Elements) -> Int?
  where Elements.Element: Identifiable, Elements.Element.ID == ID {
    selection.flatMap { id in elements.firstRow { $0.id == id } }
  }

  /// The element that is selected: the first one where nothing is selected that is there, and `nil`
  /// if there is none.
  public func selected<Elements: RandomAccessCollection>(in elements: Elements) -> Elements.Element?
  where Elements.Element: Identifiable, Elements.Element.ID == ID {
    elements.isEmpty
      ? nil : elements[elements.index(elements.startIndex, offsetBy: row(in: elements))]
  }

  /// Selects the element that is now in a row, if the one that was selected has gone.
  fileprivate mutating func follow<Elements: RandomAccessCollection>(
    _ row: Int, in elements: Elements
  ) where Elements.Element: Identifiable, Elements.Element.ID == ID {
    guard let selection, !elements.contains(where: { $0.id == selection }) else { return }
    select(row, in: elements)
  }

  fileprivate mutating func apply<Elements: RandomAccessCollection>(
    _ action: ListPickerAction<ID>, to elements: Elements
  ) where Elements.Element: Identifiable, Elements.Element.ID == ID {
    switch action {
    case .move(let move):
      let row = move.moved(row(in: elements), page: height, count: elements.count)
      select(row, in: elements)
    case .select(let id): if elements.contains(where: { $0.id == id }) { selection = id }
    }
    top = Self.top(top, showing: row(in: elements), height: height)
  }

  /// Selects the element in a row, or the last one.
  private mutating func select<Elements: RandomAccessCollection>(
    _ row: Int, in elements: Elements
  ) where Elements.Element: Identifiable, Elements.Element.ID == ID {
    guard !elements.isEmpty else { return selection = nil }
    let row = min(row, elements.count - 1)
    selection = elements[elements.index(elements.startIndex, offsetBy: row)].id
  }

  /// Leaves no empty rows below the last element.
  fileprivate mutating func scroll(count: Int) {
    top = max(0, min(top, count - max(1, height)))
  }

  /// The first row, such that a certain one is seen.
  static func top(_ top: Int, showing row: Int, height: Int) -> Int {
    let height = max(1, height)
    return min(max(top, row - height + 1), row)
  }
}

extension RandomAccessCollection {
  /// The number of elements before the first that is asked for.
  fileprivate func firstRow(where isWanted: (Element) -> Bool) -> Int? {
    firstIndex(where: isWanted).map { distance(from: startIndex, to: $0) }
  }
}

// MARK: - View

extension ListPickerState {
  /// The rows that there is room for, with a mark before the one that is selected, and a bar at the
  /// right if there are more.
  ///
  /// - Parameters:
  ///   - elements: The same elements that the reducer lists.
  ///   - size: The room.
  ///   - isFocused: Whether the list gets the keys, which is seen by the colour of the selection.
  ///   - row: Makes the row of an element, with the room that it has.
  public func view<Elements: RandomAccessCollection>(
    _ elements: Elements,
    in size: TerminalSize,
    isFocused: Bool = true,
    row: (Elements.Element, TerminalSize) -> some View
  ) -> Node where Elements.Element: Identifiable, Elements.Element.ID == ID {
    let selected = self.row(in: elements)
    let height = max(0, size.height)
    let top = Self.top(
      max(0, min(top, elements.count - height)), showing: selected, height: height)
    let shown = height == 0 ? 0..<0 : top..<min(elements.count, top + height)
    let hasBar = elements.count > height
    let room = TerminalSize(width: max(0, size.width - 2 - (hasBar ? 2 : 0)), height: 1)
    return Node.group {
      shown.map { index in
        let element = elements[elements.index(elements.startIndex, offsetBy: index)]
        let isSelected = index == selected
        var line = Node.group {
          Node.text(isSelected ? "▸" : " ")
          row(element, room).fitted(in: room).offset(x: 2)
        }
        .frame(width: Double(room.width + 2), height: 1)
        if isSelected, isFocused { line = line.foreground(.white).background(Color(0x3A3A55)) }
        return line.offset(y: Double(index - top)).id(element.id)
      }
      Node.scrollbar(top: top, shown: shown.count, of: elements.count)
        .offset(x: Double(size.width - 1))
    }
    .fitted(in: size)
  }
}
