// Closures as the callbacks of GTK.

import CGTK

/// A closure that GTK keeps for a callback, and lets go with it.
final class Callback {
  /// Runs the closure, and says whether the callback is to come again.
  let run: () -> Bool

  private init(_ run: @escaping () -> Bool) { self.run = run }

  /// The closure as the data of a callback. GTK owns it from then on.
  static func data(_ run: @escaping () -> Bool) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(Callback(run)).toOpaque()
  }

  /// Lets go of the closure.
  static func release(_ data: UnsafeMutableRawPointer?) {
    data.map { Unmanaged<Callback>.fromOpaque($0).release() }
  }

  static func of(_ data: UnsafeMutableRawPointer?) -> Callback? {
    data.map { Unmanaged<Callback>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// Runs a closure for a signal that brings nothing but its sender.
func connect(
  _ instance: UnsafeMutableRawPointer, _ signal: String, _ run: @escaping () -> Void
) {
  let handler: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = {
    _ = Callback.of($1)?.run()
  }
  let data = Callback.data {
    run()
    return true
  }
  g_signal_connect_data(
    instance, signal, unsafeBitCast(handler, to: GCallback.self), data,
    { data, _ in Callback.release(data) }, GConnectFlags(rawValue: 0))
}

/// A pointer to an object of GTK as one to another of its classes.
func cast<Target>(
  _ object: UnsafeMutablePointer<some Any>, to: Target.Type = Target.self
) -> UnsafeMutablePointer<Target> {
  UnsafeMutableRawPointer(object).assumingMemoryBound(to: Target.self)
}
