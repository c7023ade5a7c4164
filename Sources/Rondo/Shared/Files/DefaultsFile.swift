// The file that user defaults are kept in.

import Dispatch
import Foundation
import Synchronization

/// The file of user defaults, written as a file of a `.fileStorage` key is.
///
/// Foundation writes over the old file in place, says nothing where that fails, and takes a damaged
/// file for an empty one. So `synchronize()` is not called. Changes are written to the same file,
/// in the same format, one key at a time: the keys of other processes stay as they are.
final class DefaultsFile: Sendable {
  /// A change of one key.
  private struct Change: Sendable {
    /// The new object; `nil` where the key is removed.
    var object: AppStorageObject
    var continuations: [SaveContinuation] = []
  }

  private struct State {
    var waiting: [String: Change] = [:]
    var beingWritten: [String: Change] = [:]
    var isWriteScheduled = false
    /// The number of attempts to write the file.
    var writes = 0
    /// The objects in the file when the program began to use it.
    var first: [String: AppStorageObject] = [:]
    /// The object of each key, as it was last read from the file or written to it.
    var seen: [String: AppStorageObject] = [:]
    var last: Content?

    /// The object of a key that is not in the file yet.
    func unwritten(_ key: String) -> AppStorageObject? {
      (waiting[key] ?? beingWritten[key])?.object
    }
  }

  /// The file when it was last read.
  private struct Content: Sendable {
    let data: Data?
    let objects: [String: AppStorageObject]
  }

  private let file: WholeFile
  private let state = Mutex(State())
  /// Held while the file is written, so that the end of the program waits for it.
  private let writing = NSRecursiveLock()

  private static let queue = DispatchQueue(label: "Rondo.AppStorage", qos: .utility)
  private static let all = Mutex<[String: DefaultsFile]>([:])
  private static let atTheEnd: Void = WaitingWrites.add {
    for file in DefaultsFile.all.withLock({ $0.values }) { file.write() }
  }

  /// The path, as text.
  var path: String { file.path }

  init(path: String, calls: FileCalls = .live) {
    file = WholeFile(path: path, calls: calls, modeOfNewFile: 0o600)
    file.removeLitter(names: file.temporaryFiles)
    let objects = try? content()
    state.withLock { $0.first = objects ?? [:] }
  }

  /// The file of user defaults; `nil` for those of a subclass, which are kept in another way.
  static func of(_ defaults: UserDefaults) -> DefaultsFile? {
    guard isNeeded, type(of: defaults) == UserDefaults.self, let name = name(of: defaults) else {
      return nil
    }
    let path = "\(folder)/\(name).plist"
    return all.withLock { all in
      let file = all[path] ?? DefaultsFile(path: path)
      all[path] = file
      return file
    }
  }

  /// Whether Foundation does not write them whole itself.
  private static var isNeeded: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// The name of the suite, or of the program.
  private static func name(of defaults: UserDefaults) -> String? {
    // Foundation keeps the name to itself. Where it cannot be found, `synchronize()` writes.
    let suite = Mirror(reflecting: defaults).children.first { $0.label == "suite" }?.value
    let program = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    guard let name = suite.map({ $0 as? String ?? program }) else {
      return defaults === UserDefaults.standard ? program : nil
    }
    return name.contains("/") ? nil : name
  }

