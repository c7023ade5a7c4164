// A recording that grows, read while it does.

import Foundation
import RondoRecording

/// The file of a recording that a program writes to meanwhile.
///
/// A program that is started anew empties the file, or puts another one in its place. Each of them is a generation,
/// and is read from its first line on.
final class RecordingTail {
  /// The state of the file, and of the program that writes to it.
  enum State: Equatable {
    /// The file is not there yet, or has no whole first line.
    case waiting
    /// A program holds the file, as one does that records.
    case running
    /// The last line is there.
    case ended
    /// No program holds the file, and the last line is missing.
    case abandoned
    /// It is no recording that this version can read.
    case refused(String)
  }

  let path: String
  private(set) var state = State.waiting
  /// The number of the file that is read, from 1; 0 while there is none.
  private(set) var generation = 0
  /// The socket that the program is acted on by; `nil` where it has none.
  private(set) var controlPath: String?

  private var file: FileHandle?
  private var status = stat()
  /// The first line, which tells whether it is still the same recording. It has the date of the beginning.
  private var head = Data()
  /// The number of bytes that are read to find the end of the first line.
  private static let headLimit = 4096
  /// The longest line that is read.
  static let lineLimit = 1 << 26

  init(_ path: String) { self.path = path }

  /// Looks at the file anew.
  func update() {
    var now = stat()
    guard stat(path.pathBytes, &now) == 0, now.st_mode & S_IFMT == S_IFREG else {
      // The page keeps the lines of a file that is gone.
      if file == nil { state = .waiting } else { settle() }
      return
    }
    let isOther = file == nil || now.st_ino != status.st_ino || now.st_dev != status.st_dev
    if isOther {
      let descriptor = open(path.pathBytes, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
      guard descriptor >= 0 else {
        state = .refused("\(path) cannot be read: \(String(cString: strerror(errno)))")
        return
      }
      file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
    let hasChanged =
      isOther || now.st_size != status.st_size || now.st_mtim.tv_sec != status.st_mtim.tv_sec
      || now.st_mtim.tv_nsec != status.st_mtim.tv_nsec
    // A file that was emptied and written anew may begin with the same line.
    let isSmaller = !isOther && now.st_size < status.st_size
    status = now
    guard hasChanged || state == .running else { return }
    if isOther || isSmaller || head.isEmpty
      || (hasChanged && !read(at: 0, count: head.count).elementsEqual(head))
    {
      begin()
    }
    settle()
  }

  /// Begins with the first line of a file that is new, or was emptied and written anew.
  private func begin() {
    if !head.isEmpty || generation == 0 {
      generation += 1
      head = Data()
      controlPath = nil
      state = .waiting
    }
    let start = read(at: 0, count: Self.headLimit)
    guard start.count == Self.headLimit || start.contains(UInt8(ascii: "\n")) else { return }
    guard let line = lines(at: 0, count: Self.headLimit) else {
      state = .refused("\(path): the first line has more than \(Self.lineLimit >> 20) MB")
      return
    }
    guard let end = line.firstIndex(of: UInt8(ascii: "\n")) else { return }
    head = Data(line.prefix(through: end))
    do throws(RecordingError) {
      controlPath = try RecordingFile(line.prefix(through: end)).begin.control
      state = .running
    } catch {
      state = .refused("\(path): \(error.description)")
    }
  }

  /// Finds out whether the recording goes on.
  private func settle() {
    guard state == .running || state == .abandoned || state == .ended else { return }
    let count = 256
    let end = read(at: max(0, Int(status.st_size) - count), count: count)
    let last = end.split(separator: UInt8(ascii: "\n")).last ?? Data()
    let line = try? JSONDecoder().decode(RecordingLine.self, from: last)
    if case .end = line, end.last == UInt8(ascii: "\n") {
      state = .ended
    } else {
      state = isHeld ? .running : .abandoned
    }
  }

  /// Whether a program holds the lock that a recording has. The lock itself is not asked for, since that would
  /// keep a program that is just starting from it. Where the system does not tell, one does.
  private var isHeld: Bool {
    guard let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else {
      return true
    }
    return locks.split(separator: "\n").contains { lock in
      let fields = lock.split(separator: " ")
      return fields.count > 5 && fields[1] == "FLOCK"
        && fields[5].split(separator: ":").last == "\(status.st_ino)"
    }
  }

  /// Whole lines from a place on; empty where there is none yet.
  ///
  /// - Parameter count: The number of bytes to read, unless the first line has more.
  /// - Returns: `nil` where that line is too long.
  func lines(at offset: Int, count: Int) -> Data? {
    var count = count
    while true {
      let bytes = read(at: offset, count: count)
      if let end = bytes.lastIndex(of: UInt8(ascii: "\n")) { return bytes.prefix(through: end) }
      guard bytes.count == count else { return Data() }
      guard count < Self.lineLimit else { return nil }
      count *= 2
    }
  }

  private func read(at offset: Int, count: Int) -> Data {
    guard let file, count > 0 else { return Data() }
    var bytes = Data(count: count)
    let descriptor = file.fileDescriptor
    let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, offset) }
    return bytes.prefix(max(0, read))
  }
}
