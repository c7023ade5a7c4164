// An animation of a sprite that has not begun: it can be put into a group, or let go of to begin.

import RondoAnimation

/// An animation of sprites that has not begun.
///
/// What becomes of it is decided by what is done with it. A token that nobody captures performs
/// itself when it is released, so that a statement by itself just works:
///
/// ```swift
/// label.animate(.fadeIn())                    // begins at once
/// animate(                                    // the button begins when the label has ended
///   label.animate(.fadeIn(), .move(byX: 0, y: 50)),
///   button.animate(.fadeIn())
/// )
/// ```
///
/// A group that is made with ``sequence(_:)-([SpriteToken])`` or ``parallel(_:)-([SpriteToken])``
/// waits for ``perform(completion:)`` or for another group. Dropping it cancels it, and the tokens
/// in it do not perform themselves.
@MainActor
public final class SpriteToken {
  let choreography: Choreography
  private let performer: Performer?
  private var performsOnRelease: Bool
  private var isSpent = false

  init(_ choreography: Choreography, performer: Performer?, performsOnRelease: Bool) {
    self.choreography = choreography
    self.performer = performer
    self.performsOnRelease = performsOnRelease
  }

  isolated deinit {
    if performsOnRelease { performer?.perform(choreography) }
  }

  /// Begins, unless it has begun already or belongs to a group.
  ///
  /// - Parameter completion: What to do at the end. A token that is spent completes at once.
  /// - Returns: The performance, for cancelling it.
  @discardableResult
  public func perform(completion: @escaping @MainActor () -> Void = {}) -> Performance? {
    guard !isSpent else {
      completion()
      return nil
    }
    spend()
    guard let performer else {
      // A group of nothing has nobody to perform it, and nothing to wait for.
      completion()
      return nil
    }
    return performer.perform(choreography, completion: completion)
  }

  /// Begins, unless it has begun already or belongs to a group.
  ///
  /// - Parameter completionHandler: Runs at the end.
  @discardableResult
  @_disfavoredOverload
  public func perform(completionHandler: @escaping @MainActor () -> Void) -> Performance? {
    perform(completion: completionHandler)
  }

  /// One after another, once it is told to.
  public static func sequence(_ tokens: [SpriteToken]) -> SpriteToken {
    group(tokens, Choreography.sequence)
  }

  /// At the same time, once it is told to.
  public static func parallel(_ tokens: [SpriteToken]) -> SpriteToken {
    group(tokens, Choreography.parallel)
  }

  private static func group(
    _ tokens: [SpriteToken],
    _ combine: ([Choreography]) -> Choreography
  ) -> SpriteToken {
    let parts = tokens.filter { !$0.isSpent }
    parts.forEach { $0.spend() }
    return SpriteToken(
      combine(parts.map(\.choreography)),
      performer: tokens.lazy.compactMap(\.performer).first,
      performsOnRelease: false
    )
  }

  private func spend() {
    isSpent = true
    performsOnRelease = false
  }
}

/// A token under the name that it has elsewhere.
public typealias AnimationToken = SpriteToken

/// Performs animations of sprites one after another, from now on.
@MainActor
@discardableResult
@_disfavoredOverload
public func animate(
  _ tokens: [SpriteToken],
  completionHandler: @escaping @MainActor () -> Void
) -> Performance? {
  animate(tokens, completion: completionHandler)
}

/// Performs animations of sprites at the same time, from now on.
@MainActor
@discardableResult
@_disfavoredOverload
public func animate(
  inParallel tokens: [SpriteToken],
  completionHandler: @escaping @MainActor () -> Void
) -> Performance? {
  animate(inParallel: tokens, completion: completionHandler)
}

extension Sprite {
  /// Steps one after another.
  @discardableResult
  public func animate(_ steps: [SpriteStep]) -> SpriteToken {
    token(steps, Choreography.sequence)
  }

  /// Steps one after another.
  @discardableResult
  public func animate(_ steps: SpriteStep...) -> SpriteToken {
    animate(steps)
  }

  /// Steps at the same time, until the longest has ended.
  @discardableResult
  public func animate(inParallel steps: [SpriteStep]) -> SpriteToken {
    token(steps, Choreography.parallel)
  }

  /// Steps at the same time, until the longest has ended.
  @discardableResult
  public func animate(inParallel steps: SpriteStep...) -> SpriteToken {
    animate(inParallel: steps)
  }

  private func token(
    _ steps: [SpriteStep],
    _ combine: ([Choreography]) -> Choreography
  ) -> SpriteToken {
    let parts = steps.map { step in
      Choreography.step(duration: step.duration, of: performer) { self.begin(step, at: $0) }
    }
    return SpriteToken(combine(parts), performer: performer, performsOnRelease: true)
  }
}

/// Performs animations of sprites one after another, from now on.
@MainActor
@discardableResult
public func animate(
  _ tokens: [SpriteToken],
  completion: @escaping @MainActor () -> Void = {}
) -> Performance? {
  SpriteToken.sequence(tokens).perform(completion: completion)
}

/// Performs animations of sprites one after another, from now on.
@MainActor
@discardableResult
public func animate(
  _ tokens: SpriteToken...,
  completion: @escaping @MainActor () -> Void = {}
) -> Performance? {
  animate(tokens, completion: completion)
}

/// Performs animations of sprites at the same time, from now on.
@MainActor
@discardableResult
public func animate(
  inParallel tokens: [SpriteToken],
  completion: @escaping @MainActor () -> Void = {}
) -> Performance? {
  SpriteToken.parallel(tokens).perform(completion: completion)
}

/// Performs animations of sprites at the same time, from now on.
@MainActor
@discardableResult
public func animate(
  inParallel tokens: SpriteToken...,
  completion: @escaping @MainActor () -> Void = {}
) -> Performance? {
  animate(inParallel: tokens, completion: completion)
}
