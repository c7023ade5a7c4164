// The animated launch on virtual time, written to files.

import Foundation
import RondoHomeFeature
import RondoHomeScreen
import Rondo
import RondoStage

/// Runs the launch with its screen at once, and writes what the screen has shown.
@MainActor
struct FrameExport {
  let options: Options
  let directory: String
  var recording: RunRecording?

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
    player.start()
    while !player.isStill, timeline.advanceToNextDue() {}
    // The end of the run is no part of the picture.
    let recording = recorder.recording
    player.stop()
    return (recording, player.fileProblem)
  }

  /// The screen on a timeline.
  func player(_ timeline: TestTimeline, draw: @escaping (Canvas) -> Void) -> ScreenPlayer {
    ScreenPlayer(
      scheduler: timeline.scheduler.eraseToAnyScheduler(),
      size: .standard,
      speed: options.speed,
      elapsed: { timeline.elapsed },
      draw: draw,
      withDependencies: Services.virtual(options, directory: directory, timeline: timeline).prepare
    )
  }

  private final class Recorder {
    var recording = CanvasRecording(
      width: ScreenSize.standard.width, height: ScreenSize.standard.height)
  }

  private func write(_ recording: CanvasRecording) throws {
    if let frames = options.framesDirectory {
      for (name, text) in recording.textFiles { try write(text, to: frames + "/" + name) }
    }
    if let file = options.svgFile { try write(recording.animatedSVG(), to: file) }
    if let file = options.castFile { try write(recording.asciicast, to: file) }
  }

  /// Replaces a file in one step. What is no file, such as a device, a pipe or a link, stays what it
  /// is and is written to.
  private func write(_ text: String, to path: String) throws {
    var status = stat()
    let isReplaced = lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: isReplaced ? .atomic : [])
  }
}
