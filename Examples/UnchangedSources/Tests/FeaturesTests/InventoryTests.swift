import ComposableArchitecture
import Foundation
import Testing

@testable import Features

extension Item {
  static let mock = Item(id: UUID(0), name: "Headphones", quantity: 20)
}

@MainActor
struct InventoryTests {
  @Test
  func add() async {
    let store = TestStore(initialState: Inventory.State()) {
      Inventory()
    } withDependencies: {
      $0.uuid = .incrementing
    }

    await store.send(.addButtonTapped) {
      $0.destination = .add(ItemForm.State(item: Item(id: UUID(0), name: "")))
    }
    await store.send(\.destination.add.binding.item, Item(id: UUID(0), name: "Keyboard")) {
      $0.destination?.modify(\.add) { $0.item.name = "Keyboard" }
    }
    await store.send(
      .destination(.presented(.add(.binding(.set(\.item.quantity, 3)))))
    ) {
      $0.$destination[case: \.add]?.item.quantity = 3
    }
    await store.send(.destination(.presented(.add(.saveButtonTapped))))
    await store.receive(\.destination.add.delegate.save) {
      $0.items = [Item(id: UUID(0), name: "Keyboard", quantity: 3)]
    }
    await store.receive(\.destination.dismiss) {
      $0.destination = nil
    }
  }

  @Test
  func delete() async {
    let store = TestStore(initialState: Inventory.State(items: [.mock])) {
      Inventory()
    }
    await store.send(.deleteButtonTapped(id: Item.mock.id)) {
      $0.destination = .alert(.deleteItem(.mock))
    }
    await store.send(.destination(.presented(.alert(.confirmDeletion(id: Item.mock.id))))) {
      $0.destination = nil
      $0.items = []
    }
  }

  @Test
  func duplicate() async {
    let store = TestStore(initialState: Inventory.State(items: [.mock])) {
      Inventory()
    } withDependencies: {
      $0.uuid = .constant(UUID(1))
    }
    await store.send(.moreButtonTapped(.mock)) {
      $0.destination = .confirmationDialog(
        ConfirmationDialogState {
          TextState("What to do with Headphones?")
        } actions: {
          ButtonState(role: .cancel) {
            TextState("Cancel")
          }
          ButtonState(action: .duplicate(UUID(0))) {
            TextState("Duplicate")
          }
          ButtonState(role: .destructive, action: .send(.remove(UUID(0)), animation: .default)) {
            TextState("Remove")
          }
        } message: {
          TextState("It cannot be undone.")
        }
      )
    }
    await store.send(\.destination.confirmationDialog.duplicate, UUID(0)) {
      $0.destination = nil
      $0.items.append(Item(id: UUID(1), name: "Headphones (copy)", quantity: 20))
    }
    await store.send(.onDelete([1])) {
      $0.items = [.mock]
    }
  }

  @Test
  func cancelEdit() async {
    let store = TestStore(initialState: Inventory.State(items: [.mock])) {
      Inventory()
    }
    await store.send(.itemTapped(.mock)) {
      $0.destination = .edit(ItemForm.State(focus: nil, item: .mock))
    }
    await store.send(\.destination.edit.cancelButtonTapped)
    await store.receive(\.destination.dismiss) {
      $0.destination = nil
    }
  }

  @Test
  func dismissedRoot() async {
    let isDismissInvoked = LockIsolated(false)
    let store = TestStore(initialState: ItemForm.State(item: .mock)) {
      ItemForm()
    } withDependencies: {
      $0.dismiss = DismissEffect { isDismissInvoked.setValue(true) }
    }
    await store.send(.saveButtonTapped)
    await store.receive(.delegate(.save(.mock)))
    #expect(isDismissInvoked.value)
  }
}
