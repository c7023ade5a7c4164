// The entry of the program.

import Foundation
import HomeProgram

// Writing to a pipe that nobody reads is to fail, not to kill.
signal(SIGPIPE, SIG_IGN)

let environment = ProcessInfo.processInfo.environment
let program = Program(
  arguments: Program.arguments(),
  environment: environment
)
await program.run(environment: environment)
