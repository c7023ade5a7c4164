// The memory that the process holds.

import RondoAllocationCounter
import Foundation

enum Memory {
  /// Bytes in use by allocations.
  static var inUse: Int { Int(allocated_bytes()) }

  /// The largest resident size so far, in bytes; 0 where the system does not tell.
  static var peak: Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({
        Int($0)
      })
    else { return 0 }
    return kibibytes * 1024
  }
}
