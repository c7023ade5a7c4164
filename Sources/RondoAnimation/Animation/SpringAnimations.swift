// Animations by a spring.

extension Animation {
  /// A spring of 0.5 s that does not bounce.
  public static var spring: Animation { spring() }

  /// A spring by its perceptual duration and its bounce.
  ///
  /// - Parameters:
  ///   - duration: The pace, in seconds: the period that the spring would have without damping.
  ///   - bounce: 0 for none, up to 1 for a spring that never rests; below 0 it creeps to its end.
  ///   - blendDuration: Is kept and compared. A spring that replaces a running one here always
  ///     continues with its value and velocity, so there is nothing to blend.
  public static func spring(
    duration: Double = 0.5,
    bounce: Double = 0,
    blendDuration: Double = 0
  ) -> Animation {
    Animation(
      base: .spring(.timed(duration: duration, bounce: bounce, blendDuration: blendDuration))
    )
  }

  /// A spring by its response and its damping fraction.
  ///
  /// - Parameters:
  ///   - response: The pace, in seconds: the period that the spring would have without damping.
  ///   - dampingFraction: 1 for a spring that just does not bounce, less for one that does.
  ///   - blendDuration: Is kept and compared, no more.
  @_disfavoredOverload
  public static func spring(
    response: Double = 0.5,
    dampingFraction: Double = 0.825,
    blendDuration: Double = 0
  ) -> Animation {
    let form = SpringForm.damped(
      response: response,
      dampingFraction: dampingFraction,
      blendDuration: blendDuration
    )
    return Animation(base: .spring(form))
  }

  /// A spring that is given as such.
  ///
  /// - Parameters:
  ///   - spring: The spring.
  ///   - blendDuration: Is kept and compared, no more.
  public static func spring(_ spring: Spring, blendDuration: Double = 0) -> Animation {
    Animation(base: .spring(.given(spring, blendDuration: blendDuration)))
  }

  /// A spring of 0.5 s without bounce.
  public static var smooth: Animation { smooth() }

  /// A spring without bounce.
  ///
  /// - Parameters:
  ///   - duration: The pace, in seconds.
  ///   - extraBounce: What is added to the bounce of 0.
  public static func smooth(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation(base: .spring(.preset(.smooth, duration: duration, extraBounce: extraBounce)))
  }

  /// A spring of 0.5 s with a small bounce.
  public static var snappy: Animation { snappy() }

  /// A spring with a small bounce.
  ///
  /// - Parameters:
  ///   - duration: The pace, in seconds.
  ///   - extraBounce: What is added to the bounce of 0.15.
  public static func snappy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation(base: .spring(.preset(.snappy, duration: duration, extraBounce: extraBounce)))
  }

  /// A spring of 0.5 s with a large bounce.
  public static var bouncy: Animation { bouncy() }

  /// A spring with a large bounce.
  ///
  /// - Parameters:
  ///   - duration: The pace, in seconds.
  ///   - extraBounce: What is added to the bounce of 0.3.
  public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    Animation(base: .spring(.preset(.bouncy, duration: duration, extraBounce: extraBounce)))
  }

  /// A stiff spring for what follows a finger: 0.15 s, with a bounce of 0.15.
  public static var interactiveSpring: Animation { interactiveSpring() }

  /// A stiff spring for what follows a finger, by its response and damping fraction.
  ///
  /// - Parameters:
  ///   - response: The pace, in seconds.
  ///   - dampingFraction: 1 for a spring that just does not bounce.
  ///   - blendDuration: Is kept and compared, no more.
  @_disfavoredOverload
  public static func interactiveSpring(
    response: Double = 0.15,
    dampingFraction: Double = 0.86,
    blendDuration: Double = 0.25
  ) -> Animation {
    let form = SpringForm.interactive(
      response: response,
      dampingFraction: dampingFraction,
      blendDuration: blendDuration
    )
    return Animation(base: .spring(form))
  }

  /// A stiff spring for what follows a finger, by its duration and bounce.
  ///
  /// - Parameters:
  ///   - duration: The pace, in seconds.
  ///   - extraBounce: What is added to the bounce of 0.15.
  ///   - blendDuration: Is kept and compared, no more.
  public static func interactiveSpring(
    duration: Double = 0.15,
    extraBounce: Double = 0,
    blendDuration: Double = 0.25
  ) -> Animation {
    let form = SpringForm.interactiveTimed(
      duration: duration,
      extraBounce: extraBounce,
      blendDuration: blendDuration
    )
    return Animation(base: .spring(form))
  }

  /// A spring of 0.5 s that does not bounce and starts at rest.
  public static var interpolatingSpring: Animation { interpolatingSpring() }

  /// A spring by its physical properties, with a velocity of its own.
  ///
  /// - Parameters:
  ///   - mass: Of the body at the end of the spring, in kilograms.
  ///   - stiffness: In newtons per metre.
  ///   - damping: In newton seconds per metre. More than critical damping is heeded.
  ///   - initialVelocity: In units of the whole change per second.
  public static func interpolatingSpring(
    mass: Double = 1,
    stiffness: Double,
    damping: Double,
    initialVelocity: Double = 0
  ) -> Animation {
    let form = SpringForm.physical(
      mass: mass,
      stiffness: stiffness,
      damping: damping,
      initialVelocity: initialVelocity
    )
    return Animation(base: .spring(form))
  }

  /// A spring by its duration and bounce, with a velocity of its own.
  ///
  /// - Parameters:
  ///   - duration: The pace, in seconds.
  ///   - bounce: 0 for none, up to 1 for a spring that never rests.
  ///   - initialVelocity: In units of the whole change per second.
  public static func interpolatingSpring(
    duration: Double = 0.5,
    bounce: Double = 0,
    initialVelocity: Double = 0
  ) -> Animation {
    let form = SpringForm.thrown(
      duration: duration,
      bounce: bounce,
      initialVelocity: initialVelocity
    )
    return Animation(base: .spring(form))
  }

  /// A spring that is given as such, with a velocity of its own.
  ///
  /// - Parameters:
  ///   - spring: The spring.
  ///   - initialVelocity: In units of the whole change per second.
  public static func interpolatingSpring(
    _ spring: Spring,
    initialVelocity: Double = 0
  ) -> Animation {
    Animation(base: .spring(.givenThrown(spring, initialVelocity: initialVelocity)))
  }
}
