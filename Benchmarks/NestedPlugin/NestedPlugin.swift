// Lets the build write the features of the nested workloads.

import PackagePlugin

@main
struct NestedPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let file = context.pluginWorkDirectoryURL.appending(path: "Nested.swift")
    return [
      .buildCommand(
        displayName: "Writing \(file.lastPathComponent)",
        executable: try context.tool(named: "nested-features").url, arguments: [file.path],
        outputFiles: [file])
    ]
  }
}
