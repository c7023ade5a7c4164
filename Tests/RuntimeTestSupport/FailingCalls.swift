// System calls of file storages that fail where a test says so.

import Foundation
import Rondo

extension FileCalls {
  /// A call, by its name in the system.
  package enum Call: String, CaseIterable, Sendable {
    case lstat, readlink, access, mkdir, open, flock, fstat, read, write, fchown, fchmod, fsync
    case link, rename, unlink, close
  }

  /// Returns the same calls, with a closure that is asked before each of them.
  ///
  /// - Parameter failure: The error that a call is to fail with; `nil` to make it.
  package func asking(_ failure: @escaping @Sendable (Call) -> Int32?) -> FileCalls {
    @Sendable func guarded<Result: SignedInteger & SendableMetatype>(
      _ call: Call, _ body: () -> Result
    ) -> Result {
      guard let error = failure(call) else { return body() }
      errno = error
      return -1
    }
    var calls = self
    calls.status = { path, status in guarded(.lstat) { self.status(path, &status) } }
    calls.readLink = { path, target in guarded(.readlink) { self.readLink(path, target) } }
    calls.checkWritable = { path in guarded(.access) { self.checkWritable(path) } }
    calls.makeFolder = { path in guarded(.mkdir) { self.makeFolder(path) } }
    calls.open = { path, flags, mode in guarded(.open) { self.open(path, flags, mode) } }
    calls.lock = { file in guarded(.flock) { self.lock(file) } }
    calls.statusOfOpen = { file, status in guarded(.fstat) { self.statusOfOpen(file, &status) } }
    calls.read = { file, buffer in guarded(.read) { self.read(file, buffer) } }
    calls.write = { file, bytes in guarded(.write) { self.write(file, bytes) } }
    calls.changeOwner = { file, user, group in
      guarded(.fchown) { self.changeOwner(file, user, group) }
    }
    calls.changeMode = { file, mode in guarded(.fchmod) { self.changeMode(file, mode) } }
    calls.synchronize = { file in guarded(.fsync) { self.synchronize(file) } }
    calls.link = { path, second in guarded(.link) { self.link(path, second) } }
    calls.rename = { path, new in guarded(.rename) { self.rename(path, new) } }
    calls.remove = { path in guarded(.unlink) { self.remove(path) } }
    calls.close = { file in guarded(.close) { self.close(file) } }
    return calls
  }
}
