// The file that counts are compared with.

import RondoBenchmarkCounts
import Foundation
import Testing

@Suite struct CountsTests {
  @Test func aFileIsReadAsItWasWritten() throws {
    let counts = Counts(rows: [
      Count(workload: "send", size: 10, allocations: 1.5, instructions: 345),
      Count(workload: "cancel", size: 100, allocations: 12),
    ])
    let text = try counts.text
    let read = try JSONDecoder().decode(Counts.self, from: Data(text.utf8))
    #expect(read.rows == counts.rows)
    #expect(read.tolerance == counts.tolerance)
    #expect(read.toleranceOfThreads == counts.toleranceOfThreads)
    #expect(try read.text == text)
  }

  @Test func aFileHasALineForEachRow() throws {
    let counts = Counts(rows: [Count(workload: "send", size: 10, allocations: 1.23456)])
    let lines = try counts.text.split(separator: "\n")
    #expect(lines.contains(#"    {"allocations":1.235,"size":10,"workload":"send"}"#))
  }

  @Test func replacingAWorkloadKeepsTheOthers() {
    let other = Count(workload: "cancel", size: 10, allocations: 2)
    let new = Count(workload: "send", size: 100, allocations: 1)
    var counts = Counts(rows: [Count(workload: "send", size: 10, allocations: 1), other])
    counts.replace(by: [new])
    #expect(counts.rows == [other, new])
  }
}
