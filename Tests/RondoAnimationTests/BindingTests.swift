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
  @Test func partsKeepTheTransaction() {
    let model = Model()
    model.binding.animation(nil).x.wrappedValue = 3
    #expect(model.point == UnitPoint(x: 3, y: 0))
    #expect(model.seen == [Transaction(animation: nil)])
  }
}
