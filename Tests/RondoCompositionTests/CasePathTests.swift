// C7: naming the cases of enums.

import Rondo
import RondoCompatibility
import Testing

private enum Leaf: CasePathable, Equatable {
  case tapped, renamed(String)

  struct AllCasePaths: Sendable {
    var tapped: AnyCasePath<Leaf, Void> {
      AnyCasePath(embed: { .tapped }) { if case .tapped = $0 { () } else { nil } }
    }
    var renamed: AnyCasePath<Leaf, String> {
      AnyCasePath(embed: Leaf.renamed) { if case .renamed(let name) = $0 { name } else { nil } }
    }
  }
  static var allCasePaths: AllCasePaths { AllCasePaths() }
}

@dynamicMemberLookup
private enum Branch: CasePathable, Equatable {
  case leaf(Leaf), counted(Int)

  struct AllCasePaths: Sendable {
    var leaf: AnyCasePath<Branch, Leaf> {
      AnyCasePath(embed: Branch.leaf) { if case .leaf(let leaf) = $0 { leaf } else { nil } }
    }
    var counted: AnyCasePath<Branch, Int> {
      AnyCasePath(embed: Branch.counted) { if case .counted(let n) = $0 { n } else { nil } }
    }
  }
  static var allCasePaths: AllCasePaths { AllCasePaths() }
}

@Suite struct CaseKeyPathTests {
  @Test func aNameReadsTheValueOfItsCaseOnly() {
    #expect(Branch.leaf(.tapped)[case: \.leaf] == .tapped)
    #expect(Branch.counted(1)[case: \.leaf] == nil)
    #expect(Branch.counted(1).counted == 1)
  }

  @Test func namesCompose() {
    #expect(Branch.leaf(.renamed("x"))[case: \.leaf.renamed] == "x")
    #expect(Branch.leaf(.tapped).is(\.leaf.tapped))
    #expect(!Branch.leaf(.tapped).is(\.leaf.renamed))
    #expect(Branch?.some(.counted(2))[case: \.counted] == 2)
  }

  @Test func aNameMakesItsCase() {
    let name: CaseKeyPath<Branch, String> = \.leaf.renamed
    #expect(name("y") == Branch.leaf(.renamed("y")))
    #expect((\Branch.Cases.leaf.tapped)() == Branch.leaf(.tapped))
  }

  @Test func writingThroughANameKeepsOtherCases() {
    var branch = Branch.counted(1)
    branch[case: \.counted]? += 1
    #expect(branch == .counted(2))
    branch[case: \.leaf] = .tapped
    #expect(branch == .counted(2))
  }

  // C7
  @Test func aMemberIsWrittenInItsCaseOnly() {
    var branch = Branch.counted(1)
    branch.counted? += 1
    branch.leaf = .tapped
    branch.counted = nil
    #expect(branch == .counted(2))
  }

  @Test func modifyChangesItsCaseInPlace() {
    var branch = Branch.counted(1)
    branch.modify(\.counted) { $0 += 1 }
    #expect(branch == .counted(2))
  }

  @Test func modifyingAnotherCaseIsReported() {
    var branch = Branch.counted(1)
    let issues = captureIssues { branch.modify(\.leaf) { $0 = .tapped } }
    #expect(issues.count == 1)
    #expect(branch == .counted(1))
  }
}

private enum Plain {
  case number(Int)
  case otherNumber(Int)
  case labelled(name: String)
  case object(Box)
  case anything(any Sendable)
  indirect case nested(Plain)
  case nothing, more
}

private final class Box: Sendable {}

private enum Generic<Value> {
  case value(Value), optional(Value?), none
}

@Suite struct ReflectedCasePathTests {
  @Test func valuesGoInAndComeOut() {
    let path = AnyCasePath(Plain.number)
    for _ in 1...3 {
      #expect(path.extract(from: .number(7)) == 7)
      #expect(path.extract(from: .otherNumber(7)) == nil)
      #expect(path.extract(from: .nothing) == nil)
    }
    if case .number(8) = path.embed(8) {} else { Issue.record("another case") }
  }

  @Test func casesOfEqualTypesAreToldApartInEitherOrder() {
    let path = AnyCasePath(Plain.otherNumber)
    #expect(path.extract(from: .number(1)) == nil)
    #expect(path.extract(from: .otherNumber(1)) == 1)
    #expect(path.extract(from: .number(1)) == nil)
  }

  @Test func labelledBoxedAndErasedValues() {
    let labelled = AnyCasePath(Plain.labelled)
    let nested = AnyCasePath(Plain.nested)
    let anything = AnyCasePath(Plain.anything)
    for _ in 1...3 {
      #expect(labelled.extract(from: .labelled(name: "a")) == "a")
      #expect(nested.extract(from: .nested(.nothing)) != nil)
      #expect(anything.extract(from: .anything(3)) as? Int == 3)
    }
  }

  @Test func aNarrowerParameterExtractsItsOwnValuesOnly() {
    let path = AnyCasePath<Plain, Int> { Plain.anything($0) }
    for _ in 1...2 {
      #expect(path.extract(from: .anything(3)) == 3)
      #expect(path.extract(from: .anything("x")) == nil)
    }
  }

  @Test func genericEnums() {
    let value = AnyCasePath(Generic<String>.value)
    let optional = AnyCasePath(Generic<String>.optional)
    for _ in 1...2 {
      #expect(value.extract(from: .value("a")) == "a")
      #expect(optional.extract(from: .optional("b")) == .some("b"))
      #expect(optional.extract(from: .optional(nil)) == .some(nil))
      #expect(value.extract(from: .none) == nil)
    }
  }

  @Test func casesWithoutValues() {
    let path = AnyCasePath(Plain.nothing)
    #expect(path.extract(from: .nothing) != nil)
    #expect(path.extract(from: .more) == nil)
    #expect(path.extract(from: .number(1)) == nil)
  }

  @Test func extractingLeavesReferencesBalanced() {
    weak var released: Box?
    let path = AnyCasePath(Plain.object)
    do {
      let box = Box()
      released = box
      let root = Plain.object(box)
      for _ in 1...10 { #expect(path.extract(from: root) === box) }
    }
    #expect(released == nil)
  }

  @Test func aFunctionThatIsNoCaseExtractsNothing() {
    let path = AnyCasePath<Int, Int> { $0 + 1 }
    #expect(path.extract(from: 1) == nil)
  }

  @Test func aSlashMakesTheCasePathOfACase() {
    let path = /Branch.counted
    #expect(path.extract(from: .counted(3)) == 3)
    #expect(path.extract(from: .leaf(.tapped)) == nil)
    #expect(path.embed(4) == .counted(4))
  }

  @Test func aSlashMakesTheCasePathOfACaseWithoutValues() {
    let path = /Leaf.tapped
    #expect(path ~= .tapped)
    #expect(!(path ~= .renamed("a")))
  }

  @Test func aNameMakesACasePath() {
    let path: AnyCasePath<Branch, Int> = AnyCasePath(\.counted)
    #expect(path.extract(from: .counted(3)) == 3)
  }
}
