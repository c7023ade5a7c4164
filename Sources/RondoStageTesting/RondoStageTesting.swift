// Exports of this module: a test that imports it sees the stage.

@_exported import RondoStage
