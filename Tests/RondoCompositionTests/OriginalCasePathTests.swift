// K5, K24: case paths as code from elsewhere spells them.

import Rondo
import RondoCompatibility
import Testing

private enum Session: Equatable {
  case signedIn(token: String), signedOut
  case nested(Inner)

  enum Inner: Equatable { case count(Int), other }
}

@Suite struct OriginalCasePathTests {
  // K5
  @Test func aPathOfAnOptionalExtractsFromTheValueInside() {
    let path: AnyCasePath<Session?, String> = /Session.signedIn
    for _ in 1...2 {
      #expect(path.extract(from: .signedIn(token: "a")) == "a")
      #expect(path.extract(from: .signedOut) == nil)
      #expect(path.extract(from: nil) == nil)
    }
    let signedOut: AnyCasePath<Session?, Void> = /Session.signedOut
    #expect(signedOut.extract(from: .signedOut) != nil)
    #expect(signedOut.extract(from: .signedIn(token: "a")) == nil)
    #expect(signedOut.extract(from: nil) == nil)
  }

  // K5
  @Test func anOptionalHasAPathToItsValue() {
    var name: String? = "a"
    (/.some).modify(&name) { $0 += "b" }
    #expect(name == "ab")
    let path: AnyCasePath<String?, String> = /.some
    #expect(path.extract(from: nil) == nil)
    #expect(path.embed("c") == "c")
  }

  // K5
  @Test func aPathOfAnOptionalModifiesTheValueInside() {
    var session: Session? = .signedIn(token: "a")
    #expect((/Session.signedIn).modify(&session) { $0 += "b" } != nil)
    #expect((/Session.signedIn).extract(from: session) == "ab")
    session = nil
    let result: Void? = (/Session.signedIn).modify(&session) { $0 += "b" }
    #expect(result == nil)
  }

  // K5
  @Test func thePathOfSomeLeadsToTheValueInside() {
    #expect((/Session.Inner?.some).extract(from: .count(1)) != nil)
    #expect((/Int?.some).extract(from: 3) == 3)
    #expect((/Int?.some).extract(from: nil) == nil)
  }

  // K24
  @Test func pathsAreFunctions() {
    let sessions = [Session.signedIn(token: "a"), .signedOut]
    #expect(sessions.compactMap(/Session.signedIn) == ["a"])
    #expect(sessions.compactMap(/Session.signedOut).count == 1)
    let results: [Result<Int?, any Error>] = [.success(1), .success(nil)]
    #expect(results.compactMap(/Result<Int?, any Error>.success .. Int?.some) == [1])
    let numbers = [Result<Int?, Never>.success(1), .success(nil), .success(3)]
    #expect(numbers.compactMap(/Result.success .. /Optional.some) == [1, 3])
  }

  // K24
  @Test func pathsAreJoined() {
    let count = /Session.nested .. Session.Inner.count
    #expect(count.extract(from: .nested(.count(2))) == 2)
    #expect(count.extract(from: .signedOut) == nil)
    let same = /Session.nested .. /Session.Inner.count
    #expect(same.extract(from: same.embed(3)) == 3)
  }

  // K24
  @Test func aPathIsMadeOfAnUnsafeFunction() {
    #expect(AnyCasePath(unsafe: Session.Inner.count).extract(from: .count(2)) == 2)
  }

  // K24
  @Test func thePathFromAnEnumToItself() {
    #expect((/Int.self).extract(from: 42) == 42)
    let path: AnyCasePath<Int, Int> = /.self
    #expect(path.extract(from: 42) == 42)
  }

  // K24
  @Test func standardEnumsTellTheirCase() {
    #expect(Int?.some(1).case == \Int?.AllCasePaths.some)
    #expect(Int?.allCasePaths[nil] == \Int?.AllCasePaths.none)
    #expect(Array(Int?.allCasePaths).count == 2)
    let result = Result<Int, any Error>.success(1)
    #expect(result.case == \Result<Int, any Error>.AllCasePaths.success)
    #expect(Array(Result<Int, any Error>.allCasePaths).count == 2)
  }

  // K24
  @Test func aPartialNameExtractsAndMakes() {
    let name: PartialCaseKeyPath<Int?> = \.some
    #expect(Int?.some(1)[case: name] as? Int == 1)
    #expect(Int?.none[case: name] == nil)
    let made: Int?? = name(2)
    #expect(made == .some(.some(2)))
    let none: Int?? = name("two")
    #expect(none == nil)
  }

  // K24
  @Test func namesAreAppended() {
    let outer: CaseKeyPath<Result<Int?, any Error>, Int?> = \.success
    let inner: CaseKeyPath<Int?, Int> = \.some
    let joined = outer.appending(path: inner)
    #expect(Result<Int?, any Error>.success(3)[case: joined] == 3)
    #expect(Result<Int?, any Error>.success(nil)[case: joined] == nil)
  }

  // K24
  @Test func aNameOfACaseIsOneOfAnOptionalAsWell() {
    let name: CaseKeyPath<Result<Int, any Error>?, Int> = \.success
    #expect(Result<Int, any Error>?.some(.success(1))[case: name] == 1)
    #expect(Result<Int, any Error>?.none[case: name] == nil)
  }
}
