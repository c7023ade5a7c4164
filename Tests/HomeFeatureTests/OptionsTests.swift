import RondoHomeFeature
import Testing

@testable import RondoHomeProgram

@Suite struct OptionsTests {
  @Test func noArgumentIsAllDefaults() throws {
    #expect(try Options(arguments: []) == Options())
  }

  @Test func everyOptionIsRead() throws {
    let options = try Options(
      arguments: """
        --once --virtual-time --seed 7 --speed 0.1 --latency server=300ms --latency=auth=1.5s \
        --latency matches=2m --fail auth --fail files --data /tmp/x --format json
        """.split(separator: " ").map(String.init)
    )
    var expected = Options()
    expected.once = true
    expected.virtualTime = true
    expected.seed = 7
    expected.speed = 0.1
    expected.latencies = [
      .server: .milliseconds(300), .authentication: .milliseconds(1500), .matches: .seconds(120),
    ]
    expected.failing = [.authentication, .files]
    expected.dataDirectory = "/tmp/x"
    expected.format = .json
    #expect(options == expected)
  }

  @Test func theLastOfTwoValuesCounts() throws {
    #expect(try Options(arguments: ["--seed", "1", "--seed=2"]).seed == 2)
  }

  @Test(arguments: [
    ("--nonsense", #"unknown option "--nonsense"; --help lists the options"#),
    ("launch", #"unknown option "launch"; --help lists the options"#),
    ("--once=yes", "--once takes no value"),
    ("--seed", "--seed needs a value: --seed N"),
    ("--seed -1", #"--seed "-1": expected a whole number from 0 to 18446744073709551615"#),
    ("--speed 0", #"--speed "0": expected a factor from 0.001 to 1000"#),
    ("--speed -2", #"--speed "-2": expected a factor from 0.001 to 1000"#),
    ("--speed inf", #"--speed "inf": expected a factor from 0.001 to 1000"#),
    ("--speed nan", #"--speed "nan": expected a factor from 0.001 to 1000"#),
    ("--latency server", #"--latency "server": expected SOURCE=DURATION, such as server=300ms"#),
    (
      "--latency moon=1s",
      #"--latency "moon=1s": expected one of files, auth, server, matches"#
    ),
    (
      "--latency server=-1s",
      #"--latency "server=-1s": a duration cannot be negative; give 0s or more"#
    ),
    (
      "--latency server=3",
      #"--latency "server=3": expected a duration such as 300ms, 1.5s, 2m or 1h"#
    ),
    (
      "--latency server=xs",
      #"--latency "server=xs": expected a duration such as 300ms, 1.5s, 2m or 1h"#
    ),
    (
      "--latency server=infs",
      #"--latency "server=infs": expected a duration such as 300ms, 1.5s, 2m or 1h"#
    ),
    (
      "--latency server=1e300s",
      #"--latency "server=1e300s": a duration is at most an hour, 1h"#
    ),
    ("--fail everything", #"--fail "everything": expected one of files, auth, server, matches"#),
    ("--format xml", #"--format "xml": expected one of plain, json"#),
    ("--server moon", #"--server "moon": expected a URL such as http://localhost:8080"#),
    ("--server ftp://x", #"--server "ftp://x": expected a URL such as http://localhost:8080"#),
    (
      "--server http://x --virtual-time",
      "--server is asked on real time, not on virtual time; leave one of them out"
    ),
    ("--data --once", "--data needs a value: --data DIR"),
    (
      "--simulate 1 --svg x",
      "--simulate and --replay run something else than the launch; leave out what is about it"
    ),
    (
      "--replay x --record x",
      "--simulate and --replay run something else than the launch; leave out what is about it"
    ),
    ("--data=", #"--data "": expected the path of a directory"#),
  ])
  func aMisuseIsNamed(arguments: String, message: String) {
    #expect(throws: UsageError(message)) {
      try Options(arguments: arguments.split(separator: " ").map(String.init))
    }
  }

  @Test func helpNamesEveryOption() {
    for option in Options.all {
      #expect(Options.helpText.contains("  \(option.usage) "))
    }
  }

  @Test func helpFitsTheTerminal() {
    for line in Options.helpText.split(separator: "\n") {
      #expect(line.count <= 80)
    }
  }
}
