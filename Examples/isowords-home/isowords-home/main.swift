// The entry of the program.

import Foundation
import RondoHomeProgram

// Writing to a pipe that nobody reads is to fail, not to kill, and so is writing beyond a limit.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)

let environment = ProcessInfo.processInfo.environment
let program = Program(
  arguments: Program.arguments(),
  environment: environment
)
await program.run(environment: environment)
