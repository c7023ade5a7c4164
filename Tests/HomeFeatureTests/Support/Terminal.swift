// The pseudo-terminal that programs are run on, in every file of these tests.

@_exported import PseudoTerminal

typealias Terminal = PseudoTerminal
