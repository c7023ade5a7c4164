import Foundation
import FoundationXML
import RondoHomeFeature
import RondoHomeScreen
import RondoStage
import Testing

@testable import RondoHomeProgram

/// The animated launch, as it is written to files.
@MainActor @Suite struct FrameExportTests {
  @Test func theFramesOfTheLaunchAreTheGoldenOnes() throws {
    let text = Self.instants.map { instant in
      let milliseconds = Int(instant / .milliseconds(1))
      return "== \(milliseconds) ms\n" + (recording.canvas(at: instant)?.text ?? "") + "\n"
    }.joined()
    #expect(text == (try Repository.golden("launch-frames.txt")))
  }

  @Test func anotherRunDrawsTheSame() {
    #expect(Self.draw().asciicast == recording.asciicast)
  }

  @Test func thePictureShowsWhatTheFramesShow() throws {
    let picture = try MovingPicture(Self.picture)
    for instant in Self.instants {
      let canvas = try #require(recording.canvas(at: instant))
      #expect(picture.lines(at: instant / .seconds(1)) == canvas.lines(without: "▌█━─"))
    }
  }

  @Test func whereNothingMovesThePictureIsTheLastFrame() throws {
    let picture = try MovingPicture(Self.picture)
    #expect(picture.lines(at: nil) == recording.frames.last?.canvas.lines(without: "▌█━─"))
  }

