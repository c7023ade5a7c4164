import RondoAnimation
import Testing

@Suite struct TransactionTests {
  // R25
  @Test func unsetAndSetToNilDiffer() {
    #expect(!Transaction().isSet(AnimationKey.self))
    #expect(Transaction(animation: nil).isSet(AnimationKey.self))
    #expect(Transaction() != Transaction(animation: nil))
  }
}
