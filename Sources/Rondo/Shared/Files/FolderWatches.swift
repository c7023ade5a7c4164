// Watching folders for files that other processes write.

import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if os(Linux)
  /// Hears of files that are written, put in place or removed.
  ///
  /// The system allows each user a small number of instances, so a process has one. For each file,
  /// the folders are watched in which a change can lead to another file: those of the links on the
  /// way, and that of the file itself or of the first folder that is missing. Of all other folders on the
  /// way it is heard when they are renamed or removed. After every such change the way is looked for
  /// again.
  final class FolderWatches: Sendable {
    static let ofProcess = FolderWatches()

    /// A message of the system about a folder.
    struct Event: Sendable {
      let folder: Int32
      let kinds: UInt32
      let name: String

      func isOne(of kinds: Int...) -> Bool {
        kinds.contains { self.kinds & UInt32($0) != 0 }
      }
    }

    /// A name in a folder that is watched.
    private struct Place: Equatable {
      /// The number that the system has given to the folder; negative if it cannot be watched.
      let folder: Int32
      let name: String
    }

    private struct Watcher {
      let file: WholeFile
      let queue: DispatchQueue
      let didChange: @Sendable () -> Void
      var places: [Place] = []
    }

    private struct State {
      var events: Int32 = -1
      /// The reason why there is no instance.
      var error: SystemCallError?
      var source: Unchecked<any DispatchSourceRead>?
      var watchers: [UInt64: Watcher] = [:]
      var lastWatcher: UInt64 = 0
      /// The watchers of each name in the folders that are watched, by the folders.
      var uses: [Int32: [String: Set<UInt64>]] = [:]
      var hasReported = false

      /// The watchers that an event concerns.
      func watchers(of event: Event) -> any Sequence<UInt64> {
        // Events were lost: anything may have happened.
        if event.isOne(of: Int(IN_Q_OVERFLOW)) { return watchers.keys }
        guard let names = uses[event.folder] else { return EmptyCollection() }
        if event.isOne(of: Int(IN_IGNORED), Int(IN_DELETE_SELF), Int(IN_MOVE_SELF)) {
          return names.values.joined()
        }
        return names[event.name] ?? []
      }

      /// Watches names in folders, and no others, for a watcher.
      ///
      /// - Returns: Whether they are other ones than before, and the error if the last one cannot be
      ///   watched.
      mutating func watch(
        _ names: [WholeFile.Name], for id: UInt64
      ) -> (isNew: Bool, error: SystemCallError?) {
        guard let before = watchers[id]?.places else { return (false, nil) }
        // Several watchers may need different kinds of one folder.
        let ofItself = [IN_DELETE_SELF, IN_MOVE_SELF, IN_ONLYDIR, IN_MASK_ADD]
          .reduce(0) { $0 | UInt32($1) }
        let ofNames = [IN_CLOSE_WRITE, IN_CREATE, IN_MOVED_TO, IN_MOVED_FROM, IN_DELETE]
          .reduce(ofItself) { $0 | UInt32($1) }
        var error: SystemCallError?
        var places: [Place] = []
        for name in names {
          let folder = inotify_add_watch(
            events, name.folder, name.name.isEmpty ? ofItself : ofNames)
          error = folder < 0 ? self.error ?? .last : nil
          places.append(Place(folder: folder, name: name.name))
        }
        guard places != before else { return (false, error) }
        watchers[id]?.places = places
        for place in places where place.folder >= 0 {
          uses[place.folder, default: [:]][place.name, default: []].insert(id)
        }
        leave(before.filter { !places.contains($0) }, by: id)
        return (true, error)
      }

      /// Ends the watching of places by a watcher, and of folders that nobody needs any more.
      mutating func leave(_ places: [Place], by id: UInt64) {
        for place in places where place.folder >= 0 {
          uses[place.folder]?[place.name]?.remove(id)
          if uses[place.folder]?[place.name]?.isEmpty == true {
            uses[place.folder]?[place.name] = nil
          }
          guard uses[place.folder]?.isEmpty == true else { continue }
          uses[place.folder] = nil
          _ = inotify_rm_watch(events, place.folder)
        }
      }
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "Rondo.FolderWatches", qos: .utility)

    /// Calls a closure on a queue after every change of a file, until the result is cancelled.
    func watch(
      _ file: WholeFile, on queue: DispatchQueue, _ didChange: @escaping @Sendable () -> Void
    ) -> SharedSubscription {
      begin()
      let id = state.withLock { state in
        state.lastWatcher += 1
        state.watchers[state.lastWatcher] = Watcher(file: file, queue: queue, didChange: didChange)
        return state.lastWatcher
      }
      _ = findPlaces(of: id)
      return SharedSubscription { self.end(id) }
    }

    private func end(_ id: UInt64) {
      // Released outside of the lock.
      let watcher = state.withLock { state in
        let watcher = state.watchers.removeValue(forKey: id)
        state.leave(watcher?.places ?? [], by: id)
        return watcher
      }
      withExtendedLifetime(watcher) {}
    }

    private func begin() {
      state.withLock { state in
        guard state.events < 0 else { return }
        let events = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        state.error = events < 0 ? .last : nil
        guard events >= 0 else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: events, queue: queue)
        source.setEventHandler { self.handle(Self.read(events)) }
        source.resume()
        state.events = events
        state.source = Unchecked(source)
      }
    }

    /// Watches what is on the way to a file now.
    ///
    /// - Returns: Whether it is something else than before.
    private func findPlaces(of id: UInt64) -> Bool {
      var isNew = false
      while let file = state.withLock({ $0.watchers[id]?.file }) {
        let names = file.namesOnTheWay()
        let result = state.withLock { $0.watch(names, for: id) }
        // The way may have changed before it was watched, so it is looked for once more.
        guard result.isNew else {
          if let error = result.error { report(error, file) }
          break
        }
        isNew = true
      }
      return isNew
    }

    /// Tells of changes that the system has told of.
    func handle(_ events: [Event]) {
      // Whether a watcher is told. A file that was made is told of when it has been written, unless it
      // was there under another name.
      var concerned: [UInt64: Bool] = [:]
      state.withLock { state in
        for event in events {
          for id in state.watchers(of: event) {
            concerned[id, default: false] =
              concerned[id] == true || !event.isOne(of: Int(IN_CREATE))
          }
        }
      }
      for (id, isTold) in concerned.sorted(by: { $0.key < $1.key }) {
        let isNew = findPlaces(of: id)
        guard let watcher = state.withLock({ $0.watchers[id] }),
          isNew || isTold || watcher.file.hasOtherNames
        else { continue }
        watcher.queue.async(execute: watcher.didChange)
      }
    }

    /// Reports in a live program, once, that files cannot be watched.
    private func report(_ error: SystemCallError, _ file: WholeFile) {
      // Below a file there are no folders to be watched.
      guard ![ENOENT, ENOTDIR].contains(error.code), DependencyValues.current.context == .live,
        !state.withLock({ exchange(&$0.hasReported, with: true) })
      else { return }
      reportIssue(
        """
        Changes of \(file.path.debugDescription) by other programs are not seen: \(error). The \
        folder must be readable, and the limits are fs.inotify.max_user_instances and \
        fs.inotify.max_user_watches.
        """)
    }

    private static func read(_ file: Int32) -> [Event] {
      var events: [Event] = []
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
        var length = Foundation.read(file, buffer.baseAddress, buffer.count)
        while length > 0 {
          var offset = 0
          while offset < length {
            let start = UnsafeRawPointer(buffer.baseAddress! + offset)
            let event = start.loadUnaligned(as: inotify_event.self)
            let size = MemoryLayout<inotify_event>.size
            let name =
              event.len > 0
              ? String(cString: (start + size).bound(to: CChar.self)) : ""
            events.append(Event(folder: event.wd, kinds: event.mask, name: name))
            offset += size + Int(event.len)
          }
          length = Foundation.read(file, buffer.baseAddress, buffer.count)
        }
      }
      return events
    }
  }
#endif
