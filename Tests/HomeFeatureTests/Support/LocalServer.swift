// The example server, on a port of this machine.

import Foundation

/// `Examples/isowords-server`, run for one test.
final class LocalServer {
  private let process = Process()

  /// The URL at which the server listens.
  let url: String

  /// The path of the Python that runs it; without one the tests that need the server are skipped.
  static let python: String? = {
    let found = ProcessInfo.processInfo.environment["PATH", default: ""]
      .split(separator: ":").map { $0 + "/python3" }
      .first(where: FileManager.default.isExecutableFile)
    if found == nil { print("The tests with a real server are skipped: there is no python3.") }
    return found
  }()

  /// Makes a certificate that nobody trusts.
  ///
  /// - Returns: The file with the key and the certificate; `nil` where there is no openssl.
  static func certificate(in directory: TemporaryFolder) -> String? {
    let (key, certificate) = (directory.path("key.pem"), directory.path("certificate.pem"))
    let arguments =
      ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
      + ["-days", "2", "-keyout", key, "-out", certificate]
    guard (try? ProgramRun("/usr/bin/env", arguments))?.status == 0,
      let both = try? directory.text(of: "key.pem") + directory.text(of: "certificate.pem"),
      (try? directory.write(both, to: "server.pem")) != nil
    else { return nil }
    return directory.path("server.pem")
  }

  private static let file = Repository.root + "/Examples/isowords-server/isowords_server.py"

  /// Runs a server that is to end by itself, at once.
  ///
  /// - Returns: Its status, and the last line on standard error; 124 if it had to be ended.
  static func refusal(_ arguments: [String]) throws -> (status: Int32, line: Substring?) {
    let run = try ProgramRun(
      "/usr/bin/env", ["timeout", "60", python ?? "python3", file] + arguments)
    return (run.status, run.errors.split(separator: "\n").last)
  }

  init(_ arguments: String...) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: Self.python ?? "/usr/bin/python3")
    process.arguments = [Self.file, "--port", "0"] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The server prints its URL as the first line, when it listens.
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    url = line.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  deinit {
    // A new process blocks the signals that the starting thread blocks. This one is never blocked.
    kill(process.processIdentifier, SIGKILL)
  }
}
