// A test that asks what would have happened.

import RondoHistory
import RondoRecording

/// Writes a test in which a recording goes on in another way from an action on.
///
/// As it is written it does what was recorded, and passes. Its reader changes the action, or the code.
struct ForkWriter {
  let text: String

  init(_ history: History, at number: Int, _ options: TestOptions) throws(CommandFailure) {
    guard let action = history.actions[number] else {
      let last = history.actions.keys.max() ?? 0
      throw CommandFailure(
        .data, "\(history.name): there is no action \(number); the last one is \(last)")
    }
    let begin = history.begin
    guard begin.data != nil, action.data != nil else {
      throw CommandFailure(
        .data,
        "\(history.name): its states and actions were not recorded as data, so it cannot fork; make "
          + "both types 'Codable'")
    }
    let imports =
      (options.imports.isEmpty ? ["<#the module of the feature#>"] : options.imports)
      .map { "@testable import \($0)\n" }.joined()
    let reducer =
      options.reducer
      ?? (begin.feature.isTypeName ? "\(begin.feature)()" : "<#the reducer#>")
    let code = action.value.code(options.style).lines(indent: 2, used: 36)
    let dependencies =
      options.dependencies.isEmpty
      ? "" : " withDependencies: {\n\(options.dependencies.map { "    \($0)\n" }.joined())  }"
    let name = options.name?.asFunctionName ?? "whatIfAction\(number)IsAnother"
    text = """
      // Written by 'rondo test --fork-at \(number)' from \(history.name.onOneLine).

      import Foundation
      import RondoRecording
      import Testing

      \(imports)
      @Test func \(name)() throws {
        // The recording is beside this file.
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let recording = try RecordingFile(
          contentsOf: folder.appending(path: \(history.name.debugDescription)))
        let fork = try recording.fork(at: \(number)) {
          \(reducer)
        }\(dependencies)
        // This is what was recorded. Another action in its place, or none, leads elsewhere.
        let outcome = try fork.run(instead: \(code))
        #expect(outcome.first == nil)
        #expect(outcome.meetsAgain == nil)
      }

      """
  }
}
