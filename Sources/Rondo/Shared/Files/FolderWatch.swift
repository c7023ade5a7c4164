// Watching a folder for files that other processes write.

import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if os(Linux)
  /// Hears of files of one name that are written, put in place or removed in a folder.
  final class FolderWatch: @unchecked Sendable {
    // @unchecked: sources may be used from any thread.
    private let source: any DispatchSourceRead

    /// - Returns: `nil` where the folder cannot be watched.
    init?(
      _ path: String, on queue: DispatchQueue, _ didChange: @escaping @Sendable () -> Void
    ) {
      let (folder, name) = WholeFile.split(path)
      let events = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard events >= 0 else { return nil }
      let mask = [IN_CLOSE_WRITE, IN_MOVED_TO, IN_MOVED_FROM, IN_DELETE]
        .reduce(0) { $0 | UInt32($1) }
      guard inotify_add_watch(events, folder, mask) >= 0 else {
        close(events)
        return nil
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: events, queue: queue)
      self.source = source
      source.setEventHandler {
        if Self.names(from: events).contains(name) { didChange() }
      }
      source.setCancelHandler { close(events) }
      source.resume()
    }

    func end() {
      source.cancel()
    }

    /// Which files something has happened to.
    private static func names(from events: Int32) -> [String] {
      var names: [String] = []
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
        var length = read(events, buffer.baseAddress, buffer.count)
        while length > 0 {
          var offset = 0
          while offset < length {
            let start = UnsafeRawPointer(buffer.baseAddress! + offset)
            let event = start.loadUnaligned(as: inotify_event.self)
            let size = MemoryLayout<inotify_event>.size
            if event.len > 0 {
              names.append(
                String(cString: (start + size).assumingMemoryBound(to: CChar.self)))
            }
            offset += size + Int(event.len)
          }
          length = read(events, buffer.baseAddress, buffer.count)
        }
      }
      return names
    }
  }
#endif
