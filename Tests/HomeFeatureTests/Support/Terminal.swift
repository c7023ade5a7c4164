// The pseudo-terminal that programs are run on, in every file of these tests.

@_exported import RondoPseudoTerminal

typealias Terminal = PseudoTerminal
