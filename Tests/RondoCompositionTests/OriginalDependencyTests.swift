// K11, K25: dependencies as suites from elsewhere use them.

import Foundation
import Rondo
import RondoCompatibility
import Testing

private struct Counter: TestDependencyKey {
  var increment: @Sendable () -> Int
  static var testValue: Counter {
    let count = LockIsolated(0)
    return Counter {
      count.withValue {
        $0 += 1
        return $0
      }
    }
  }
}

private struct Base: TestDependencyKey {
  var value: @Sendable () -> Int
  static let testValue = Base { 1 }
}

private struct Derived: TestDependencyKey {
  var value: Int
  static var testValue: Derived {
    @Dependency(\.base) var base
    return Derived(value: base.value() + 1)
  }
}

extension DependencyValues {
  fileprivate var base: Base {
    get { self[Base.self] }
    set { self[Base.self] = newValue }
  }
  fileprivate var careful: Careful {
    get { self[Careful.self] }
    set { self[Careful.self] = newValue }
  }
}

private protocol Greeter: Sendable { var greeting: String { get } }
private struct English: Greeter, TestDependencyKey {
  var greeting = "Hello"
  static let testValue = English()
}

private struct Careful: TestDependencyKey {
  var name = ""
  static var testValue: Careful {
    if shouldReportUnimplemented { reportIssue("There is no careful dependency.") }
    return Careful()
  }
}

private func count() -> Int {
  @Dependency(Counter.self) var counter
  return counter.increment()
}

@Suite struct OriginalDependencyTests {
  // K11
  @Test(arguments: 1...3) func testValuesAreNotSharedBetweenTests(_: Int) {
    #expect(count() == 1)
    #expect(count() == 2)
  }

  // K11
  @Test func aScopeSharesTheTestValuesOfItsTest() {
    #expect(count() == 1)
    withDependencies {
      $0.date.now = .distantPast
    } operation: {
      #expect(count() == 2)
    }
  }

  // K11
  @Test func otherValuesAltogetherBeginAnew() {
    #expect(count() == 1)
    withDependencies {
      $0 = DependencyValues()
    } operation: {
      #expect(count() == 1)
    }
    withDependencies {
      $0 = .test
    } operation: {
      #expect(count() == 1)
    }
    #expect(count() == 2)
  }

  // K11
  @Test func aDefaultSeesTheOverridesThatAPropertyWasMadeWith() {
    struct Model { @Dependency(Derived.self) var derived }
    let model = withDependencies {
      $0.base = Base { 41 }
    } operation: {
      Model()
    }
    #expect(model.derived.value == 42)
  }

  // K11
  @Test(arguments: [1.0, 2.0]) func whatATestPreparesIsItsOwn(seconds: TimeInterval) {
    let result = prepareDependencies {
      $0.date.now = Date(timeIntervalSince1970: seconds)
      return 42
    }
    @Dependency(\.date.now) var now
    #expect(now.timeIntervalSince1970 == seconds)
    #expect(result == 42)
    withDependencies {
      $0.uuid = .incrementing
    } operation: {
      #expect(now.timeIntervalSince1970 == seconds)
    }
  }

  // K11
  @Test func theContextMayBePrepared() {
    prepareDependencies { $0.context = .live }
    @Dependency(\.context) var context
    @Dependency(\.locale) var locale
    #expect(context == .live)
    #expect(locale == .autoupdatingCurrent)
  }

  // K11
  @Test func aPartOfADependencyIsOverriddenWithoutAReport() async {
    let path: WritableKeyPath<DependencyValues, Date> = \.date.now
    let issues = await captureIssues {
      withDependencies {
        $0[keyPath: path] = .distantPast
        $0.careful.name = "a"
      } operation: {
        @Dependency(\.date.now) var now
        #expect(now == .distantPast)
      }
      await withDependencies {
        await Task.yield()
        $0[keyPath: path] = .distantPast
        $0.careful.name = "a"
      } operation: {
        @Dependency(\.date.now) var now
        #expect(now == .distantPast)
      }
    }
    #expect(issues.map(\.message) == [])
  }

  // K38
  @Test func aDefaultIsMadeOnce() async {
    for _ in 0..<20 {
      let values = await withDependencies {
        $0 = DependencyValues()
      } operation: {
        await withTaskGroup(of: Int.self) { group in
          for _ in 0..<4 {
            group.addTask {
              @Dependency(Numbered.self) var numbered
              return numbered.number
            }
          }
          return await group.reduce(into: Set()) { $0.insert($1) }
        }
      }
      #expect(values.count == 1)
    }
    #expect(Numbered.count.value == 20)
  }

