// The program: a server, its load, and its benchmarks.

import Foundation
import RondoDurable

@main struct Main {
  static func main() async {
    do {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
      switch arguments.command {
      case "help": print(Arguments.help)
      case "serve": try await serve(arguments)
      case "bench": try await Bench(arguments).run()
      case "route": try Routing(arguments).run()
      case "say": try say(arguments)
      case "check": try await check(arguments)
      case "load":
        // Its threads wait, and the main thread with them.
        guard try Load(arguments).run() else { exit(1) }
      default: throw UsageError("There is no command '\(arguments.command)'; see --help.")
      }
    } catch let error as UsageError {
      fail(error, status: 64)
    } catch {
      fail(error, status: 1)
    }
  }

  /// Ends the server in order when somebody asks it to: it gives its matches to others first.
  private static func endOnSignal(_ serving: Task<Void, Never>) -> any DispatchSourceSignal {
    signal(SIGTERM, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTERM)
    source.setEventHandler {
      serving.cancel()
      Task {
        await serving.value
        exit(0)
      }
    }
    source.resume()
    return source
  }

  /// Reads matches as this program would, and changes nothing.
  private static func check(_ arguments: Arguments) async throws {
    let (journal, name) = try await arguments.journal()
    let server = try Server(arguments, journal: journal)
    let check = try await server.matches.check()
    for (store, replay) in check.replays {
      print(DurableEvent.replayed(store: store, replay))
    }
    for error in check.errors { print(error) }
    print("\(name): \(check.stores) matches, \(check.errors.count) that cannot go on")
    if !check.errors.isEmpty { exit(1) }
  }

  private static func say(_ arguments: Arguments) throws {
    guard let sockets = arguments.text("sockets")?.split(separator: ","),
      let line = arguments.text("line")
    else { throw UsageError("Saying something needs '--sockets A,B' and '--line LINE'.") }
    let end = Date().addingTimeInterval(try arguments.number("seconds", or: 60))
    while Date() < end {
      for socket in sockets {
        guard let connection = LineConnection(path: String(socket), timeout: 20),
          connection.write(line), let answer = connection.readLine()
        else { continue }
        return print(answer)
      }
      usleep(100_000)
    }
    throw UsageError("No worker has answered.")
  }

  private static func fail(_ error: any Error, status: Int32) -> Never {
    FileHandle.standardError.write(Data("durable-matches: \(error)\n".utf8))
    exit(status)
  }

  private static func serve(_ arguments: Arguments) async throws {
    let (journal, name) = try await arguments.journal()
    let server = try Server(arguments, journal: journal)
    let serving = Task { await server.matches.run() }
    let signals = endOnSignal(serving)
    defer { signals.cancel() }
    if let path = arguments.text("socket") {
      let socket = try ListeningSocket(path: path)
      FileHandle.standardOutput.write(Data("matches on \(path), journal: \(name)\n".utf8))
      // It has a thread of its own: it waits for connections.
      Thread.detachNewThread { server.answer(on: socket) }
      await serving.value
    } else {
      if isatty(0) == 1 {
        print("Matches of noughts and crosses, kept in \(name). Say for example:")
        print(
          "  1 create final 60\n  2 join final ada\n  3 join final bob\n  4 move final ada 4\n  show final"
        )
      }
      await server.answerStandardInput()
      serving.cancel()
      await serving.value
    }
  }
}
