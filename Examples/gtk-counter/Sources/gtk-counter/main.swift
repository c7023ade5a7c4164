// A counter in a window of GTK 4: all that such a program needs.

import CGTK
import Rondo

@Reducer
struct Counter: Reducer {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var isCounting = false
  }

  enum Action { case decrementTapped, incrementTapped, ticked, timerTapped }
  enum CancelID { case timer }
  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .decrementTapped: state.count -= 1
      case .incrementTapped, .ticked: state.count += 1
      case .timerTapped:
        state.isCounting.toggle()
        guard state.isCounting else { return .cancel(id: CancelID.timer) }
        return .run { [clock] send in
          while true {
            try await clock.sleep(for: .seconds(1))
            await send(.ticked)
          }
        }
        .cancellable(id: CancelID.timer)
      }
      return .none
    }
  }
}

// No `await` here and no asynchronous main function: the first thread stays with GLib's loop.
guard gtk_init_check() != 0 else {
  FileHandle.standardError.write(Data("gtk-counter: there is no display\n".utf8))
  exit(69)
}
g_unix_fd_add(
  MainQueue.fileDescriptor, G_IO_IN,
  { _, _, _ in
    MainQueue.runPending()
    return 1
  }, nil)

let store = Store(initialState: Counter.State()) { Counter() }
let window = gtk_window_new()!
let label = gtk_label_new(nil)!
let timer = gtk_button_new()!
let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)!
let minus = gtk_button_new_with_label("−")!
let plus = gtk_button_new_with_label("+")!

// A callback is a C function that captures nothing. It runs on the first thread, the main actor's.
cgtk_on_click(minus) { _ in MainActor.assumeIsolated { _ = store.send(.decrementTapped) } }
cgtk_on_click(plus) { _ in MainActor.assumeIsolated { _ = store.send(.incrementTapped) } }
cgtk_on_click(timer) { _ in MainActor.assumeIsolated { _ = store.send(.timerTapped) } }

@MainActor func show(_ state: Counter.State) {
  gtk_label_set_text(cgtk_label(label), "\(state.count)")
  gtk_button_set_label(cgtk_button(timer), state.isCounting ? "Stop" : "Count")
  gtk_window_set_title(cgtk_window(window), "Count: \(state.count)")
}

for widget in [minus, label, plus, timer] { gtk_box_append(cgtk_box(box), widget) }
gtk_window_set_child(cgtk_window(window), box)
show(store.state)
let subscription = store.subscribe { show($0.newState) }
gtk_window_present(cgtk_window(window))
while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
