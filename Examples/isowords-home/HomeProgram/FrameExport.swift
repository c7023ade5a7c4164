// The animated launch on virtual time, written to files.

import Foundation
import HomeFeature
import HomeScreen
import Rondo
import RondoStage

/// Runs the launch with its screen at once, and writes what the screen has shown.
@MainActor
struct FrameExport {
  let options: Options
  let directory: String

  /// Makes sure that the files can be written, before anything is.
  static func prepare(_ options: Options) throws(DataDirectory.Problem) {
    for file in [options.svgFile, options.castFile].compactMap(\.self) {
      var isDirectory: ObjCBool = false
      if FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory),
        isDirectory.boolValue
      {
        throw DataDirectory.Problem(path: file, message: "is a directory")
      }
      try DataDirectory(
        URL(fileURLWithPath: file).deletingLastPathComponent().path, environment: [:]
      )
      .prepare()
    }
    if let frames = options.framesDirectory {
      try DataDirectory(frames, environment: [:]).prepare()
    }
  }

  /// Runs the launch until it has ended and nothing moves any more, and writes the files.
  ///
  /// - Parameter log: Takes every commit.
  /// - Returns: What went wrong with files, if anything did.
  func run(log: @escaping (HomeCommit) -> Void) -> String? {
    let (recording, problem) = record(log: log)
    do {
      try write(recording)
      return problem
    } catch {
      return "the frames cannot be written: \(error.localizedDescription)"
    }
  }

  /// What the screen shows of the launch.
  func record(
    log: @escaping (HomeCommit) -> Void = { _ in }
  ) -> (ScreenRecording, problem: String?) {
    let timeline = TestTimeline(startDate: VirtualRun.startDate)
    let recorder = Recorder()
    let services = Services.virtual(options, directory: directory, timeline: timeline)
    let player = ScreenPlayer(
      scheduler: timeline.scheduler.eraseToAnyScheduler(),
      size: .standard,
      speed: options.speed,
      elapsed: { timeline.elapsed },
      draw: { recorder.recording.add($0, at: timeline.elapsed) },
      withDependencies: services.prepare
    )
    player.didCommit = log
    player.start()
    while !player.isStill, timeline.advanceToNextDue() {}
    // The end of the run is no part of the picture.
    let recording = recorder.recording
    player.stop()
    return (recording, player.fileProblem)
  }

  private final class Recorder {
    var recording = ScreenRecording(size: .standard)
  }

  private func write(_ recording: ScreenRecording) throws {
    if let frames = options.framesDirectory {
      for (name, text) in recording.textFiles { try write(text, to: frames + "/" + name) }
    }
    if let file = options.svgFile { try write(recording.animatedSVG(), to: file) }
    if let file = options.castFile { try write(recording.asciicast, to: file) }
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
