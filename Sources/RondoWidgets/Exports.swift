// Modules that every user of widgets needs as well.

@_exported import Rondo
@_exported import RondoStage
@_exported import RondoTerminal
