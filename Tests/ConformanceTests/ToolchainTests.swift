// Y20: what the toolchain lends beyond its documented interface. On a new toolchain these tests fail first.

import Foundation
import RondoConcurrencyShims
import Synchronization
@_spi(Reflection) import Swift
import Testing

@testable import Rondo
@testable import RondoScheduling
@testable import RondoTestStore

// Each test compares an answer of the toolchain with one that is had in another way: written by hand,
// given by `MemoryLayout`, or by Swift Testing itself.
@Suite struct ToolchainTests {
  // MARK: Types

  // Y20
  @Test func enumsAreReadThroughTheirWitnesses() throws {
    let several = try #require(EnumLayout(Several.self))
    let cases: [Several] = [.number(1), .text("a"), .none]
    #expect(cases.map { several.tag(of: $0) } == [0, 1, 2])
    #expect(several.payload(of: Several.text("a"), as: String.self) == "a")
    let bare = try #require(EnumLayout(Bare.self))
    #expect([Bare.first, .second, .third].map { bare.tag(of: $0) } == [0, 1, 2])
    let optional = try #require(EnumLayout(Int?.self))
    #expect([Int?.some(3), nil].map { optional.tag(of: $0) } == [0, 1])
    let generic = try #require(EnumLayout(Generic<[String]>.self))
    #expect(generic.payload(of: Generic.value(["a", "b"]), as: [String].self) == ["a", "b"])
    #expect(EnumLayout(String.self) == nil && EnumLayout(NSObject.self) == nil)
  }

