// The executable that the compiler talks to.

@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// Answers the compiler's requests on standard input and output, until the input ends.
@main
struct Plugin: PluginProvider {
  static func main() throws {
    let connection = try StandardIOMessageConnection()
    try CompilerPluginMessageListener(connection: connection, provider: Plugin()).main()
  }

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    guard let macro = macros[typeName] else { throw UnknownMacro(typeName: typeName) }
    return macro
  }
}

/// The library declares a macro that the plug-in does not have.
struct UnknownMacro: Error, CustomStringConvertible {
  let typeName: String

  var description: String { "The macro plug-in has no '\(typeName)'. Clean the build and retry." }
}
