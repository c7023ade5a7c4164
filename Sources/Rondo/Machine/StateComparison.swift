// Whether two states are equal, where that can be told.

/// Equality where the state has one, otherwise a function that never finds two states equal.
struct StateComparison<State> {
  private let areEqual: (_ left: UnsafePointer<State>, _ right: UnsafePointer<State>) -> Bool

  init() {
    guard let equatable = State.self as? any Equatable.Type else {
      areEqual = { _, _ in false }
      return
    }
    func compare<E: Equatable>(_: E.Type) -> (UnsafePointer<State>, UnsafePointer<State>) -> Bool {
      // `E` is `State`, which the type system cannot know.
      { left, right in
        UnsafePointer<E>(OpaquePointer(left)).pointee
          == UnsafePointer<E>(OpaquePointer(right)).pointee
      }
    }
    areEqual = compare(equatable)
  }

  func callAsFunction(_ left: UnsafePointer<State>, _ right: UnsafePointer<State>) -> Bool {
    areEqual(left, right)
  }
}
