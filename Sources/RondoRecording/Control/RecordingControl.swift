// Whether, and where, tools may act on a program that is recorded.

import Foundation

/// The permission for tools to act on a program while it is recorded, by a Unix socket.
///
/// ```swift
/// let recording = try store.record(to: url, control: .inDebugBuilds)
/// ```
///
/// The page of `rondo live` then sends actions again, goes back to earlier states, holds effects, and slows the
/// clocks down. Only processes of the same user can do so. See the page *Inspection* of the documentation.
public struct RecordingControl: Sendable {
  let isOn: Bool
  let path: String?

  /// Tools may act on the program if it was built for debugging.
  public static var inDebugBuilds: Self { inDebugBuilds(at: nil) }

  /// Tools may act on the program if it was built for debugging.
  ///
  /// - Parameter socket: The place of the socket; `nil` for one in the folder of the user's running programs.
  public static func inDebugBuilds(at socket: URL?) -> Self {
    #if DEBUG
      Self(isOn: true, path: socket?.path)
    #else
      Self(isOn: false, path: nil)
    #endif
  }

  /// Tools may act on the program, also where it was built for release.
  public static var always: Self { always(at: nil) }

  /// Tools may act on the program, also where it was built for release.
  ///
  /// - Parameter socket: The place of the socket; `nil` for one in the folder of the user's running programs.
  public static func always(at socket: URL?) -> Self {
    Self(isOn: true, path: socket?.path)
  }
}
