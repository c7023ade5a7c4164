// Lets a key act in the same step in which a value that it has loaded is taken.

/// The handing over of a value by a key to the place where the value is kept.
///
/// It is in force on the thread that hands over. The place takes the value and calls the key in one
/// step, in which nobody else changes or saves the value.
final class Handover {
  private var willTake: (() -> Bool)?

  static var running: ThreadLocalObject<Handover> { ThreadLocalObject(\.handover) }

  /// - Parameter willTake: Called once, when the value is about to be taken. Returns whether it is
  ///   still to be taken.
  init(willTake: @escaping () -> Bool) {
    self.willTake = willTake
  }

  /// Asks, once, whether the value is to be taken.
  func isTaken() -> Bool {
    willTake.take()?() ?? true
  }
}