  // K38a
  @Test func theKindOfAnUnimplementedClosureIsKnown() async {
    let plain: @Sendable () -> Void = unimplemented("plain")
    let throwing: @Sendable () throws -> Void = unimplemented("throwing")
    let later: @Sendable (Int) async -> Void = unimplemented("later")
    let all: @Sendable () async throws -> Void = unimplemented("all")
    let number: @Sendable () throws -> Int = unimplemented("number")
    let issues = await captureIssues {
      plain()
      #expect(throws: UnimplementedFailure.self) { try throwing() }
      await later(1)
      await #expect(throws: UnimplementedFailure.self) { try await all() }
      #expect(throws: UnimplementedFailure.self) { try number() }
    }
    #expect(issues.count == 5)
  }

  // K38a
  @Test func thatATaskWasCancelledIsNoIssue() async {
    struct Failure: Error {}
    let issues = await captureIssues {
      withErrorReporting { throw CancellationError() }
      await withErrorReporting {
        await Task.yield()
        throw CancellationError()
      }
      withErrorReporting { throw Failure() }
    }
    #expect(issues.count == 1)
  }

  // K38a
  @Test func anOptionalResultIsNotNested() async {
    let number: Int? = 1
    let flat: Int? = withErrorReporting { number }
    let later: Int? = await withErrorReporting {
      await Task.yield()
      return number
    }
    #expect(flat == 1)
    #expect(later == 1)
    #expect(type(of: withErrorReporting { number }) == Int?.self)
    #expect(withErrorReporting { 2 } == 2)
  }

  // K38a
  @Test func aResultKnowsItsFailure() async {
    struct Failure: Error, Equatable {}
    func load(_ fails: Bool) async throws(Failure) -> Int {
      if fails { throw Failure() }
      return 1
    }
    let result = await Result { () async throws(Failure) in try await load(true) }
    let typed: Result<Int, Failure> = result
    #expect(typed == .failure(Failure()))
    let untyped = await Result { try await load(false) }
    #expect((try? untyped.get()) == 1)
  }

  // K38a
  @Test func hashableValuesAreWrittenAsLiterals() {
    let values: [AnyHashableSendable] = [1, "two", true, 1.5]
    #expect(values == [.init(1), .init("two"), .init(true), .init(1.5)])
    #expect(values.description.contains("two"))
  }

  // K38a
  @Test func theActionOfAButtonIsPerformedAsynchronously() async {
    let button = ButtonState(action: 7) { TextState("") }
    let performed = await button.withAction { action in
      await Task.yield()
      return action
    }
    #expect(performed == 7)
  }

  // K25
  @Test func aDefaultValueReadsTheDependenciesInForce() {
    struct Row { var id = DependencyValues._current.uuid() }
    let row = withDependencies {
      $0.uuid = .incrementing
    } operation: {
      Row()
    }
    #expect(row.id == UUID(0))
  }

  // K25
  @Test func aTestValueKnowsWhetherItIsUsed() {
    @Dependency(\.careful) var careful
    let issues = captureIssues { _ = careful }
    #expect(issues.map(\.message) == ["There is no careful dependency."])
  }

  // K11
  @Test func workOfFireAndForgetOutlivesItsCaller() async {
    @Dependency(\.fireAndForget) var fireAndForget
    let isDone = LockIsolated(false)
    let gate = AsyncStream<Void>.makeStream()
    let task = Task {
      await fireAndForget {
        for await _ in gate.stream { break }
        try Task.checkCancellation()
        isDone.setValue(true)
      }
    }
    task.cancel()
    gate.continuation.yield()
    await task.value
    #expect(isDone.value)
  }

  // K11
  @Test func errorsOfFireAndForgetAreReported() async {
    struct Failure: Error {}
    @Dependency(\.fireAndForget) var fireAndForget
    let issues = await captureIssues { await fireAndForget { throw Failure() } }
    #expect(issues.map(\.message) == ["Work of 'fireAndForget' threw an error: Failure()"])
    #expect("\(issues[0].position.fileID)".hasSuffix("OriginalDependencyTests.swift"))
  }

  // K11
  @Test func anObjectWithoutADependencyHandsOnThoseThatItWasMadeWith() {
    final class Parent {}
    let parent = withDependencies {
      $0.date.now = .distantPast
    } operation: {
      Parent()
    }
    let issues = captureIssues {
      withDependencies(from: parent) {
        @Dependency(\.date.now) var now
        #expect(now == .distantPast)
      }
    }
    #expect(issues.isEmpty)
  }

  // K11
  @Test func anAsynchronousScopeHandsOnDependenciesToo() async {
    final class Parent {}
    let parent = await withDependencies {
      await Task.yield()
      $0.date.now = .distantPast
    } operation: {
      await Task.yield()
      return Parent()
    }
    await withDependencies(from: parent) {
      await Task.yield()
      $0.uuid = .incrementing
    } operation: {
      @Dependency(\.date.now) var now
      @Dependency(\.uuid) var uuid
      #expect(now == .distantPast && uuid() == UUID(0))
    }
  }

