// A file that is read whole and replaced whole.

import Foundation

/// A file on disk that is replaced in one step.
///
/// A new content is written to a temporary file beside the old one, which is renamed over it. At
/// any instant, also after a crash or a loss of power, the file has either the old content or the
/// new one. Its permissions, its owner and its group stay the same. A symbolic link stays a link:
/// the file that it leads to is replaced.
///
/// A file of somebody else, which may be written to but not be given away, is written over in place.
///
/// Who replaces the file holds a lock on it, so that two processes replace it one after the other.
struct WholeFile {
  let path: String
  let calls: FileCalls
  /// The permissions of a file that is made, less those that the process denies.
  var modeOfNewFile: mode_t = 0o666

  /// A content that is to take the place of another one.
  struct NewContent {
    var data: Data
    /// Whether the old content is kept under another name, `….damaged-1` or the first such name that
    /// is free.
    var keepsOld = false
  }

  /// The content; `nil` where there is no file.
  ///
  /// - Throws: A ``FileStorageError``.
  func read() throws(FileStorageError) -> Data? {
    do {
      return try content(of: path)
    } catch SystemCallError.missing {
      return nil
    } catch {
      throw FileStorageError(path: path, operation: .reading, reason: "\(error)")
    }
  }

  /// Changes the content. No other process changes it between the reading of the old content and the
  /// writing of the new one.
  ///
  /// - Parameter body: Makes the new content of the old one, which is `nil` where there is no file.
  ///   Called without a lock, and again if another process has changed the file meanwhile. `nil`
  ///   leaves the file as it is.
  /// - Throws: The error of the body, or a ``FileStorageError``.
  func change(_ body: (_ old: Data?) throws -> NewContent?) throws {
    while true {
      let old: Data?
      do {
        old = try read()
      } catch {
        // An error in reading the file is a reason not to write it.
        throw FileStorageError(path: path, operation: .writing, reason: error.reason)
      }
      guard let new = try body(old) else { return }
      if try replace(with: new, expecting: .some(old)) { return }
    }
  }

  /// Replaces the content. Missing folders are made.
  ///
  /// - Parameters:
  ///   - new: The new content.
  ///   - expected: The content that the file must have, where it must have a certain one. No file is
  ///     like an empty one.
  /// - Returns: Whether the file had that content. Otherwise it is as it was.
  /// - Throws: A ``FileStorageError``. The file is as it was then, unless only the folder could not
  ///   be flushed to the disk.
  @discardableResult
  func replace(
    with new: NewContent, expecting expected: Data?? = nil
  ) throws(FileStorageError) -> Bool {
    do {
      let target = try resolved()
      let (lock, old) = try lockedFile(at: target)
      defer { lock?.release() }
      if let expected {
        let present = old == nil ? nil : try content(of: target)
        guard present ?? Data() == expected ?? Data() else { return false }
      }
      try replace(target, old, with: new)
      return true
    } catch {
      throw FileStorageError(path: path, operation: .writing, reason: "\(error)")
    }
  }

  private func replace(_ target: String, _ old: stat?, with new: NewContent) throws {
    let temporary = try TemporaryFile(
      beside: target, mode: old == nil ? modeOfNewFile : 0o600, calls)
    do {
      let isMine = try old.map(temporary.take) ?? true
      try temporary.write(new.data)
      guard isMine else {
        // There is room for all of it on the disk, as the temporary file shows.
        if new.keepsOld { try keepCopy(of: target) }
        try writeOver(target, new.data)
        return temporary.discard()
      }
      if new.keepsOld, let old { try keep(target, old) }
      try retrying { calls.rename(temporary.path, target) }
    } catch {
      temporary.discard()
      throw error
    }
    temporary.close()
    try Self.flushFolder(of: target, calls)
  }

  /// Locks a file, and returns its status. Where there is no file, its folder is locked, and the
  /// status is `nil`.
  ///
  /// The lock is one of the file, not of its name: when another process has replaced the file
  /// meanwhile, the new one is locked.
  private func lockedFile(at target: String) throws -> (lock: FileLock?, status: stat?) {
    while true {
      let status = try regularFile(at: target)
      // An error in making the folder is found when the file is written.
      if status == nil { try? Self.makeFolder(of: target, calls) }
      let lock = try FileLock(status == nil ? Self.split(target).folder : target, calls)
      do {
        let present = try regularFile(at: target)
        switch (status, present) {
        case (nil, nil): return (lock, nil)
        case (let status?, let present?) where (lock?.status ?? status).st_ino == present.st_ino:
          return (lock, present)
        default: break
        }
      } catch {
        lock?.release()
        throw error
      }
      lock?.release()
    }
  }

