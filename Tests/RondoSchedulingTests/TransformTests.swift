// Schedulers that tag their work.

import Dispatch
import RondoAnimation
import RondoCompatibility
import RondoScheduling
import Testing

@Suite struct TransformTests {
  let base = DispatchQueue.test
  let tags = Log<Transaction>()

  private func run(on scheduler: AnySchedulerOf<DispatchQueue>) {
    scheduler.schedule { tags.append(.current) }
    base.advance()
  }

  // PF1
  @Test func allThreeEndpointsAreTagged() {
    let scheduler = base.animation()
    scheduler.schedule { tags.append(.current) }
    scheduler.schedule(after: scheduler.now.advanced(by: 1)) { tags.append(.current) }
    base.advance(by: 1)
    #expect(tags.entries == [Transaction(animation: .default), Transaction(animation: .default)])
  }

  // PF1
  @Test func everyTickIsTagged() {
    let timer = base.animation().schedule(after: base.now.advanced(by: 1), interval: 1) {
      tags.append(.current)
    }
    base.advance(by: 3)
    timer.cancel()
    #expect(tags.entries == Array(repeating: Transaction(animation: .default), count: 3))
  }

  // PF1
  @Test func nothingIsTaggedOutside() {
    let scheduler = base.animation()
    scheduler.schedule {}
    base.advance()
    #expect(Transaction.current.isEmpty)
    base.schedule { tags.append(.current) }
    base.advance()
    #expect(tags.entries == [Transaction()])
  }

  // PF3
  @Test func noAnimationIsSetToNilNotUnset() {
    run(on: base.animation(nil))
    #expect(tags.entries.first?.isSet(AnimationKey.self) == true)
    #expect(tags.entries.first?.animation == nil)
  }

  // PF4
  @Test func theLaterOfTwoAnimationsWins() {
    run(on: base.animation(.linear).animation(.easeIn))
    #expect(tags.entries == [Transaction(animation: .easeIn)])
  }

  // PF4
  @Test func slotsOfBothAreSeen() {
    run(on: base.transaction(\.isContinuous, true).animation(.easeIn))
    var expected = Transaction(animation: .easeIn)
    expected.isContinuous = true
    #expect(tags.entries == [expected])
  }

  // R24
  @Test func anEmptyTransactionTagsNothing() {
    run(on: base.transaction(Transaction()))
    #expect(tags.entries == [Transaction()])
  }

  // R28
  @Test func workScheduledFromTaggedWorkIsUntagged() {
    let tagged = base.animation()
    tagged.schedule {
      base.schedule { tags.append(.current) }
      DispatchQueue.immediate.schedule { tags.append(.current) }
      tags.append(.current)
    }
    base.advance()
    #expect(
      tags.entries == [Transaction(), Transaction(animation: .default), Transaction()]
    )
  }

  // PF6
  @Test(
    arguments: [
      ([], .easeInOut(duration: 0.4)),
      (.curveEaseInOut, .easeInOut(duration: 0.4)),
      (.curveEaseIn, .easeIn(duration: 0.4)),
      (.curveEaseOut, .easeOut(duration: 0.4)),
      (.curveLinear, .linear(duration: 0.4)),
      ([.curveLinear, .repeat], .linear(duration: 0.4).repeatForever(autoreverses: false)),
      ([.repeat, .autoreverse], .easeInOut(duration: 0.4).repeatForever(autoreverses: true)),
    ] as [(AnimationOptions, Animation)]
  )
  func optionsNameTheCurve(options: AnimationOptions, animation: Animation) {
    run(on: base.animate(withDuration: 0.4, options: options))
    #expect(tags.entries == [Transaction(animation: animation)])
  }

  // PF6
  @Test func theDelayComesOnce() {
    run(on: base.animate(withDuration: 0.4, delay: 0.1, options: .repeat))
    let repeated = Animation.easeInOut(duration: 0.4).repeatForever(autoreverses: false)
    #expect(tags.entries == [Transaction(animation: repeated.delay(0.1))])
  }

  // PF6
  @Test(arguments: [0, -1]) func withoutADurationThereIsNoAnimation(duration: Double) {
    run(on: base.animate(withDuration: duration, delay: 3))
    run(
      on: base.animate(
        withDuration: duration,
        usingSpringWithDamping: 0.5,
        initialSpringVelocity: 0
      )
    )
    #expect(tags.entries == Array(repeating: Transaction(animation: nil), count: 2))
  }

  // PF6
  @Test func aSpringComesToRestInItsDuration() {
    run(
      on: base.animate(
        withDuration: 2,
        delay: 0.5,
        usingSpringWithDamping: 0.6,
        initialSpringVelocity: 3
      )
    )
    let spring = Spring(settlingDuration: 2, dampingRatio: 0.6)
    let animation = Animation.interpolatingSpring(spring, initialVelocity: 3).delay(0.5)
    #expect(tags.entries == [Transaction(animation: animation)])
  }

  // R31
  @Test func aDurationThatIsNotANumberIsAnIssue() {
    let issues = captureIssues { run(on: base.animate(withDuration: .nan)) }
    #expect(issues.count == 1)
    #expect(tags.entries == [Transaction(animation: nil)])
  }

  // S5
  @Test func aSchedulerHasANameInRecordings() {
    #expect(base.nameForRecordings == nil)
    #expect(base.animation().nameForRecordings == nil)
    let named = base.named("mainQueue")
    #expect(named.nameForRecordings == "mainQueue")
    #expect(named.animation().nameForRecordings == "mainQueue.animation()")
    #expect(named.animation(nil).eraseToAnyScheduler().nameForRecordings != "mainQueue")
    #expect(named.transaction(Transaction()).nameForRecordings == "mainQueue")
    #expect(DispatchQueue(label: "work").nameForRecordings == "work")
    #expect(AnySchedulerOf<DispatchQueue>.main.nameForRecordings == "main")
    #expect(DispatchQueue(label: "work").named("other").nameForRecordings == "other")
  }

  // S5
  @Test func aSchedulerWithANameDoesTheSame() {
    run(on: base.named("mainQueue").animation())
    run(on: base.animation().named("mainQueue"))
    #expect(tags.entries == [Transaction(animation: .default), Transaction(animation: .default)])
  }
}
