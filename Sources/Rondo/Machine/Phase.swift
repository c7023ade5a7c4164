// The phases of a machine: the work that is in progress.

/// The phases of a machine. A machine is in one of them at any time.
///
/// ```text
///   heldBack ◀──▶ idle ◀──▶ settling ◀──▶ reducing
///                           ▲      ▲
///                           ▼      ▼
///                        paused  delivering
/// ```
///
/// From every phase but `reducing` and `delivering` a machine may become `closed`, for good.
enum Phase: UInt8 {
  /// Nothing is in progress: the next action or message begins a drain.
  case idle

  /// A closure that observes is running and has sent an action. Actions are queued until it
  /// returns.
  case heldBack

  /// A reducer is changing the state. What it sends is queued.
  case reducing

  /// Effects are being started and ended, between two reductions. What they answer is queued.
  case settling

  /// A commit is being shown to subscribers and to closures that observe. What they send is queued.
  case delivering

  /// A loop without end was cut. The actions that are left wait for the next turn of the isolation.
  case paused

  /// The host was released. Nothing is accepted any more.
  case closed

  /// Whether a machine may go from this phase to another one.
  func canBecome(_ next: Phase) -> Bool {
    switch (self, next) {
    case (.idle, .settling), (.settling, .idle): true
    case (.idle, .heldBack), (.heldBack, .idle): true
    case (.settling, .reducing), (.reducing, .settling): true
    case (.settling, .delivering), (.delivering, .settling): true
    case (.settling, .paused), (.paused, .settling): true
    case (.idle, .closed), (.heldBack, .closed), (.settling, .closed), (.paused, .closed): true
    default: false
    }
  }
}
