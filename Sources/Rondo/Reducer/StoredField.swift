// Finds the stored property behind one that is computed only in name.

import RondoAnimation

/// Where the value of a property is stored, and how its observers learn of changes.
///
/// The accessors of an observed property hand its storage to the registrar when they set it, and so
/// does the projection of a presentation. To find the storage, the property of a copy of the state is
/// set while the two note where that is, and wake nobody.
@usableFromInline
struct StoredField {
  let offset: Int
  let identity: FieldIdentity?

  /// What those who are asked about a property are asked.
  private struct Question {
    let keyPath: AnyKeyPath
    let valueType: Any.Type
    /// The bytes of the state.
    let bytes: Range<UInt>
    /// Where the storage is, once it is known.
    var offset: Int?
    /// Whether it is the registrar that has answered.
    var isObserved = false
    /// Whether observers are to be woken, rather than the storage found.
    var wakes = false
  }

  private static let slot = ThreadSlot()

  /// The storage of a property; `nil` where there is none, or none that can be changed in place.
  static func find<Root, Value>(_ keyPath: WritableKeyPath<Root, Value>, in root: Root) -> Self? {
    let copy = UnsafeMutablePointer<Root>.allocate(capacity: 1)
    copy.initialize(to: root)
    defer {
      copy.deinitialize(count: 1)
      copy.deallocate()
    }
    let start = UInt(bitPattern: copy)
    var question = Question(
      keyPath: keyPath, valueType: Value.self,
      bytes: start..<start + UInt(MemoryLayout<Root>.size))
    let value = copy.pointee[keyPath: keyPath]
    asking(&question) { copy.pointee[keyPath: keyPath] = value }
    guard let offset = question.offset else { return nil }
    guard question.isObserved else { return Self(offset: offset, identity: nil) }
    return FieldIdentity(Value.self).map { Self(offset: offset, identity: $0) }
  }

  /// Wakes those who observe a property that was changed in its storage.
  @usableFromInline
  static func wakeObservers<Root, Value>(
    _ root: inout Root, _ keyPath: WritableKeyPath<Root, Value>
  ) {
    var question = Question(keyPath: keyPath, valueType: Value.self, bytes: 0..<0)
    question.wakes = true
    let value = root[keyPath: keyPath]
    asking(&question) { root[keyPath: keyPath] = value }
  }

  private static func asking(_ question: inout Question, _ body: () -> Void) {
    withUnsafeMutablePointer(to: &question) { pointer in
      let outer = slot.pointer
      slot.pointer = UnsafeMutableRawPointer(pointer)
      defer { slot.pointer = outer }
      body()
    }
  }

  // MARK: Answers

  /// What a registrar is to do with a property that is set.
  enum Request {
    case nothing, wake
  }

  /// Called where the projection of a presentation is about to be changed.
  static func note<State>(_ presentation: inout PresentationState<State>) {
    guard let pointer = slot.pointer else { return }
    note(&presentation, pointer.assumingMemoryBound(to: Question.self))
  }

  /// Called where an observed property is set. `nil` when nobody asks.
  static func request<Value>(_ value: inout Value, _ keyPath: AnyKeyPath) -> Request? {
    guard let pointer = slot.pointer else { return nil }
    let question = pointer.assumingMemoryBound(to: Question.self)
    guard !question.pointee.wakes else {
      // Who is woken may do anything, and is not part of the question.
      slot.pointer = nil
      return .wake
    }
    // A presentation is reported under the name of what it presents.
    guard keyPath == question.pointee.keyPath || value is any PresentedState else {
      return .nothing
    }
    note(&value, question)
    question.pointee.isObserved = true
    return .nothing
  }

  private static func note<Value>(
    _ value: inout Value, _ question: UnsafeMutablePointer<Question>
  ) {
    let place = withUnsafePointer(to: &value) { UInt(bitPattern: $0) }
    guard question.pointee.valueType == Value.self, question.pointee.bytes.contains(place) else {
      return
    }
    question.pointee.offset = Int(place - question.pointee.bytes.lowerBound)
  }
}

/// Reads from an observed field what tells its observers that another one is in its place: of a
/// state its identity, of a list which elements it has.
@usableFromInline
struct FieldIdentity: @unchecked Sendable {
  // @unchecked: reads what it is given, and nothing else.
  @usableFromInline let read: (UnsafeRawPointer) -> ObservableStateID?

  /// `nil` for a value whose changes can only be told by keeping the old one.
  @usableFromInline
  init?<Value>(_ type: Value.Type) {
    func stateReader<S: ObservableState>(
      _: S.Type
    ) -> (UnsafeRawPointer) -> ObservableStateID? {
      { $0.assumingMemoryBound(to: S.self).pointee._$id }
    }
    if let type = type as? any ObservedInPlace.Type {
      read = type.fieldIdentity
    } else if let type = type as? any ObservableState.Type {
      read = stateReader(type)
    } else {
      return nil
    }
  }

  @usableFromInline
  func callAsFunction(_ field: UnsafeMutableRawPointer) -> ObservableStateID? {
    read(field)
  }
}

/// A field that can be changed in place, because its identity says all that its observers ask.
protocol ObservedInPlace {
  /// What reads the identity of the field at a place in memory.
  static var fieldIdentity: (UnsafeRawPointer) -> ObservableStateID? { get }
}

extension Optional: ObservedInPlace where Wrapped: ObservableState {
  static var fieldIdentity: (UnsafeRawPointer) -> ObservableStateID? {
    { $0.assumingMemoryBound(to: Self.self).pointee?._$id }
  }
}

extension PresentationState: ObservedInPlace where State: ObservableState {
  static var fieldIdentity: (UnsafeRawPointer) -> ObservableStateID? {
    {
      guard let box = $0.assumingMemoryBound(to: Self.self).pointee.box else { return nil }
      // By its address, because what is lent out here is copied. The value of an optional lies where
      // the optional does, and there is one in a box that can be read.
      return withUnsafePointer(to: &box.state) {
        UnsafeRawPointer($0).assumingMemoryBound(to: State.self).pointee._$id
      }
    }
  }
}

extension IdentifiedArray: ObservedInPlace {
  static var fieldIdentity: (UnsafeRawPointer) -> ObservableStateID? {
    // A change of an element that has no identity is a change of the list.
    guard FieldIdentity(Element.self) != nil else { return { _ in ObservableStateID() } }
    return { ObservableStateID(stamp: $0.assumingMemoryBound(to: Self.self).pointee.stamp) }
  }
}

extension StackState: ObservedInPlace {
  static var fieldIdentity: (UnsafeRawPointer) -> ObservableStateID? {
    let entries = IdentifiedArrayOf<StackEntry<Element>>.fieldIdentity
    // The entries come first.
    return { entries($0) }
  }
}

extension StackEntry: ObservedInPlace where Element: ObservableState {
  static var fieldIdentity: (UnsafeRawPointer) -> ObservableStateID? {
    { $0.assumingMemoryBound(to: Self.self).pointee.element?._$id }
  }
}

private protocol PresentedState {}
extension PresentationState: PresentedState {}
