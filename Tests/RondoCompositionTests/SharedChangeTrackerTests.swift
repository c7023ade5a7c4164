// K4: changes of shared values that are asserted without a test store.

import Rondo
import RondoCompatibility
import Testing

struct SharedChangeTrackerTests {
  private struct Light: Equatable {
    var isOn = false
    var isRed = false
  }

  // K4
  @Test func theOldValueIsSeenUntilTheNewOneIsSet() {
    @Shared(value: 1) var number
    let tracker = SharedChangeTracker()
    tracker.track { $number.withLock { $0 = 2 } }
    #expect(tracker.hasChanges)
    tracker.assert {
      #expect(number == 1)
      #expect($number != $number)
      $number.withLock { $0 = 2 }
      #expect($number == $number)
    }
    #expect(!tracker.hasChanges)
    #expect(number == 2)
  }

  // K4
  @Test func otherValuesAreWhatTheyAre() {
    @Shared(value: 1) var changed
    @Shared(value: 1) var other
    let tracker = SharedChangeTracker()
    tracker.track { $changed.withLock { $0 = 2 } }
    tracker.assert {
      #expect($changed == $other)
      $changed.withLock { $0 = 2 }
      #expect($changed != $other)
    }
  }

  // K4
  @Test func partsAreTrackedWithTheWhole() {
    @Shared(value: Light()) var light
    withSharedChangeTracking { tracker in
      $light.isOn.withLock { $0 = true }
      tracker.assert {
        #expect($light.isOn != $light.isOn)
        #expect($light.isOn == $light.isRed)
        $light.isOn.withLock { $0 = true }
        #expect($light == $light)
      }
    }
  }

  // K4
  @Test func changesOfAsynchronousCodeAreTracked() async {
    @Shared(value: 1) var number
    let tracker = SharedChangeTracker()
    await tracker.track {
      await Task.yield()
      $number.withLock { $0 = 2 }
    }
    tracker.assert { $number.withLock { $0 = 2 } }
    #expect(!tracker.hasChanges)
  }

  // K4
  @Test func aChangeThatIsNotAssertedIsReported() {
    @Shared(value: 0) var number
    withKnownIssue {
      let tracker = SharedChangeTracker()
      tracker.track { $number.withLock { $0 += 1 } }
    } matching: {
      $0.description.contains(
        "Tracked unasserted changes to 'Shared<Int>(value: 1)': 0 → 1")
    }
  }

  // K4
  @Test func nothingIsReportedOfChangesThatAreForgottenOrUndone() {
    @Shared(value: 0) var number
    let forgetful = SharedChangeTracker()
    forgetful.track { $number.withLock { $0 += 1 } }
    forgetful.reset()
    #expect(!forgetful.hasChanges)
    let undone = SharedChangeTracker()
    undone.track {
      $number.withLock { $0 += 1 }
      $number.withLock { $0 -= 1 }
    }
    #expect(!undone.hasChanges)
  }
}
