// The examples show what they showed when their pictures were taken.

import Foundation
import StageExamples
import Testing

@MainActor
@Suite struct StageExamplesTests {
  /// The pictures are files beside this one; `swift run stage-examples --frames NAME` prints them.
  @Test(arguments: ["shake", "cardify", "transactions", "sequence", "transitions"])
  func showsItsPictures(_ name: String) throws {
    let example = try #require(stageExamples.first { $0.name == name })
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Pictures/\(name).txt")
    let pictures = try String(contentsOf: file, encoding: .utf8)
    #expect(example.album() == pictures)
  }

  @Test func seekingShowsWhatSteppingShows() throws {
    for type in stageExamples {
      let (sought, stepped) = (type.init(), type.init())
      let end = type.highlights.last!
      for frame in 0..<Int(end / .milliseconds(16)) {
        _ = stepped.canvas(at: .milliseconds(16) * frame)
      }
      #expect(sought.canvas(at: end) == stepped.canvas(at: end), "\(type.name)")
    }
  }
}
