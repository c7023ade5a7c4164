// Frames that are kept in files.

import Foundation
import RondoProcesses
import RondoScheduling
import RondoStage
import RondoStageTesting
import Testing

@Suite struct FrameFileTests {
  private func stage(_ word: String = "Hello") -> Stage {
    let stage = Stage()
    func tree(_ isOn: Bool) -> Node {
      Node.group {
        Node.text(word).foreground(.orange).offset(x: isOn ? 8 : 0)
        if isOn { Node.text("日本").background(.blue).offset(y: 1) }
      }
    }
    stage.commit(tree(false), at: .zero)
    stage.commit(tree(true), transaction: .linear(), at: .zero)
    return stage
  }

  private func sheet(_ stage: Stage) -> FrameSheet {
    FrameSheet(
      stage.tellingInstants.map {
        FramePicture(Canvas(stage.frame(at: $0), width: 14, height: 2), at: $0)
      })
  }

  // S3
  @Test func aStageShowsWhatItHasShownBefore() {
    expectFrames(of: stage(), matching: "arrival", width: 14, height: 2)
  }

  // S3
  @Test func framesAreTheirText() {
    let sheet = sheet(stage())
    #expect(sheet.pictures.count == 9)
    #expect(FrameSheet(text: sheet.text) == sheet)
    #expect(FrameSheet(text: "").pictures.isEmpty)
  }

  // S3
  @Test func whatIsNotThereIsWrittenOnce() throws {
    let folder = TemporaryFolder()
    let file = folder.file("Frames/new.txt")
    let sheet = sheet(stage())
    let problem = try #require(sheet.compare(with: file, name: "new", accepts: false))
    #expect(problem.hasPrefix("There were no frames 'new'. They are in \(file.path) now"))
    #expect(sheet.compare(with: file, name: "new", accepts: false) == nil)
  }

  // S3
  @Test func aDifferenceIsShownAndDrawn() throws {
    let folder = TemporaryFolder()
    let file = folder.file("hello.txt")
    let name = "hello-\(UUID().uuidString)"
    let (before, now) = (sheet(stage()), sheet(stage("Hallo")))
    #expect(before.compare(with: file, name: name, accepts: true) == nil)
    let problem = try #require(now.compare(with: file, name: name, accepts: false))
    #expect(problem.hasPrefix("9 of the 9 frames '\(name)' are not as before."))
    #expect(problem.contains("|Hello") && problem.contains("|Hallo"))
    let picture = try #require(problem.firstMatch(of: /in (\S+\.svg)\./)?.1)
    defer { try? FileManager.default.removeItem(atPath: String(picture)) }
    let svg = try String(contentsOfFile: String(picture), encoding: .utf8)
    #expect(svg.contains("<title>") && svg.contains("stroke=\"#ff3b30\""))
    // What is right now is accepted.
    #expect(now.compare(with: file, name: name, accepts: true) == nil)
    #expect(now.compare(with: file, name: name, accepts: false) == nil)
  }

  // S3
  @Test func aProblemFailsTheTest() {
    withKnownIssue {
      expectFrames(of: stage(), matching: "arrival", filePath: "/proc/none/Tests.swift")
    } matching: {
      "\($0)".contains("The frames 'arrival' cannot be written to /proc/none/Frames/arrival.txt")
    }
  }
}
