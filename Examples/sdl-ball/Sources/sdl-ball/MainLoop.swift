// SDL's main loop: it serves the main queue, and with it the main actor.

import CSDL
import Foundation
import RondoScheduling

/// The main loop of an SDL program.
struct MainLoop {
  /// The type of the event that stands for work of the main queue.
  private let hasWork = SDL_RegisterEvents(1)
  private let workIsDone = DispatchSemaphore(value: 0)

  /// Lets an event wake SDL's loop when there is work for the main queue, from now on.
  func serveMainQueue() {
    let descriptor = MainQueue.fileDescriptor
    Thread.detachNewThread { [hasWork, workIsDone] in
      var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&source, 1, -1) > 0 || errno == EINTR {
        var event = SDL_Event(type: hasWork)
        SDL_PushEvent(&event)
        // The descriptor can be read until the work is done.
        workIsDone.wait()
      }
    }
  }

  /// Waits for the next event, asleep; for a frame at most while something moves.
  func nextEvent(isMoving: Bool) -> SDL_Event? {
    var event = SDL_Event()
    guard (isMoving ? SDL_WaitEventTimeout(&event, 16) : SDL_WaitEvent(&event)) == 1 else {
      return nil
    }
    guard event.type == hasWork else { return event }
    MainQueue.runPending()
    workIsDone.signal()
    return nil
  }
}
