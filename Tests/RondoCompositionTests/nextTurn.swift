// Waiting for the main queue.

import Dispatch

/// Lets the main queue do what it has been given so far.
@MainActor func nextTurn() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume() }
  }
}