  /// Removes temporary files of processes that have ended.
  ///
  /// A process keeps its temporary file locked, so a file that can be locked is in use by no
  /// process. A file that cannot be removed is left: it does no harm.
  ///
  /// - Parameter names: The names of temporary files in a folder.
  func removeLitter(names: (_ folder: String) -> [String]) {
    guard let target = try? resolved() else { return }
    let (folder, name) = Self.split(target)
    for litter in names(folder) where TemporaryFile.isTemporary(litter, of: name) {
      let path = "\(folder)/\(litter)"
      // Without `O_NONBLOCK` a named pipe would be waited on.
      let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
      guard let file = try? retrying({ calls.open(path, flags, 0) }) else { continue }
      if calls.lock(file) == 0 { _ = calls.remove(path) }
      _ = calls.close(file)
    }
  }

  /// The names in a folder that temporary files have.
  func temporaryFiles(in folder: String) -> [String] {
    calls.list(folder).filter(TemporaryFile.isTemporary)
  }

  /// The file that is read and replaced: the target of a symbolic link, or `path` itself.
  func resolved() throws -> String {
    var path = path
    // As many links as the system follows.
    for _ in 0..<40 {
      var status = stat()
      guard calls.status(path, &status) == 0 else {
        guard [ENOENT, ENOTDIR].contains(errno) else { throw SystemCallError.last }
        return path
      }
      guard status.st_mode & S_IFMT == S_IFLNK else { return path }
      let target = try linkTarget(path)
      path = target.hasPrefix("/") ? target : "\(Self.split(path).folder)/\(target)"
    }
    throw SystemCallError(code: ELOOP)
  }

  /// A name in a folder; an empty one for the folder itself.
  struct Name {
    let folder: String
    let name: String
  }

  /// The names on the way to the file that can lead elsewhere: all links, the folders themselves, and at
  /// last the file or the first folder that is missing.
  func namesOnTheWay() -> [Name] {
    var names: [Name] = []
    var links = 0
    var folder = path.hasPrefix("/") ? "/" : "."
    // The next one is the last one.
    var rest = Self.parts(path)
    while let part = rest.popLast() {
      guard part != ".." else {
        folder = Self.split(folder).folder
        continue
      }
      let place = folder == "/" ? "/\(part)" : "\(folder)/\(part)"
      var status = stat()
      let isThere = calls.status(place, &status) == 0
      if isThere, status.st_mode & S_IFMT == S_IFDIR, !rest.isEmpty {
        folder = place
        names.append(Name(folder: folder, name: ""))
        continue
      }
      names.append(Name(folder: folder, name: part))
      // As many links as the system follows.
      guard isThere, status.st_mode & S_IFMT == S_IFLNK, links < 40,
        let target = try? linkTarget(place)
      else { break }
      links += 1
      if target.hasPrefix("/") { folder = "/" }
      rest += Self.parts(target)
    }
    return names
  }

  /// Whether the file has more names than this one.
  var hasOtherNames: Bool {
    var status = stat()
    guard let target = try? resolved() else { return false }
    return calls.status(target, &status) == 0 && status.st_nlink > 1
  }

  /// The parts of a path, the last one first.
  private static func parts(_ path: String) -> [String] {
    path.split(separator: "/").map(String.init).filter { $0 != "." }.reversed()
  }

