// The executable that the compiler talks to, and the macros that it finds there.

@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// Answers the compiler's requests on standard input and output, until the input ends.
@main
struct Plugin: PluginProvider {
  static func main() throws {
    let connection = try StandardIOMessageConnection()
    try CompilerPluginMessageListener(connection: connection, provider: Plugin()).main()
  }

  /// The macros, by the type names that their declarations give in `#externalMacro`.
  static var macros: [String: any Macro.Type] {
    [
      "CasePathableMacro": CasePathableMacro.self,
      "DependencyClientMacro": DependencyClientMacro.self,
      "DependencyEndpointMacro": DependencyEndpointMacro.self,
      "DependencyEntryMacro": DependencyEntryMacro.self,
      "MarkerMacro": MarkerMacro.self,
      "ObservableStateMacro": ObservableStateMacro.self,
      "ObservationStateIgnoredMacro": ObservationStateIgnoredMacro.self,
      "ObservationStateTrackedMacro": ObservationStateTrackedMacro.self,
      "PresentsMacro": PresentsMacro.self,
      "ReducerMacro": ReducerMacro.self,
      "ViewActionMacro": ViewActionMacro.self,
    ]
  }

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    guard let macro = Self.macros[typeName] else { throw UnknownMacro(typeName: typeName) }
    return macro
  }
}

/// The library declares a macro that the plug-in does not have.
struct UnknownMacro: Error, CustomStringConvertible {
  let typeName: String

  var description: String { "The macro plug-in has no '\(typeName)'. Clean the build and retry." }
}