  /// The folder in which Foundation keeps user defaults.
  private static var folder: String {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return folder }
    return "\(variable("HOME") ?? NSHomeDirectory())/.config"
  }

  // MARK: Reading

  /// Gives user defaults the object that a key has in the file, if another process has written it.
  ///
  /// - Throws: A ``FileStorageError`` if the file cannot be read, or the error of decoding it.
  func refresh(_ key: String, in defaults: UserDefaults) throws {
    let none = AppStorageObject(value: nil)
    let isMissing = defaults.object(forKey: key) == nil
    var object: AppStorageObject
    var isNew: Bool?
    repeat {
      let writes = state.withLock(\.writes)
      object = try content()[key] ?? none
      isNew = state.withLock { [object] state in
        // A change that is about to be written is newer.
        guard state.unwritten(key) == nil else { return false }
        // The file is read again if it has been written since.
        guard state.writes == writes else { return nil }
        guard let seen = state.seen.updateValue(object, forKey: key) else {
          // At first, Foundation has read the file, or the program has set another object since.
          return isMissing || object != state.first[key] ?? none
        }
        return seen != object
      }
    } while isNew == nil
    while isNew == true {
      if let value = object.value {
        defaults.set(value, forKey: key)
      } else {
        defaults.removeObject(forKey: key)
      }
      // An object that was saved meanwhile is newer.
      let latest = state.withLock { $0.unwritten(key) ?? $0.seen[key] ?? none }
      isNew = latest != object && latest == latest
      object = latest
    }
  }

  /// The objects in the file. Decoding takes time, so it is only done for a file that is new.
  private func content() throws -> [String: AppStorageObject] {
    let data = try file.read()
    if let last = state.withLock({ $0.last }), last.data == data { return last.objects }
    let objects = try Self.objects(in: data).mapValues { AppStorageObject(value: $0) }
    state.withLock { $0.last = Content(data: data, objects: objects) }
    return objects
  }

  private static func objects(in data: Data?) throws -> [String: Any] {
    guard let data, !data.isEmpty else { return [:] }
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    guard let objects = list as? [String: Any] else { throw CocoaError(.propertyListReadCorrupt) }
    return objects
  }

  // MARK: Writing

  /// Writes an object soon.
  ///
  /// - Parameter set: Gives it to the user defaults. It is called when the object is known to be newer
  ///   than the file, and before it is known to be written.
  func save(
    _ object: AppStorageObject, forKey key: String, _ continuation: SaveContinuation?,
    set: () -> Void = {}
  ) {
    _ = Self.atTheEnd
    state.withLock { $0.waiting[key, default: Change(object: object)].object = object }
    set()
    let isFirst = state.withLock { state in
      // The object, or a newer one, may have been written already. Then it is written again.
      let latest = state.unwritten(key) ?? state.seen[key] ?? object
      state.waiting[key, default: Change(object: latest)].continuations += [continuation]
        .compactMap(\.self)
      return !exchange(&state.isWriteScheduled, with: true)
    }
    if isFirst { Self.queue.async { self.write() } }
  }

  /// Writes what waits to be written.
  func write() {
    let (changes, result) = writing.withLock {
      let changes = state.withLock { state in
        state.isWriteScheduled = false
        state.beingWritten = exchange(&state.waiting, with: [:])
        return state.beingWritten
      }
      let result = Result { if !changes.isEmpty { try write(changes) } }
      state.withLock { state in
        state.beingWritten = [:]
        state.writes += 1
        for (key, change) in changes {
          if case .success = result {
            state.seen[key] = change.object
          } else if state.waiting[key] == nil {
            // It is written with the next change. Then the last one to hear of the failure hears again.
            state.waiting[key] = Change(
              object: change.object, continuations: change.continuations.suffix(1))
          }
        }
      }
      return (changes, result)
    }
    for change in changes.values {
      for continuation in change.continuations { continuation.resumeAgain(with: result) }
    }
  }

  private func write(_ changes: [String: Change]) throws {
    makeFolder()
    try file.change { old in
      // `nil` for a damaged file, which is kept under another name.
      let present = try? Self.objects(in: old)
      var objects = present ?? [:]
      for (key, change) in changes { objects[key] = change.object.value }
      let data = try PropertyListSerialization.data(
        fromPropertyList: objects, format: .xml, options: 0)
      return data == old ? nil : WholeFile.NewContent(data: data, keepsOld: present == nil)
    }
  }

  /// Makes the folder for the user alone, as Foundation does. An error is found when the file is
  /// written.
  private func makeFolder() {
    try? FileManager.default.createDirectory(
      atPath: WholeFile.split(path).folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }
}