  private func linkTarget(_ path: String) throws -> String {
    try withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
      let count = try retrying { calls.readLink(path, buffer) }
      // No path as text leads there. Where it were mended, another file would be written.
      guard let target = String(validating: buffer[..<count], as: UTF8.self) else {
        throw LinkWithoutText()
      }
      return target
    }
  }

  /// The status of the file; `nil` if there is no file.
  private func regularFile(at path: String) throws -> stat? {
    var status = stat()
    guard calls.status(path, &status) == 0 else {
      guard [ENOENT, ENOTDIR].contains(errno) else { throw SystemCallError.last }
      return nil
    }
    try Self.checkIsRegular(status)
    // Replacing a file takes no permission to write to it. A file that is not to be written to
    // stays as it is all the same.
    try retrying { calls.checkWritable(path) }
    return status
  }

  private static func checkIsRegular(_ status: stat) throws {
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw SystemCallError(code: EISDIR)
    default: throw NotARegularFile()
    }
  }

  private func content(of path: String) throws -> Data {
    // Without `O_NONBLOCK` a named pipe would be waited on.
    let file = try retrying { calls.open(path, O_RDONLY | O_NONBLOCK, 0) }
    defer { _ = calls.close(file) }
    var status = stat()
    try retrying { calls.statusOfOpen(file, &status) }
    try Self.checkIsRegular(status)
    var content = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try chunk.withUnsafeMutableBytes { buffer in
        try retrying { calls.read(file, buffer) }
      }
      guard count > 0 else { return content }
      content.append(contentsOf: chunk[..<count])
    }
  }

  /// Gives the file a second name that nothing has yet. It leaves its first one when the new file
  /// is renamed over it.
  private func keep(_ target: String, _ old: stat) throws {
    for number in 1... {
      let name = "\(target).damaged-\(number)"
      if calls.link(target, name) == 0 { return }
      guard errno == EEXIST else {
        // Not every file system has second names. Without one there is an instant without the file.
        guard [EPERM, ENOTSUP, EMLINK, ENOSYS].contains(errno) else { throw SystemCallError.last }
        var other = stat()
        guard calls.status(name, &other) != 0 else { continue }
        try retrying { calls.rename(target, name) }
        return
      }
      // A process that ended before it could go on may have given the file this name.
      var other = stat()
      if calls.status(name, &other) == 0, other.st_dev == old.st_dev, other.st_ino == old.st_ino {
        return
      }
    }
  }

  /// Writes over a file in place.
  private func writeOver(_ path: String, _ data: Data, _ flags: Int32 = O_TRUNC) throws {
    let file = try retrying { calls.open(path, O_WRONLY | O_NOFOLLOW | flags, 0o600) }
    defer { _ = calls.close(file) }
    try Self.write(data, to: file, calls)
  }

  /// Writes all of it, to the disk.
  fileprivate static func write(_ data: Data, to file: Int32, _ calls: FileCalls) throws {
    try data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = try retrying { calls.write(file, UnsafeRawBufferPointer(rebasing: rest)) }
        guard count > 0 else { throw SystemCallError(code: EIO) }
        rest = rest.dropFirst(count)
      }
    }
    try retrying { calls.synchronize(file) }
  }

  /// Copies the content to a file whose name nothing has yet.
  private func keepCopy(of target: String) throws {
    let content = try content(of: target)
    for number in 1... {
      do {
        return try writeOver("\(target).damaged-\(number)", content, O_CREAT | O_EXCL)
      } catch SystemCallError.existing {}
    }
  }

  /// Makes sure that a new name in the folder of a path outlives a loss of power.
  static func flushFolder(of path: String, _ calls: FileCalls) throws {
    let folder = try retrying { calls.open(split(path).folder, O_RDONLY | O_DIRECTORY, 0) }
    defer { _ = calls.close(folder) }
    do throws(SystemCallError) {
      try retrying { calls.synchronize(folder) }
    } catch {
      // Some file systems have nothing to flush there, and say so.
      guard [EINVAL, ENOTSUP].contains(error.code) else { throw error }
    }
  }

  /// Makes the folder of a path, and those above it that are missing.
  static func makeFolder(of path: String, _ calls: FileCalls) throws {
    let folder = split(path).folder
    do throws(SystemCallError) {
      try retrying { calls.makeFolder(folder) }
    } catch {
      guard error.code != EEXIST else { return }
      guard error.code == ENOENT, split(folder).folder != folder else { throw error }
      try makeFolder(of: folder, calls)
      do throws(SystemCallError) {
        try retrying { calls.makeFolder(folder) }
      } catch {
        // Another process may have made it meanwhile.
        guard error.code == EEXIST else { throw error }
      }
    }
    try flushFolder(of: folder, calls)
  }

  /// The folder and the name of a path.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let folder = String(path[..<slash])
    return (folder.isEmpty ? "/" : folder, String(path[path.utf8.index(after: slash)...]))
  }
}

private struct LinkWithoutText: Error, CustomStringConvertible {
  var description: String { "A symbolic link leads to a name that is not UTF-8" }
}

private struct NotARegularFile: Error, CustomStringConvertible {
  var description: String { "Not a regular file" }
}

extension SystemCallError {
  /// The error of a file that is not there.
  fileprivate static let missing = SystemCallError(code: ENOENT)
  /// The error of a name that is in use.
  fileprivate static let existing = SystemCallError(code: EEXIST)
}

private func ~= (pattern: SystemCallError, error: any Error) -> Bool {
  error as? SystemCallError == pattern
}

/// A lock on a file or a folder, which one process at a time can have.
private struct FileLock {
  private let number: Int32
  let status: stat
  private let calls: FileCalls

