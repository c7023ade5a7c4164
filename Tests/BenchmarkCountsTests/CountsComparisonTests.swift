// Tests of the limits that the costs of the benchmarks may not go past.

import RondoBenchmarkCounts
import Testing

@Suite struct CountsComparisonTests {
  private func problems(
    _ rows: [Counted], before: [Count] = []
  ) -> [String] {
    var comparison = CountsComparison(with: Counts(rows: before))
    comparison.add(rows)
    return comparison.problems
  }

  private func row(
    _ allocations: Double, _ instructions: Double? = nil, size: Int = 1_000,
    isSingleThreaded: Bool = true, kept: Int = 0
  ) -> Counted {
    Counted(
      count: count(allocations, instructions, size: size),
      isSingleThreaded: isSingleThreaded, kept: kept)
  }

  private func count(
    _ allocations: Double, _ instructions: Double? = nil, size: Int = 1_000
  ) -> Count {
    Count(workload: "send", size: size, allocations: allocations, instructions: instructions)
  }

  @Test func aTenthMoreInstructionsPassesAndMoreDoesNot() {
    #expect(problems([row(0, 110)], before: [count(0, 100)]).isEmpty)
    #expect(
      problems([row(0, 111)], before: [count(0, 100)])
        == ["send at 1000: more instructions per operation: 100.00 -> 111.00"])
  }

  @Test func aTenthMoreAllocationsPassesAndMoreDoesNot() {
    #expect(problems([row(11)], before: [count(10)]).isEmpty)
    #expect(
      problems([row(11.1)], before: [count(10)])
        == ["send at 1000: more allocations per operation: 10.00 -> 11.10"])
  }

  @Test func threadsAreGivenAQuarterMoreAllocations() {
    #expect(problems([row(12.5, isSingleThreaded: false)], before: [count(10)]).isEmpty)
    #expect(problems([row(12.6, isSingleThreaded: false)], before: [count(10)]).count == 1)
  }

  @Test func anOperationThatAllocatedNothingMayNotBeginTo() {
    #expect(problems([row(0.05)], before: [count(0)]).isEmpty)
    #expect(problems([row(1)], before: [count(0)]).count == 1)
  }

  @Test func lessPasses() {
    #expect(problems([row(1, 10)], before: [count(10, 100)]).isEmpty)
  }

  @Test func aRowIsComparedWithThatOfItsOwnSize() {
    #expect(problems([row(10, size: 10)], before: [count(1, size: 1_000)]).isEmpty)
  }

  @Test func costsMayNotGrowWithTheSize() {
    let small = row(2, 100, size: 10)
    #expect(problems([small, row(3.5, 150, size: 100)]).isEmpty)
    #expect(
      problems([small, row(3.6, 151, size: 100)]) == [
        "send at 100: allocations per operation grow with the size: 2.00 -> 3.60",
        "send at 100: instructions per operation grow with the size: 100.00 -> 151.00",
      ])
  }

  @Test func nothingMayBeKept() {
    #expect(problems([row(0, kept: CountsComparison.keptTolerance)]).isEmpty)
    #expect(
      problems([row(0, kept: CountsComparison.keptTolerance + 1)])
        == ["send at 1000: bytes are kept after all has ended: 0.00 -> 65537.00"])
  }

  @Test func whatWasNotCountedIsNotCompared() {
    #expect(problems([row(0, nil)], before: [count(0, 100)]).isEmpty)
    #expect(problems([row(0, 100)], before: [count(0, nil)]).isEmpty)
  }
}
