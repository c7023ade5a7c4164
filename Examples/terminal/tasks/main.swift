// A list of tasks on a terminal: `tasks [FILE]`.

import RondoWidgets

func fail(_ status: Int32, _ problem: String) -> Never {
  FileHandle.standardError.write(Data("tasks: \(problem)\n".utf8))
  exit(status)
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.contains("--help") {
  print("tasks [FILE]: keeps a list of tasks in a file, tasks.json if none is named.")
  exit(0)
}
if let option = arguments.first(where: { $0.hasPrefix("-") }) {
  fail(64, "there is no option \(option), only --help")
}
guard arguments.count < 2 else {
  fail(64, "there are \(arguments.count) files, and one can be kept")
}

let file = URL(filePath: arguments.first ?? "tasks.json")
let items = Shared(wrappedValue: IdentifiedArrayOf<Item>(), .fileStorage(file))
let store = Store(initialState: Tasks.State(items: items)) {
  Tasks()
}
do {
  try await Terminal().run(store) { state, size in
    state.screen(in: size)
  } keys: { state in
    state.keys
  }
  try await items.save()
} catch {
  fail(74, "\(error)")
}
