// Writes through a binding carry its transaction.

import RondoAnimation
import Testing

@Suite struct BindingTests {
  private final class Model {
    var point = UnitPoint()
    var seen: [Transaction] = []

    var binding: Binding<UnitPoint> {
      Binding(
        get: { self.point },
        set: {
          self.point = $0
          self.seen.append(.current)
        }
      )
    }
  }

  // TX10
  @Test func writesCarryTheAnimation() {
    let model = Model()
    model.binding.animation(.linear).wrappedValue = .center
    model.binding.wrappedValue = .zero
    #expect(model.point == .zero)
    #expect(model.seen == [Transaction(animation: .linear), Transaction()])
  }

  // TX10
  @Test func ambientKeysOverrideTheBindings() {
    let model = Model()
    var transaction = Transaction(animation: .linear)
    transaction.isContinuous = true
    withAnimation(.easeIn) {
      model.binding.transaction(transaction).wrappedValue = .center
    }
    #expect(model.seen.map(\.animation) == [.easeIn])
    #expect(model.seen.map(\.isContinuous) == [true])
  }

  // TX10
  @Test func anAnimationLeavesTheOtherKeysOfTheBindingAlone() {
    let model = Model()
    var transaction = Transaction(animation: .linear)
    transaction.isContinuous = true
    model.binding.transaction(transaction).animation(.easeIn).wrappedValue = .center
    #expect(model.seen.map(\.animation) == [.easeIn])
    #expect(model.seen.map(\.isContinuous) == [true])
  }

  // TX10
  @Test func aTransactionTakesThePlaceOfTheOneBefore() {
    let model = Model()
    let binding = model.binding.animation(.linear)
    binding.transaction(Transaction()).wrappedValue = .center
    #expect(model.seen == [Transaction()])
  }

  // TX10
  @Test func settersAreToldTheTransactionOfTheWrite() {
    var told: [Transaction] = []
    let binding = Binding(get: { UnitPoint() }, set: { told.append($1) })
    withTransaction(\.isContinuous, true) { binding.animation(.linear).x.wrappedValue = 1 }
    var expected = Transaction(animation: .linear)
    expected.isContinuous = true
    #expect(told == [expected])
  }

  // TX10
  @Test func partsKeepTheTransaction() {
    let model = Model()
    model.binding.animation(nil).x.wrappedValue = 3
    #expect(model.point == UnitPoint(x: 3, y: 0))
    #expect(model.seen == [Transaction(animation: nil)])
  }
}