  /// Locks a file; `nil` where it has no lock.
  ///
  /// - Throws: An error if another process keeps the lock for seconds.
  init?(_ path: String, _ calls: FileCalls) throws {
    // Without permission to read there is no lock, and none on some file systems.
    let number = calls.open(path, O_RDONLY | O_NONBLOCK, 0)
    guard number >= 0 else { return nil }
    do {
      var status = stat()
      try retrying { calls.statusOfOpen(number, &status) }
      for attempt in 0... {
        do throws(SystemCallError) {
          try retrying { calls.lock(number) }
          break
        } catch {
          guard error.code == EWOULDBLOCK else { break }
          guard attempt < 500 else { throw error }
          usleep(min(10_000, 100 << UInt32(min(attempt, 7))))
        }
      }
      self.number = number
      self.status = status
      self.calls = calls
    } catch {
      _ = calls.close(number)
      throw error
    }
  }

  func release() {
    _ = calls.close(number)
  }
}

/// A file beside another one that is to take its place.
private struct TemporaryFile {
  let path: String
  private let number: Int32
  private let calls: FileCalls

  /// Makes an empty file, and locks it for as long as it is open.
  ///
  /// - Parameter mode: Its permissions, less those that the process denies.
  init(beside target: String, mode: mode_t, _ calls: FileCalls) throws {
    self.calls = calls
    // Another process may take a file that is not locked yet for litter. Then another name is
    // tried.
    for _ in 0..<8 {
      let path = Self.path(beside: target)
      let number = try Self.make(path, mode, calls)
      do {
        if try Self.lock(number, calls) {
          var status = stat()
          try retrying { calls.statusOfOpen(number, &status) }
          if status.st_nlink > 0 {
            self.path = path
            self.number = number
            return
          }
        }
      } catch {
        _ = calls.remove(path)
        _ = calls.close(number)
        throw error
      }
      _ = calls.close(number)
    }
    throw SystemCallError(code: EAGAIN)
  }

  private static func make(_ path: String, _ mode: mode_t, _ calls: FileCalls) throws -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
    do throws(SystemCallError) {
      return try retrying { calls.open(path, flags, mode) }
    } catch {
      guard error.code == ENOENT else { throw error }
      try WholeFile.makeFolder(of: path, calls)
      return try retrying { calls.open(path, flags, mode) }
    }
  }

  /// - Returns: Whether no other process holds the lock.
  private static func lock(_ number: Int32, _ calls: FileCalls) throws -> Bool {
    do throws(SystemCallError) {
      try retrying { calls.lock(number) }
    } catch {
      // Some file systems have no locks. There, no other process takes the file for litter either.
      guard [EWOULDBLOCK, ENOLCK, ENOTSUP, ENOSYS].contains(error.code) else { throw error }
      return error.code != EWOULDBLOCK
    }
    return true
  }

  private static let ending = ".rondo-tmp"
  /// The longest name of a file on the usual file systems, in bytes.
  private static let maximumLength = 255

  private static func path(beside target: String) -> String {
    let (folder, name) = WholeFile.split(target)
    let number = String(UInt64.random(in: 0 ... .max), radix: 36)
    return "\(folder)/.\(prefix(of: name)).\(number)\(ending)"
  }

  /// As much of a name as leaves room for the rest of a temporary one.
  private static func prefix(of name: String) -> String {
    var prefix = name
    while prefix.utf8.count > maximumLength - 32 { prefix.removeLast() }
    return prefix
  }

  static func isTemporary(_ name: String) -> Bool { name.hasSuffix(ending) }

  static func isTemporary(_ name: String, of file: String) -> Bool {
    name.hasPrefix(".\(prefix(of: file)).") && name.hasSuffix(ending)
      && name.dropFirst(prefix(of: file).count + 2).dropLast(ending.count)
        .allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  /// Takes the owner, the group and the permissions of another file.
  ///
  /// - Returns: Whether it may have that owner and that group.
  func take(over old: stat) throws -> Bool {
    var status = stat()
    try retrying { calls.statusOfOpen(number, &status) }
    if status.st_uid != old.st_uid || status.st_gid != old.st_gid {
      do throws(SystemCallError) {
        try retrying { calls.changeOwner(number, old.st_uid, old.st_gid) }
      } catch {
        guard error.code == EPERM else { throw error }
        return false
      }
    }
    try retrying { calls.changeMode(number, old.st_mode & 0o7777) }
    return true
  }

  /// Writes all of it, to the disk.
  func write(_ data: Data) throws {
    try WholeFile.write(data, to: number, calls)
  }

  func close() {
    _ = calls.close(number)
  }

  func discard() {
    _ = calls.remove(path)
    close()
  }
}
