import Rondo
import RondoTestStore

@MainActor func receiveOfAnActionThatIsNotEquatable() async {
  let store = TestStore(initialState: Child.State(id: 0)) { Child() }
  await store.receive(.tapped)  // mistake: the action is not 'Equatable': receive it by the name
}
