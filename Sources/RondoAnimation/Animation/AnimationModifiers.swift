// Modifiers of an animation: later, faster, again and again.
//
// Each modifier maps the time that it is given to the time that the animation inside is given.
// That is why their order matters.

extension Animation {
  /// Starts later. The old value shows meanwhile.
  ///
  /// Order matters: `.delay(2).speed(2)` starts after one second, `.speed(2).delay(2)` after two;
  /// `.delay(1).repeatCount(3)` waits before each leg, `.repeatCount(3).delay(1)` only once.
  ///
  /// - Parameter delay: In seconds. A negative delay starts part of the way in.
  public func delay(_ delay: Double) -> Animation {
    modified(by: .delayed(by: delay))
  }

  /// Runs faster or slower, delays that were added before included.
  ///
  /// - Parameter speed: 2 for twice as fast. At 0 and below, time stands still.
  public func speed(_ speed: Double) -> Animation {
    modified(by: .sped(by: speed))
  }

  /// Runs several times.
  ///
  /// - Parameters:
  ///   - repeatCount: The number of legs. The way back is a leg too: after an even number of legs
  ///     with `autoreverses`, the presentation is back at the start and then shows the model.
  ///   - autoreverses: Whether every other leg runs backwards.
  public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation {
    modified(
      by: .repeated(count: repeatCount, autoreverses: autoreverses, leg: form.duration))
  }

  /// Runs without end, until the value that it moves is changed again.
  ///
  /// A change without an animation stops it at once. An animation that ends takes over from it, and
  /// when that is over nothing of it is left. Another one without end takes over where the value is.
  ///
  /// - Parameter autoreverses: Whether every other leg runs backwards.
  public func repeatForever(autoreverses: Bool = true) -> Animation {
    modified(by: .repeatedForever(autoreverses: autoreverses, leg: form.duration))
  }

  /// Counts as complete earlier than it does by itself. The motion stays as it is.
  ///
  /// It decides when a completion with ``AnimationCompletionCriteria/logicallyComplete`` runs.
  ///
  /// - Parameter duration: In seconds from the start. One that is longer than what the animation
  ///   takes by itself changes nothing.
  public func logicallyComplete(after duration: Double) -> Animation {
    modified(by: .logicallyComplete(after: duration))
  }
}
