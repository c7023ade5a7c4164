import Rondo

let store = Store(initialState: Tasks.State()) {
  Tasks()
}
store.send(.added("Write"))
if let task = store.tasks.first {
  store.send(.tasks(.element(id: task.id, action: .toggled)))
}
print(store.tasks.map(\.isDone))