  // K25
  @Test func aDependencyIsReadAsAProtocol() {
    @Dependency(English.self, as: (any Greeter).self) var greeter
    @Dependency(\.base, as: Any.self) var base
    #expect(greeter.greeting == "Hello")
    #expect(base is Base)
  }

  // K25
  @Test func assertionsFailTests() {
    @Dependency(\.assert) var assert
    @Dependency(\.precondition) var precondition
    @Dependency(\.assertionFailure) var assertionFailure
    let issues = captureIssues {
      assert(true)
      assert(false, "Must be true.")
      precondition(false)
      assertionFailure("Impossible.")
    }
    let texts = ["Must be true.", "An assertion does not hold.", "Impossible."]
    #expect(issues.map(\.message) == texts)
    let failures = LockIsolated(0)
    withDependencies {
      $0.assert = AnyAssertionEffect { condition, _, _, _ in
        if !condition() { failures.withValue { $0 += 1 } }
      }
    } operation: {
      assert(false)
      assertionFailure()
    }
    #expect(failures.value == 2)
  }

  // K25
  @Test func surroundings() {
    @Dependency(\.preferredLocales) var preferredLocales
    @Dependency(\.notificationCenter) var notificationCenter
    withDependencies {
      $0.preferredLocales = [Locale(identifier: "de")]
    } operation: {
      #expect(preferredLocales == [Locale(identifier: "de")])
    }
    #expect(captureIssues { _ = preferredLocales }.count == 1)
    #expect(notificationCenter !== NotificationCenter.default)
  }

  // K25
  @Test func chanceMayFail() {
    struct Failure: Error {}
    withDependencies {
      $0.withRandomNumberGenerator = WithRandomNumberGenerator(SystemRandomNumberGenerator())
    } operation: {
      @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
      #expect(throws: Failure.self) {
        try withRandomNumberGenerator { _ in throw Failure() }
      }
    }
  }

  // K25
  @Test func endpointsWithoutAName() {
    let load: @Sendable (Int) -> Int = unimplemented(placeholder: 3)
    let issues = captureIssues { #expect(load(1) == 3) }
    #expect(issues[0].message.hasPrefix("Unimplemented: an endpoint without a name was used."))
  }

  // K25
  @Test func negativeIdentifiers() {
    // K38
    #expect(UUID(-1).uuidString == "00000000-0000-0001-0000-000000000001")
    #expect(UUID(.min).uuidString == "00000000-0000-0001-8000-000000000000")
    #expect(UUID(1 << 40).uuidString == "00000000-0000-0000-0000-010000000000")
  }

  // K25
  @Test func expectedIssues() async {
    expectReportsIssue { reportIssue("a") }
    await expectReportsIssue {
      await Task.yield()
      reportIssue("a")
    } matching: {
      $0.message == "a"
    }
    let issues = captureIssues {
      expectReportsIssue("Nothing was said.") {}
      expectReportsIssue {
        reportIssue("b")
      } matching: {
        $0.message == "a"
      }
    }
    #expect(
      issues.map(\.message)
        == ["Nothing was said.", "b", "An issue was expected, and none was reported."])
  }

  // K11
  @Test func messagesNameTheUsersLineAndNames() {
    @Dependency(\.uuid) var uuid
    let line = #line - 1
    @Dependency(\.calendar) var calendar
    @Dependency(\.mainQueue) var mainQueue
    let issues = captureIssues {
      _ = uuid()
      _ = calendar
      mainQueue.schedule {}
    }
    #expect(issues.map(\.position.line) == [UInt(line), UInt(line + 2), UInt(line + 3)])
    #expect(issues[0].message.hasPrefix(#"Unimplemented: @Dependency(\.uuid) was used."#))
    #expect(issues[1].message.hasPrefix(#"@Dependency(\.calendar) was used in a test"#))
    #expect(issues[2].message.contains(#"@Dependency(\.mainQueue)"#))
  }
}

private struct Numbered: DependencyKey {
  static let count = LockIsolated(0)
  let number: Int
  static var testValue: Self {
    Self(
      number: count.withValue {
        $0 += 1
        return $0
      })
  }
  static var liveValue: Self { testValue }
}

@Suite struct TestContextTests {
  // K39
  @Test func theContextIsOfSwiftTesting() async {
    #expect(TestContext.current == .swiftTesting)
    #expect(TestContext.current?.isSwiftTesting == true)
    let detached = await Task.detached { TestContext.current }.value
    #expect(detached == .xcTest)
  }
}
