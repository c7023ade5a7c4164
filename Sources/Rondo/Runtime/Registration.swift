// The entry of a frame in the registry of cancellation ids.

/// The id under which a frame can be cancelled, and its position among others with that id.
///
/// Frames of one id at one path form a **lane**. An effect may be registered inside of an effect of
/// the same lane, which is its *outer* one.
struct Registration {
  let id: CancellationID

  /// The position in the order of registration.
  let serial: UInt64

  /// The nearest frame above that was registered in the same lane. It may have left the lane since.
  let outer: Frame?

  /// The number of frames of the lane that are nested here: this one, and those around it.
  let depth: Int

  /// The number of frames of the same lane that run directly inside this one.
  var innerRunning = 0

  /// Whether the frame waits for its turn.
  var isWaiting: Bool
}