  // Y20
  @Test func casesHaveTheirNamesAndPayloads() throws {
    let several = try #require(EnumLayout(Several.self))
    #expect(several.caseNames == ["number", "text", "none"])
    #expect(
      several.inlinePayloadTypes.map { $0.map(ObjectIdentifier.init) } == [
        ObjectIdentifier(Int.self), ObjectIdentifier(String.self), nil,
      ])
    let generic = try #require(EnumLayout(Generic<[String]>.self))
    #expect(generic.inlinePayloadType(ofTag: 0) == [String].self)
  }

  // Y20
  @Test func aTableThatIsNotTheTypesIsNotUsed() {
    var table = [UInt](repeating: 0, count: 13)
    (table[8], table[9]) = (UInt(MemoryLayout<Several>.size), UInt(MemoryLayout<Several>.stride))
    table[10] = 1 << 21
    #expect(table.withUnsafeBytes { EnumLayout.isTable($0.baseAddress!, of: Several.self) })
    for (place, wrong) in [(8, 3), (9, 1 << 40), (10, 0)] as [(Int, UInt)] {
      var other = table
      other[place] = wrong
      #expect(!other.withUnsafeBytes { EnumLayout.isTable($0.baseAddress!, of: Several.self) })
    }
  }

  // Y20
  @Test func withoutTheTableACaseIsFoundByAMirror() {
    let text = CaseReflection(Several.text, layout: nil)
    #expect(text.extract(from: .text("a")) == "a")
    #expect(text.extract(from: .number(1)) == nil && text.extract(from: .none) == nil)
    let number = CaseReflection(Several.number, layout: nil)
    #expect(number.extract(from: .number(1)) == 1)
    let noCase = CaseReflection({ (value: Int) in "\(value)" }, layout: nil)
    #expect(noCase.extract(from: "1") == nil)
  }

  // Y20
  @Test func fieldsAreFoundAtTheirOffsets() {
    var found: [(Int, ObjectIdentifier)] = []
    let isWhole = _forEachField(of: Record.self) { _, offset, type, _ in
      found.append((offset, ObjectIdentifier(type)))
      return true
    }
    let expected: [(PartialKeyPath<Record>, ObjectIdentifier)] = [
      (\.flag, ObjectIdentifier(Bool.self)), (\.number, ObjectIdentifier(Int.self)),
      (\.name, ObjectIdentifier(String?.self)),
    ]
    #expect(isWhole)
    #expect(found.map(\.0) == expected.map { MemoryLayout<Record>.offset(of: $0.0) })
    #expect(found.map(\.1) == expected.map(\.1))
  }

  // Y20
  @Test func typesAreFoundByTheirMangledNames() {
    #expect(_typeByName("Si") == Int.self)
    #expect(_typeByName("7Testing4TestV") == Test.self)
    #expect(_typeByName("7Testing5IssueV") == Issue.self)
    #expect(_typeByName("7Testing14SourceLocationV") == SourceLocation.self)
    #expect(_typeByName("16ConformanceTests17NamedForItsModuleV") == NamedForItsModule.self)
  }

  // Y20
  @Test func closuresAreCastToSendableOnes() {
    let closure: (Int) -> String = { "\($0)" }
    #expect(unsafeBitCast(closure, to: (@Sendable (Int) -> String).self)(3) == "3")
  }

  // MARK: Test libraries

  // Y20
  @Test func anIssueFailsTheTestThatRuns() {
    #expect(isSwiftTestCurrent)
    let line = UInt(#line) + 2
    withKnownIssue {
      reportIssue("known here")
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("known here") }
        && issue.sourceLocation.map { UInt($0.line) } == line
    }
  }

  // Y20
  @Test(arguments: ["a", "b"]) func theArgumentsOfTheTestThatRunsAreTold(_ argument: String) throws
  {
    let kind = try Mirror(reflecting: #require(Test.Case.current)).descendant("_kind")
    #expect("\(try #require(kind))".contains("value: \"\(argument)\""))
  }

  // MARK: Concurrency

  // Y20
  @Test func whatIsCastHasTheSizeOfWords() {
    let word = MemoryLayout<UInt>.size
    #expect(MemoryLayout<UnownedJob>.size == word)
    #expect(MemoryLayout<Task<Void, Never>>.size == word)
    #expect(MemoryLayout<UnownedSerialExecutor>.size == 2 * word)
    #expect(MemoryLayout<[ObjectIdentifier: Int]>.size == word)
    let numbers = [1: 2]
    var copy = numbers
    #expect(unsafeBitCast(numbers, to: UInt.self) == unsafeBitCast(copy, to: UInt.self))
    copy[1] = 3
    #expect(unsafeBitCast(numbers, to: UInt.self) != unsafeBitCast(copy, to: UInt.self))
  }

  // Y20
  @MainActor @Test func anExecutorKnowsThatItRuns() async {
    #expect(isRunning(on: MainActor.sharedUnownedExecutor))
    let isRunningElsewhere = await Task.detached {
      isRunning(on: MainActor.sharedUnownedExecutor)
    }.value
    #expect(!isRunningElsewhere)
    let answers = await Owner().answers()
    #expect(answers == [true, false])
  }

  // Y20
  @Test func aTaskThatHasEndedMayBeCancelledByAnUnsafeHandle() async {
    // A handle that did not hold its task would be found by the address sanitizer.
    // nonisolated(unsafe): set before the task has ended, and read afterwards.
    nonisolated(unsafe) var handle: UnsafeCurrentTask?
    await Task { handle = withUnsafeCurrentTask { $0 } }.value
    #expect(handle?.isCancelled == false)
    handle?.cancel()
    #expect(handle?.isCancelled == true)
  }

  @Test func jobsOfATaskHaveItsNumber() async {
    var numbers: [[UInt64]] = []
    for jobs in [Jobs(), Jobs()] {
      let task = Task(executorPreference: jobs) {
        await Task.yield()
        await Task.yield()
      }
      await task.value
      numbers.append(jobs.numbers.withLock { $0 })
    }
    // The job by which a task yields belongs to none, and has no number.
    let ofTasks = numbers.map { Set($0).subtracting([0]) }
    #expect(ofTasks.allSatisfy { $0.count == 1 } && numbers.allSatisfy { $0.first != 0 })
    #expect(ofTasks[0] != ofTasks[1])
  }

  // Y20
  @Test func aTaskIsFoundAndCancelledByItsAddress() async {
    let found = await Task {
      let isFound = rondo_isInTask() && rondo_currentTask() != nil
      rondo_cancelTask(rondo_currentTask()!)
      return isFound && Task.isCancelled
    }.value
    #expect(found)
    let outside = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: rondo_isInTask() || rondo_currentTask() != nil)
      }
    }
    #expect(!outside)
  }

  // Y20
  @Test func jobsOfThePoolAreCounted() async throws {
    let before = try #require(ConcurrentPool.count)
    await Task.detached {}.value
    #expect(try #require(ConcurrentPool.count) > before)
  }
}

struct NamedForItsModule {}

private enum Several {
  case none
  case number(Int)
  case text(String)
}

private enum Bare { case first, second, third }

private enum Generic<Value> {
  case value(Value)
  case nothing
}

private struct Record {
  var flag = false
  var number = 0
  var name: String?
}

/// An executor that remembers the numbers of the tasks whose jobs it has run.
private final class Jobs: TaskExecutor {
  let numbers = Mutex<[UInt64]>([])
  private let queue = DispatchQueue(label: "ToolchainTests")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let number = rondo_taskNumber(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
    numbers.withLock { $0.append(number) }
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

private actor Owner {
  /// Whether the executor of this actor runs, and whether that of the main actor does.
  func answers() -> [Bool] {
    [isRunning(on: unownedExecutor), isRunning(on: MainActor.sharedUnownedExecutor)]
  }
}
