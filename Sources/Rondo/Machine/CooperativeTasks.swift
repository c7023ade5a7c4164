// The turn in which a machine runs the closures of cooperative effects.

extension Interpreter {
  /// Runs the closures that the turn has started.
  ///
  /// - Parameter isOnMainActor: Whether the host lives on the main actor, where others do as well.
  func runTasks(isOnMainActor: Bool) {
    mustRunTasks = false
    let executor = hostExecutor
    // A reducer or an observing closure further up the stack must not be mixed with the closures.
    if isOnMainActor, ObserveToken.isRunning || MainActorWork.isAnyReducing {
      executor.runLater()
    } else {
      executor.run()
    }
  }
}
