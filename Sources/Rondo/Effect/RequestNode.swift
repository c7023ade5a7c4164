// An effect that asks the host of its machine for something, while its action is handled.

extension Effect {
  /// An effect that hands a request to the host when it is started, and ends.
  package static func request(_ request: any HostRequest) -> Self {
    Self(node: RequestNode(request))
  }
}

private final class RequestNode: EffectNode {
  private let request: any HostRequest
  /// The dependencies in force where the effect was made.
  private let dependencies = DependencyValues.current

  init(_ request: any HostRequest) {
    self.request = request
  }

  override var label: String { request.label }

  override func start(under parent: Frame, _ interpreter: Interpreter) {
    if let take = interpreter.takeRequest {
      take(request)
    } else {
      dependencies.whileInForceIfAny { request.wasNotTaken() }
    }
    interpreter.finishChild(of: parent)
  }
}
