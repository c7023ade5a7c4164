// The program that makes packages and looks at recordings.

import Foundation
import RondoInspection

// The bytes as they are: names of files need not be text.
let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { number in
  CommandLine.unsafeArgv[number].map { argument in
    String(argument: (0..<strlen(argument)).map { UInt8(bitPattern: argument[$0]) })
  }
}
exit(CommandProgram.rondo.run(arguments: arguments).write())
