// GLib's main loop: it serves the main queue, and with it the main actor.

import CGTK
import RondoScheduling

/// The main loop of a GTK program.
public enum MainLoop {
  /// Lets GLib's main loop serve the main queue, from now on.
  ///
  /// The loop waits for the queue as it does for keys and clicks. While there is nothing to do, it
  /// sleeps.
  public static func serveMainQueue() {
    g_unix_fd_add(
      MainQueue.fileDescriptor, G_IO_IN,
      { _, _, _ in
        MainQueue.runPending()
        return 1
      }, nil)
  }

  /// Connects to the display, as the environment names it.
  ///
  /// - Returns: Whether there is one.
  public static func connect() -> Bool { gtk_init_check() != 0 }

  /// Keeps what GTK moves by itself from moving, such as the cursor in a field: for pictures that are
  /// the same in every run.
  public static func standStill() { cgtk_stand_still() }

  /// Waits for events and hands them out, until something has come true.
  public static func run(until isDone: () -> Bool) {
    while !isDone() { g_main_context_iteration(nil, 1) }
  }
}