  @Test func theCastShowsWhatTheFramesShow() throws {
    var lines = recording.asciicast.split(separator: "\n").map { Data($0.utf8) }
    let header =
      try JSONSerialization.jsonObject(with: lines.removeFirst()) as? [String: Any]
    #expect(header?["version"] as? Int == 2)
    #expect(header?["width"] as? Int == 80)
    #expect(header?["height"] as? Int == 24)
    // The last one keeps the end for a while.
    let last = lines.popLast()
    let pause = try #require(last)
    #expect(String(decoding: pause, as: UTF8.self).hasSuffix(", \"o\", \"\"]"))
    #expect(lines.count == recording.frames.count)
    var grid = TerminalGrid(width: 80, height: 24)
    for (line, frame) in zip(lines, recording.frames) {
      let event = try #require(try JSONSerialization.jsonObject(with: line) as? [Any])
      let time = try #require(event[0] as? Double)
      #expect(abs(time - frame.time / .seconds(1)) < 1e-5)
      grid.receive(try #require(event[2] as? String).utf8)
      #expect(grid.lines == frame.canvas.lines(without: ""))
    }
  }

  @Test func everyFrameIsAFile() {
    let files = recording.textFiles
    #expect(files.map(\.name) == files.map(\.name).sorted())
    #expect(files.first?.name == "frame-001-0.000s.txt")
    #expect(files.map(\.text) == recording.frames.map { $0.canvas.text + "\n" })
  }

  @Test func theProgramWritesThemAll() throws {
    let directory = TemporaryFolder()
    var options = Options()
    options.framesDirectory = directory.path("frames")
    options.svgFile = directory.path("launch.svg")
    options.castFile = directory.path("launch.cast")
    options.storyFile = directory.path("story.svg")
    try OutputPlaces(options, data: nil).prepare()
    #expect(FrameExport(options: options, directory: directory.path).run { _ in } == nil)
    #expect(directory.names == ["frames", "launch.cast", "launch.svg", "story.svg"])
    #expect(try directory.text(of: "launch.svg").hasPrefix("<svg "))
    let frames = try FileManager.default.contentsOfDirectory(atPath: directory.path("frames"))
    #expect(frames.count > 20)
  }

  /// `swift run isowords-home --data Examples/isowords-home/Sample --svg Documentation/launch.svg
  /// --cast Documentation/launch.cast --story Documentation/story.svg` writes them.
  @Test(arguments: ["launch.svg", "launch.cast", "story.svg"])
  func theDocumentationShowsTheLaunch(_ name: String) throws {
    let file = Repository.root + "/Documentation/" + name
    let shown = try String(contentsOfFile: file, encoding: .utf8)
    let drawn =
      switch name {
      case "launch.svg": Self.picture
      case "story.svg": try Self.export.story()
      default: recording.asciicast
      }
    #expect(shown == drawn, "draw it anew")
    #expect(name == "launch.cast" || shown.contains("<title"))
  }

  /// The picture shows the code as it is, on more lines.
  @Test func theStoryHasTheCodeOfTheLaunch() throws {
    let source = try String(
      contentsOfFile: Repository.root
        + "/Examples/isowords-home/HomeFeature/Home/HomeEffects.swift",
      encoding: .utf8)
    let code = LaunchStory.code.map(\.text).joined()
    #expect(source.filter { !$0.isWhitespace }.contains(code.filter { !$0.isWhitespace }))
  }

  @Test func theStorySaysWhatWaitsForWhatAndWhatIsTagged() throws {
    let picture = try Self.export.story()
    #expect(try XMLDocument(xmlString: picture, options: []).rootElement()?.name == "svg")
    let names = picture.prefix(upTo: try #require(picture.range(of: "class=\"still\"")).lowerBound)
      .matches(of: /<text class="code small p\d"[^>]*>([a-zA-Z]+\.[a-zA-Z]+)<\/text>/)
    #expect(
      names.map { String($0.1) } == [
        "fileClient.loadSavedGames", "gameService.authenticate", "gameService.localPlayer",
        "server.authenticate", "server.todaysDailyChallenges", "server.weekInReview",
        "gameService.loadMatches",
      ])
    for action in ["savedGamesLoaded", "authenticationResponse", "matchesLoaded"] {
      #expect(picture.contains(">\(action)</text>"))
    }
    // The moving picture and the still one each have every tag.
    #expect(picture.matches(of: /class="code small dim"[^>]*>untagged</).count == 2)
    #expect(picture.matches(of: /class="code small ontag"[^>]*>\.default</).count == 8)
  }

  @Test func whatCannotBeWrittenIsSaidBeforehand() {
    var options = Options()
    options.svgFile = "/dev/null/launch.svg"
    #expect(throws: (any Error).self) { try OutputPlaces(options, data: nil).prepare() }
    options.svgFile = "/tmp"
    #expect(throws: (any Error).self) { try OutputPlaces(options, data: nil).prepare() }
    options.svgFile = nil
    options.framesDirectory = "/proc/frames"
    #expect(throws: (any Error).self) { try OutputPlaces(options, data: nil).prepare() }
  }

  @Test func aLinkStaysALink() throws {
    let directory = TemporaryFolder()
    try directory.write("old", to: "picture.svg")
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("link.svg"), withDestinationPath: "picture.svg")
    var options = Options()
    options.svgFile = directory.path("link.svg")
    try OutputPlaces(options, data: nil).prepare()
    #expect(FrameExport(options: options, directory: directory.path).run { _ in } == nil)
    #expect(try directory.text(of: "picture.svg").hasPrefix("<svg "))
  }

  @Test func nothingIsMadeWhereNotEverythingCanBeWritten() throws {
    let directory = TemporaryFolder()
    var options = Options()
    options.svgFile = directory.path("pictures/launch.svg")
    options.recordFile = directory.path("recordings/launch.jsonl")
    let data = DataDirectory("/dev/null/x", environment: [:])
    #expect(throws: (any Error).self) { try OutputPlaces(options, data: data).prepare() }
    #expect(directory.names == [])
  }

  // MARK: Support

  private static let instants: [Duration] = [0, 100, 200, 350, 400, 450, 500, 550, 650, 1000]
    .map { .milliseconds($0) }

  private var recording: CanvasRecording { Self.recording }

  /// The launch, drawn once for all tests.
  private static let recording = draw()

  private static let picture = recording.animatedSVG(title: FrameExport.title)

  private static let export = FrameExport(options: Options(), directory: Repository.sample)

  private static func draw() -> CanvasRecording { export.record().0 }
}

extension Canvas {
  /// The lines of text, with some glyphs left out.
  fileprivate func lines(without glyphs: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var line = String(line.map { glyphs.contains($0) ? " " : $0 })
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
