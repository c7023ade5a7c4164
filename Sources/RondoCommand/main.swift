// The program that looks at recordings.

import Foundation
import RondoInspection

let result = InspectionCommand.run(arguments: Array(CommandLine.arguments.dropFirst()))
exit(result.write())
