// The state of a presented child.

/// The state of a child that is presented, or `nil`.
///
/// `@Presents var editor: Editor.State?` in an observable state, or `@PresentationState` in any
/// other, stores one. Its projection, `$editor`, is what `ifLet` takes.
///
/// It keeps the child in a box, so that features may present themselves. A child that is presented
/// after another has been dismissed is another child, even if the two states are equal.
@propertyWrapper
public struct PresentationState<State> {
  @usableFromInline var box: Box?

  @usableFromInline
  final class Box: PresentationBox {
    /// `nil` only while it is being changed.
    // Unchecked: the box belongs to one wrapper while that is being changed, and access to the
    // wrapper is exclusive.
    @exclusivity(unchecked)
    @usableFromInline var state: State?

    @inlinable
    init(_ state: State?, _ presentation: Stamp) {
      self.state = state
      super.init(presentation)
      withUnsafePointer(to: &self.state) { statePlace = UnsafeRawPointer($0) }
    }
  }

  /// Stores the child that is presented at the beginning, or `nil`.
  public init(wrappedValue: State?) {
    box = wrappedValue.map { Box($0, Stamp()) }
  }

  /// The state of the presented child, or `nil`. It is changed in place.
  @inlinable
  public var wrappedValue: State? {
    get { box?.state }
    _modify {
      if box == nil { box = Box(nil, Stamp()) } else { makeUnique() }
      defer { if box?.state == nil { box = nil } }
      yield &box!.state
    }
    set {
      guard let newValue else { return box = nil }
      box = Box(newValue, box?.presentation ?? Stamp())
    }
  }

  /// The wrapper itself, for reducers.
  public var projectedValue: Self {
    get { self }
    _modify { yield &self }
  }

  @inlinable
  mutating func makeUnique() {
    guard !isKnownUniquelyReferenced(&box), let shared = box else { return }
    box = Box(shared.state, shared.presentation)
  }

  // MARK: For reducers

  /// The stamp of the presentation; `nil` when nothing is presented.
  @inlinable
  var presentation: Stamp? { box?.presentation }

  /// Calls a closure with the presented state, which it may change in its box.
  @inlinable
  @inline(__always)
  mutating func modify<Result>(_ body: (UnsafeMutablePointer<State>) -> Result) -> Result? {
    guard box != nil else { return nil }
    makeUnique()
    return withUnsafeMutablePointer(to: &box!.state!) {
      assert(UnsafeRawPointer($0) == box!.statePlace, "A presented state is not where it was.")
      return body($0)
    }
  }

  /// Reads the presented state.
  @inlinable
  @inline(__always)
  func read<Result>(_ body: (borrowing State) -> Result) -> Result? {
    guard let box, box.state != nil else { return nil }
    return body(box.state!)
  }
}

/// The box of a presentation, for code that does not know the type of the state.
@usableFromInline
class PresentationBox {
  /// The stamp of the presentation. The next presentation has another one.
  @usableFromInline final let presentation: Stamp
  /// The place of the state. The box owns it and sets it once, when it is made.
  // Unchecked: it does not change afterwards.
  @exclusivity(unchecked)
  @usableFromInline final var statePlace: UnsafeRawPointer!

  @usableFromInline
  init(_ presentation: Stamp) {
    self.presentation = presentation
  }

  /// The place of the presented state; `nil` when nothing is presented.
  ///
  /// - Parameter place: The place of a ``PresentationState``, which is a reference to its box.
  static func statePlace(ofPresentationAt place: UnsafeRawPointer) -> UnsafeRawPointer? {
    guard let box = place.load(as: UnsafeRawPointer?.self) else { return nil }
    return Unmanaged<PresentationBox>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.statePlace }
  }
}

extension PresentationState: Equatable where State: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    // While shared values are compared, one box stands for two states.
    (lhs.box === rhs.box && SharedComparison.current == nil) || lhs.wrappedValue == rhs.wrappedValue
  }
}

extension PresentationState: Hashable where State: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(wrappedValue)
  }
}

// @unchecked: the box is changed only by its only owner.
extension PresentationState: @unchecked Sendable where State: Sendable {}

extension PresentationState: Decodable where State: Decodable {
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(State?.self))
  }
}

extension PresentationState: Encodable where State: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension PresentationState: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(reflecting: wrappedValue as Any)
  }
}

extension PresentationState: Presentation {
  @usableFromInline
  var boxAddress: UInt? { box.map { UInt(bitPattern: ObjectIdentifier($0)) } }
}
