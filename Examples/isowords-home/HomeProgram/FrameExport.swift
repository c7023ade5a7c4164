// The animated launch on virtual time, written to files.

import Foundation
import RondoHomeFeature
import RondoHomeScreen
import Rondo
import RondoRecording
import RondoStage

/// Runs the launch with its screen at once, and writes what the screen has shown.
@MainActor
struct FrameExport {
  /// The title of the picture, for readers who do not see it.
  static let title = "The launch of the home screen"

  let options: Options
  let directory: String
  var recording: RunRecording?
  var runLog: RunLog?

  /// Runs the launch until it has ended and nothing moves any more, and writes the files.
  ///
  /// - Parameter log: Takes every commit.
  /// - Returns: What went wrong with files, if anything did.
  func run(log: @escaping (HomeCommit) -> Void) -> String? {
    let (recording, problem) = record(log: log)
    // Pictures of nothing would take the place of those that are there.
    if recording.frames.isEmpty, let problem { return problem }
    do {
      try write(recording)
      return problem
    } catch {
      return "the frames cannot be written: \(error.localizedDescription)"
    }
  }

  /// Records what the screen shows of the launch.
  func record(
    log: @escaping (HomeCommit) -> Void = { _ in }
  ) -> (CanvasRecording, problem: String?) {
    let timeline = TestTimeline(startDate: VirtualRun.startDate)
    let recorder = Recorder()
    let player = player(timeline) {
      recorder.recording.add($0, at: timeline.elapsed)
      self.recording?.add($0)
    }
    player.didCommit = log
    let problem = recording?.begin(player.store, clock: timeline.clock, date: timeline.date)
    if let problem { return (recorder.recording, problem) }
    runLog?.begin(player.store, clock: timeline.clock, date: timeline.date)
    player.start()
    while !player.isStill, timeline.advanceToNextDue() {}
    // The end of the run is no part of the picture.
    let recording = recorder.recording
    player.stop()
    return (recording, player.fileProblem)
  }

  /// The screen on a timeline.
  ///
  /// - Parameter pace: The seconds that the screen says have passed in a second of the timeline.
  func player(
    _ timeline: TestTimeline, size: ScreenSize = .standard, pace: Double = 1,
    draw: @escaping (Canvas) -> Void
  ) -> ScreenPlayer {
    ScreenPlayer(
      scheduler: timeline.scheduler.eraseToAnyScheduler(),
      size: size,
      speed: options.speed,
      elapsed: { timeline.elapsed * pace },
      draw: draw,
      withDependencies: Services.virtual(options, directory: directory, timeline: timeline).prepare
    )
  }

  private final class Recorder {
    var recording: CanvasRecording

    init(_ size: ScreenSize = .standard) {
      recording = CanvasRecording(width: size.width, height: size.height)
    }
  }

  private func write(_ recording: CanvasRecording) throws {
    if let frames = options.framesDirectory {
      for (name, text) in recording.textFiles { try write(text, to: frames + "/" + name) }
    }
    if let file = options.svgFile { try write(recording.animatedSVG(title: Self.title), to: file) }
    if let file = options.castFile { try write(recording.asciicast, to: file) }
    if let file = options.storyFile { try write(story(), to: file) }
  }

  /// The launch once more, at a fifth of its speed, as a picture that tells what it does. Its times are those of the
  /// launch at its own speed.
  func story() throws -> String {
    let pace = 0.2
    let lead = Duration.milliseconds(300)
    var slow = options
    slow.speed = pace
    let file = URL(filePath: NSTemporaryDirectory() + "/isowords-home-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    let timeline = TestTimeline(startDate: VirtualRun.startDate)
    let size = ScreenSize(width: 50, height: 16)
    let screen = Recorder(size)
    let export = FrameExport(options: slow, directory: directory)
    let player = export.player(timeline, size: size, pace: pace) {
      // Twenty frames a second are enough, and none is before its time.
      let frames = Int((timeline.elapsed / .milliseconds(50)).rounded(.up))
      let time = Duration.milliseconds(50) * frames
      screen.recording.add($0, at: time == .zero ? time : lead + time)
    }
    let recording = try player.store.record(
      to: file, clock: timeline.clock, date: timeline.date)
    player.start()
    while !player.isStill, timeline.advanceToNextDue() {}
    recording.end()
    // The end of the run is no part of the picture.
    let shown = screen.recording
    player.stop()
    let end = shown.frames.last?.time ?? lead
    return StoryPicture(
      story: LaunchStory(try RecordingFile(contentsOf: file), pace: pace), screen: shown,
      lead: lead / .seconds(1),
      length: ((end + .milliseconds(1_600)) / .seconds(0.1)).rounded() / 10,
      slowness: 1 / pace
    ).svg
  }

  /// Replaces a file in one step. What is no file, such as a device, a pipe or a link, stays what it
  /// is and is written to.
  private func write(_ text: String, to path: String) throws {
    var status = stat()
    let isReplaced = lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: isReplaced ? .atomic : [])
  }
}
