import Foundation
import RondoSeededRandomness
import Testing

/// The built program in tmux, which is a terminal with a mind of its own. Where tmux is not installed,
/// these tests are left out.
@Suite(.enabled(if: Tmux.path != nil, "tmux is not installed")) struct TmuxTests {
  let directory = TemporaryFolder()

  /// A shell in which the program has been started and has come to rest.
  private func started() throws -> Tmux {
    // The shell goes on after Ctrl-C, which reaches it as well.
    let tmux = try Tmux(
      script: """
        trap : INT; echo before; "\(Repository.program)" --data "\(directory.path)"; \
        echo "status $?"; exec cat
        """)
    #expect(try tmux.shows("28 people have already played!"))
    #expect(try tmux.shows("LAUNCHES 312"))
    return tmux
  }

  @Test func theLaunchAKeyAndAnotherSizeAreShownOnAnotherScreen() throws {
    let tmux = try started()
    #expect(try tmux.modes() == "1 0")
    let lines = try tmux.screen().split(separator: "\n")
    #expect(lines.first?.hasPrefix("  isowords") == true)
    #expect(lines.contains { $0.contains("Blob Sr.") && $0.contains("your turn") })
    try tmux.type("Down")
    #expect(try tmux.shows("▸2 Blob Esq."))
    try tmux.resize(width: 100, height: 30)
    #expect(
      try tmux.wait {
        let lines = try $0.screen().split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count >= 30 && lines[29].contains("q quit")
      })
  }

  @Test(arguments: Soak.arguments([("C-c", 130)], more: [("q", 0), ("C-d", 0)]))
  func theShellHasItsScreenBackAndKnowsWhy(_ key: String, _ status: Int) throws {
    let tmux = try started()
    try tmux.type(key)
    #expect(try tmux.shows("status \(status)"))
    #expect(try tmux.modes() == "0 1")
    #expect(try tmux.screen().hasPrefix("before"))
  }
}
