// K14: `customDump` and `diff` print every part on a line of its own, as elsewhere.

import Foundation
import Rondo
import RondoRecording
import Testing

@testable import RondoTestCompatibility

private struct Boat: Equatable { var name: String; var length = 7 }
private struct Port: Equatable { var boats: [Boat]; var depths: [String: Int]; var open: Set<Int> }
private enum Signal { case flag(Boat), horn(short: Int, long: Int), none }
private struct Sealed: CustomDumpStringConvertible {
  var code: Int
  var customDumpDescription: String { "<sealed>" }
}
private class Crew {
  let name: String; var friend: Crew?; init(_ name: String) { self.name = name }
}
private final class Captain: Crew { let rank = 1 }

@ObservableState
private struct Form {
  var boat = Boat(name: "Ida")
  var count = 0
}

private struct ChosenFields: CustomDumpReflectable {
  var customDumpMirror: Mirror {
    Mirror(self, children: ["_$id": 1, "count": 2], displayStyle: .struct)
  }
}

private struct Watched {
  var count = 1
  var _$observationRegistrar = "of another library"
}

private final class WatchedObject {
  var count = 1
  let _$observationRegistrar = 7
}

@Suite struct LongDumpTests {
  // K14
  @Test func aBindingActionIsOnOneLine() {
    #expect(String(customDumping: BindingAction<Form>.set(\.count, 50)) == ".set(\\Form.count, 50)")
    #expect(
      String(customDumping: BindingAction<Form>.set(\.boat, Boat(name: "Ada")))
        == ".set(\\Form.boat, Boat(name: \"Ada\", length: 7))")
  }

  // K14
  @Test func aKeyIsPrintedWhole() {
    let key = String(repeating: "a", count: 120)
    #expect(String(customDumping: [key: 1]) == "[\n  \"\(key)\": 1\n]")
    #expect(dumped(["first\nsecond": 1]) == #"["first\nsecond": 1]"#)
  }

  // K14
  @Test func everyPartIsOnALineOfItsOwn() {
    let port = Port(boats: [Boat(name: "Ida")], depths: ["b": 2, "a": 1], open: [2, 1])
    #expect(
      String(customDumping: port) == """
        Port(
          boats: [
            [0]: Boat(
              name: "Ida",
              length: 7
            )
          ],
          depths: [
            "a": 1,
            "b": 2
          ],
          open: Set([
            1,
            2
          ])
        )
        """)
  }

  // K14
  @Test func onePartWithoutPartsIsInTheSameLine() {
    #expect(String(customDumping: Signal.none) == "Signal.none")
    #expect(String(customDumping: [Signal.none]) == "[\n  [0]: .none\n]")
    #expect(String(customDumping: Optional(Sealed(code: 1))) == "<sealed>")
    #expect(String(customDumping: [Int: Int]()) == "[:]")
    #expect(
      String(customDumping: Signal.horn(short: 1, long: 2)) == """
        Signal.horn(
          short: 1,
          long: 2
        )
        """)
  }

  // K38a
  @Test func measurementsAndNotificationsAreShownByTheirFields() {
    let kilograms = "Measurement(\n  value: 42.0,\n  unit: \"kg\"\n)"
    #expect(
      String(customDumping: NSMeasurement(doubleValue: 42, unit: UnitMass.kilograms)) == kilograms)
    #expect(String(customDumping: Measurement(value: 42, unit: UnitMass.kilograms)) == kilograms)
    let name = Notification.Name("saved")
    #expect(
      String(customDumping: NSNotification(name: name, object: nil))
        == "Notification(name: \"saved\")")
    #expect(
      String(customDumping: Notification(name: name, object: 1))
        == "Notification(\n  name: \"saved\",\n  object: 1\n)")
  }

  // K38a
  @Test func aRegistrarOfAnyLibraryIsNoPartOfAValue() {
    #expect(String(customDumping: Watched()) == "Watched(\n  count: 1\n)")
    #expect(String(customDumping: WatchedObject()) == "WatchedObject(\n  count: 1\n)")
    #expect(
      String(customDumping: ChosenFields()) == "ChosenFields(\n  _$id: 1,\n  count: 2\n)")
  }

  // K38a
  @Test func instancesOfOneTypeAreNumberedAfterTheFirst() {
    let ann = Crew("Ann")
    let bo = Crew("Bo")
    bo.friend = ann
    let captain = Captain("Cy")
    captain.friend = bo
    #expect(
      String(customDumping: [ann, ann, bo, bo, captain, Captain("Di")]) == """
        [
          [0]: Crew(
            name: "Ann",
            friend: nil
          ),
          [1]: Crew(↩︎),
          [2]: #1 Crew(
            name: "Bo",
            friend: Crew(↩︎)
          ),
          [3]: #1 Crew(↩︎),
          [4]: Captain(
            name: "Cy",
            friend: #1 Crew(↩︎),
            rank: 1
          ),
          [5]: #1 Captain(
            name: "Di",
            friend: nil,
            rank: 1
          )
        ]
        """)
  }

  // K38a
  @Test func aTypeIsShownAsItIsWritten() {
    #expect(String(customDumping: [Int].self) == "[Int].self")
    #expect(String(customDumping: [String: [Boat?]]?.self) == "[String: [Boat?]]?.self")
    #expect(String(customDumping: (x: Double, y: Double).self) == "(x: Double, y: Double).self")
    #expect(String(customDumping: LockIsolated<Int>.self) == "LockIsolated.self")
    #expect(String(customDumping: Boat.self) == "Boat.self")
    #expect(String(customDumping: (any Equatable).self) == "Equatable.self")
  }

  // K14
  @Test func anInstanceIsShownAtItsFirstPlace() {
    let captain = Captain("Ann")
    let mate = Crew("Bo")
    captain.friend = mate
    mate.friend = captain
    #expect(
      String(customDumping: [captain, mate]) == """
        [
          [0]: Captain(
            name: "Ann",
            friend: Crew(
              name: "Bo",
              friend: Captain(↩︎)
            ),
            rank: 1
          ),
          [1]: Crew(↩︎)
        ]
        """)
  }

  // K14
  @Test func valuesOfFoundationAreShownWithTheirTypes() throws {
    let url = try #require(URL(string: "https://example.com"))
    #expect(String(customDumping: url) == "URL(https://example.com)")
    #expect(String(customDumping: Data([1, 2])) == "Data(2 bytes)")
    #expect(
      String(customDumping: Date(timeIntervalSince1970: 0)) == "Date(1970-01-01T00:00:00.000Z)")
    #expect(String(customDumping: UUID(0)) == "UUID(00000000-0000-0000-0000-000000000000)")
    #expect(String(customDumping: Duration.seconds(3)) == "3 seconds")
  }

  // K14
  @Test func aSharedValueIsMarked() {
    @Shared(value: 1) var first
    @Shared(value: 2) var second
    #expect(
      String(customDumping: [$first, $second, $first]) == """
        [
          [0]: #1 1,
          [1]: #2 2,
          [2]: #1 Int(↩︎)
        ]
        """)
  }

  // K14
  @Test func aTextOfSeveralLinesIsALiteral() {
    #expect(
      String(customDumping: Boat(name: "a\n\"\"\"#")) == """
        Boat(
          name: ##\"\"\"
            a
            \"\"\"#
            \"\"\"##,
          length: 7
        )
        """)
    #expect(String(customDumping: #"a "b""#) == ##"#"a "b""#"##)
  }

  // K14
  @Test func aDifferenceShowsWhereItIs() {
    let old = [Boat(name: "Ida"), Boat(name: "Una"), Boat(name: "Eva")]
    var new = old
    new[0].length = 8
    #expect(
      diff(old, new) == """
          [
            [0]: Boat(
              name: "Ida",
        -     length: 7
        +     length: 8
            ),
            … (2 unchanged)
          ]
        """)
    #expect(diff(old, old) == nil)
  }

  // K14
  @Test func theMarksOfADifferenceAreChosen() {
    #expect(diff(1, 2) == "- 1\n+ 2")
    #expect(diff(1, 2, format: .proportional) == "− 1\n+ 2")
    #expect(diff((1, 2), (1, 3)) == "  (\n    1,\n-   2\n+   3\n  )")
  }

  // K14
  @Test func aDifferenceThatATextHidesIsShown() {
    #expect(
      diff((1, Sealed(code: 1)), (1, Sealed(code: 2))) == """
          (
            1,
        -   <sealed>
        +   <sealed>
          )
        """)
  }

  // K14
  @Test func entriesAreComparedByTheirKeys() {
    #expect(
      diff(["a": 1, "b": 2, "c": 3], ["a": 1, "b": 5]) == """
          [
        -   "b": 2,
        +   "b": 5,
        -   "c": 3
            … (1 unchanged)
          ]
        """)
  }

  // K14
  @Test func aDifferenceThatIsTooLongIsNotSearched() {
    var comparisons = 0
    let found = changes(from: Array(0..<20_000), to: [0] + Array(20_000..<40_000)) {
      comparisons += 1
      return $0 == $1
    }
    #expect(found.removed == Set(1..<20_000))
    #expect(found.inserted == Set(1...20_000))
    #expect(comparisons < 200_000)
  }

  // K14
  @Test func aShortDifferenceOfLongListsIsShort() {
    let old = Array(0..<3_000)
    var new = old
    new.remove(at: 1)
    new.insert(-1, at: 2_990)
    new.append(-2)
    #expect(
      diff(old, new) == """
          [
            [0]: 0,
        -   [1]: 1,
            … (2989 unchanged),
        +   [2990]: -1,
            … (9 unchanged),
        +   [3000]: -2
          ]
        """)
  }
}
