// The pseudo-terminal that programs are run on, in every file of these tests.

@_exported import RondoProcesses

typealias Terminal = PseudoTerminal
