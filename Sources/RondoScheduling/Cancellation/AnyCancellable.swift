// A handle that cancels when it is released.

import Synchronization

/// A handle to something under way, which is cancelled when the handle is released.
///
/// ```swift
/// var cancellables: Set<AnyCancellable> = []
/// scheduler.schedule(after: scheduler.now, interval: .seconds(1)) { print("tick") }
///   .store(in: &cancellables)
/// cancellables.removeAll()  // No more ticks.
/// ```
///
/// Two handles are equal when they are the same one.
public final class AnyCancellable: Cancellable {
  private let work: Mutex<(@Sendable () -> Void)?>
  /// Called each time, before the work: of two threads that cancel, the one that comes second returns while the work of
  /// the first may still have to begin.
  private let stop: (@Sendable () -> Void)?

  /// Creates a handle that runs a closure when it is first cancelled. The closure is released then.
  public init(_ cancel: @escaping @Sendable () -> Void) {
    work = Mutex(cancel)
    stop = nil
  }

  /// Creates a handle that stops something for good, on whichever thread it is cancelled first, before any call of
  /// ``cancel()`` returns.
  ///
  /// - Parameters:
  ///   - stop: Called by each call of ``cancel()``. It is kept as long as the handle.
  ///   - finish: Called once, behind it. It is released then.
  package init(
    stop: @escaping @Sendable () -> Void, then finish: @escaping @Sendable () -> Void
  ) {
    work = Mutex(finish)
    self.stop = stop
  }

  /// Creates a handle that cancels another one, also when it is released.
  public convenience init(_ cancellable: some Cancellable) {
    self.init { cancellable.cancel() }
  }

  /// Cancels, unless that has been done before. Safe from any thread, its own closure included.
  public func cancel() {
    stop?()
    let cancel = work.withLock { work in
      defer { work = nil }
      return work
    }
    cancel?()
  }

  deinit {
    cancel()
  }
}

extension AnyCancellable: Hashable {
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool {
    lhs === rhs
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
