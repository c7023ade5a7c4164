import ComposableArchitecture
import Foundation

struct Item: Equatable, Identifiable, Codable, Sendable {
  let id: UUID
  var name: String
  var quantity = 1
}

@Reducer
struct ItemForm {
  @ObservableState
  struct State: Equatable, Sendable {
    enum Field: Hashable, Sendable { case name, quantity }

    var focus: Field? = .name
    var item: Item

    init(focus: Field? = .name, item: Item) {
      self.focus = focus
      self.item = item
    }
  }

  enum Action: BindableAction, Equatable, Sendable {
    case binding(BindingAction<State>)
    case saveButtonTapped
    case cancelButtonTapped
    case delegate(Delegate)

    @CasePathable
    enum Delegate: Equatable, Sendable {
      case save(Item)
    }
  }

  @Dependency(\.dismiss) var dismiss
  @Dependency(\.isPresented) var isPresented

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce<State, Action> { state, action in
      switch action {
      case .binding(\.item.quantity):
        state.item.quantity = max(1, state.item.quantity)
        return .none
      case .binding:
        return .none
      case .saveButtonTapped:
        return .run { [item = state.item] send in
          await send(.delegate(.save(item)))
          await self.dismiss()
        }
      case .cancelButtonTapped:
        guard isPresented else { return .none }
        return .run { _ in await self.dismiss(animation: .default) }
      case .delegate:
        return .none
      }
    }
  }
}

@Reducer
struct Inventory {
  @Reducer(state: .equatable)
  enum Destination {
    case add(ItemForm)
    case edit(ItemForm)
    case alert(AlertState<Alert>)
    case confirmationDialog(ConfirmationDialogState<Dialog>)

    @CasePathable
    enum Alert: Equatable {
      case confirmDeletion(id: Item.ID)
    }
    @CasePathable
    enum Dialog: Equatable {
      case duplicate(Item.ID)
      case remove(Item.ID)
    }
  }

  @ObservableState
  struct State: Equatable {
    @Presents var destination: Destination.State?
    var items: IdentifiedArrayOf<Item> = []
  }

  enum Action {
    case addButtonTapped
    case deleteButtonTapped(id: Item.ID)
    case moreButtonTapped(Item)
    case itemTapped(Item)
    case onDelete(IndexSet)
    case destination(PresentationAction<Destination.Action>)
  }

  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .addButtonTapped:
        state.destination = .add(ItemForm.State(item: Item(id: self.uuid(), name: "")))
        return .none

      case .deleteButtonTapped(let id):
        guard let item = state.items[id: id] else { return .none }
        state.destination = .alert(.deleteItem(item))
        return .none

      case let .moreButtonTapped(item):
        state.destination = .confirmationDialog(
          ConfirmationDialogState {
            TextState("What to do with \(item.name)?")
          } actions: {
            ButtonState(role: .cancel) {
              TextState("Cancel")
            }
            ButtonState(action: .duplicate(item.id)) {
              TextState("Duplicate")
            }
            ButtonState(role: .destructive, action: .send(.remove(item.id), animation: .default)) {
              TextState("Remove")
            }
          } message: {
            TextState("It cannot be undone.")
          }
        )
        return .none

      case let .itemTapped(item):
        state.destination = .edit(ItemForm.State(focus: nil, item: item))
        return .none

      case .onDelete(let offsets):
        state.items.remove(atOffsets: offsets)
        return .none

      case .destination(.presented(.alert(.confirmDeletion(let id)))):
        state.items.remove(id: id)
        return .none

      case .destination(.presented(.confirmationDialog(.remove(let id)))):
        state.items.remove(id: id)
        return .none

      case .destination(.presented(.confirmationDialog(.duplicate(let id)))):
        guard let index = state.items.index(id: id) else { return .none }
        var copy = state.items[index]
        copy = Item(id: uuid(), name: "\(copy.name) (copy)", quantity: copy.quantity)
        state.items.insert(copy, at: index + 1)
        return .none

      case .destination(.presented(.add(.delegate(.save(let item))))):
        state.items.append(item)
        return .none

      case let .destination(.presented(.edit(.delegate(.save(item))))):
        state.items[id: item.id] = item
        return .none

      case .destination(.dismiss), .destination:
        return .none
      }
    }
    .ifLet(\.$destination, action: \.destination)
  }
}

extension AlertState where Action == Inventory.Destination.Alert {
  static func deleteItem(_ item: Item) -> Self {
    Self {
      TextState("Delete \(item.name)?")
    } actions: {
      ButtonState(role: .destructive, action: .confirmDeletion(id: item.id)) {
        TextState("Delete")
      }
      ButtonState(role: .cancel) {
        TextState("Nevermind")
      }
    } message: {
      TextState("Are you sure?")
    }
  }
}
