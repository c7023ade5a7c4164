// A program that shows every event it gets, and leaves by every way out.

import Foundation
import RondoStage
import RondoTerminal
import Synchronization

@main
@MainActor
struct TerminalProbe {
  struct Failure: Error {}

  /// Held by the closure of a run.
  private final class Token: Sendable {
    static let count = Atomic(0)
    init() { Self.count.add(1, ordering: .relaxed) }
    deinit { Self.count.subtract(1, ordering: .relaxed) }
  }

  static func main() async {
    let terminal = Terminal(wantsMouse: true)
    var last = "ready"
    var runs = 0
    var runsAgain = false
    func show() { terminal.show(picture(last, terminal.size)) }
    show()
    var heard = 0
    func listen() -> SignalListener? {
      try? SignalListener([SIGUSR1]) { _ in
        heard += 1
        last = "heard \(heard)"
        show()
      }
    }
    var listener = CommandLine.arguments.contains("--listen") ? listen() : nil
    defer { listener?.stop() }
    if CommandLine.arguments.contains("--quit-first") {
      terminal.quit()
      runsAgain = true
    }
    report("before")
    do {
      repeat {
        if runs > 0 { runsAgain = false }
        runs += 1
        var task: Task<Void, any Error>?
        func handle(_ event: TerminalEvent, _: Token) throws {
          switch event {
          case .key(.character("k")): task?.cancel()
          case .key(.character("q")): terminal.quit()
          case .key(.character("e")): exit(3)
          case .key(.character("t")): throw Failure()
          case .key(.character("c")): trap()
          case .key(.character("o")): overflow()
          case .key(.character("d")): writeTooFar()
          case .key(.character("z")): endAndStop()
          case .key(.escape): FileHandle.standardError.write(Data("an escape\n".utf8))
          case .key(.character("m")):
            FileHandle.standardError.write(Data("a message\n".utf8))
          case .key(.character("l")):
            listener = listen()
            last = "listens"
          case .key(.character("s")):
            listener?.stop()
            last = "listens no more"
          case .key(.character("a")):
            runsAgain = true
            last = "again"
            terminal.quit()
          case .key(.character("n")):
            Task {
              do { try await terminal.run { _ in } } catch { last = "refused: \(error)" }
              show()
            }
          case .ending where CommandLine.arguments.contains("--stay"):
            terminal.quit()
          default: last = "\(event)".replacing("RondoTerminal.", with: "")
          }
          show()
        }
        task = Task { [token = Token()] in try await terminal.run { try handle($0, token) } }
        try await task?.value
        task = nil
        await finishClosing()
        report("after \(runs)")
        let held = Token.count.load(ordering: .relaxed)
        if held > 0 { FileHandle.standardError.write(Data("held \(held)\n".utf8)) }
      } while runsAgain
    } catch {
      FileHandle.standardError.write(Data("ended by \(error)\n".utf8))
      exit(error is TerminalFailure ? 74 : 70)
    }
  }

  private static func picture(_ text: String, _ size: TerminalSize) -> Node {
    Node.group {
      Node.text("size \(size.width) x \(size.height)")
      Node.text(text).foreground(.orange).offset(y: 1)
    }
  }

  /// Says which signals are handled and how many files are open, if it is asked to.
  private static func report(_ moment: String) {
    guard CommandLine.arguments.contains("--report") else { return }
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let signals = status.split(separator: "\n")
      .filter { $0.hasPrefix("SigIgn") || $0.hasPrefix("SigCgt") }
      // The signals above 31 are those of the system's libraries.
      .map { String(UInt64($0.suffix(16), radix: 16)! & 0x7fff_ffff, radix: 16) }
    let line = "\(moment): signals \(signals.joined(separator: " ")) pipes \(pipes)\n"
    FileHandle.standardError.write(Data(line.utf8))
  }

  /// The number of ends of pipes that are open.
  private static var pipes: Int {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return files.count { file in
      let path = "/proc/self/fd/\(file)"
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      return target?.hasPrefix("pipe:") ?? false
    }
  }

  /// Lets Dispatch close what it has still to close, as far as it does so at all.
  private static func finishClosing() async {
    for _ in 0..<1_000 where pipes > 0 {
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
      }
    }
  }

  private static func trap() -> Never { fatalError("on purpose") }

  /// Writes beyond the end of some memory, which `free` finds out while it holds a lock.
  private static func writeTooFar() {
    let memory = malloc(100_008)!
    memset(memory, 0, 100_016)
    free(memory)
  }

  /// Two signals come before the program looks at either of them.
  private static func endAndStop() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGTERM, SIGTSTP] { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    for number in [SIGTERM, SIGTSTP] { raise(number) }
  }

  /// Uses up the stack.
  private static func overflow(_ depth: Int = 0) {
    withUnsafeTemporaryAllocation(byteCount: 1 << 12, alignment: 1) { buffer in
      buffer[0] = UInt8(truncatingIfNeeded: depth)
      overflow(depth + 1)
      buffer[1] = buffer[0]
    }
  }
}
