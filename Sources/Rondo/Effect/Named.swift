// `named`: a name for an effect that is put together of others.

import RondoScheduling

extension Effect {
  /// The effect under a name, by which recordings and tools tell it from others.
  ///
  /// ```swift
  /// loadSavedGames: {
  ///   file.read.receive(on: queue).map(decode).named("fileClient.loadSavedGames")
  /// }
  /// ```
  ///
  /// What is put together of several operators, as an endpoint of a client that returns an effect, is one thing then. It
  /// runs as without a name.
  ///
  /// - Parameter name: The name.
  public func named(
    _ name: String,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    modified { NamedNode($0, name, at: SourcePosition(fileID, filePath, line, column)) }
  }
}

final class NamedNode: ModifierNode {
  let name: String
  private let madeAt: SourcePosition

  init(_ child: EffectNode, _ name: String, at position: SourcePosition) {
    self.name = name
    madeAt = position
    super.init(child)
  }

  override var label: String { "named \"\(name)\"" }
  override var position: SourcePosition? { madeAt }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    let frame = NamedFrame(self, under: parent)
    interpreter.journal?.didStart(frame)
    return frame
  }
}

private final class NamedFrame: Frame {
  private let node: NamedNode

  override var effectKind: String? { "named" }
  override var label: String? { node.label }
  override var position: SourcePosition? { node.position }

  init(_ node: NamedNode, under parent: Frame) {
    self.node = node
    super.init(under: parent)
  }
}
