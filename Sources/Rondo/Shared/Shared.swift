// A value that several features hold.

/// A value that several features hold: a change by one of them is a change for all.
///
/// ```swift
/// @ObservableState
/// struct State: Equatable {
///   @Shared(.inMemory("count")) var count = 0
///   @Shared(.fileStorage(.documentsDirectory.appending(path: "games.json"))) var games = [Game]()
/// }
///
/// state.$count.withLock { $0 += 1 }
/// ```
///
/// All variables with the same key share the value; the value behind `=` is used while there is
/// none yet. A parent shares a value with a child by handing over the projection, `$count`, and a
/// part of it by `$settings.volume`. A variable without a key is set by its holder:
///
/// ```swift
/// struct State {
///   @Shared var count: Int
/// }
/// State(count: Shared(value: 0))
/// ```
///
/// Code that reads the value inside of `withObservationTracking` learns of its changes, and
/// ``values`` is a sequence of them. In a `TestStore`, assert its changes like any other change of
/// state:
///
/// ```swift
/// await store.send(.increment) { $0.$count.withLock { $0 = 1 } }
/// ```
///
/// Two shared values are equal when the values are.
@dynamicMemberLookup
@propertyWrapper
public struct Shared<Value> {
  let handle: SharedHandle<Value>

  var reference: SharedReference<Value> { handle.reference }

  init(reference: SharedReference<Value>) {
    handle = SharedHandle(reference)
  }

  /// A value that is shared with every holder of the result.
  public init(value: Value) {
    self.init(reference: SharedBox(value))
  }

  /// The value that another variable shares: `_count = Shared(projectedValue: other.$count)`.
  public init(projectedValue: Shared) {
    self = projectedValue
  }

  /// A shared value where an optional one is asked for.
  public init<Wrapped>(_ base: Shared<Wrapped>) where Value == Wrapped? {
    self.init(reference: SharedWrapped(base.reference))
  }

  /// A shared optional that is not `nil`; `nil` where it is.
  ///
  /// ```swift
  /// guard let game = Shared($games[id: id]) else { return .none }
  /// ```
  public init?(_ base: Shared<Value?>) {
    guard let reference = SharedUnwrapped(base.reference) else { return nil }
    self.init(reference: reference)
  }

  /// The value.
  ///
  /// To change a value depending on the old one, use ``withLock(_:fileID:filePath:line:column:)``: another thread may change it
  /// between reading and writing.
  public var wrappedValue: Value {
    get { reference.read() }
    nonmutating set { reference.modify { $0 = newValue } }
  }

  /// The projection `$count`, which is handed to others so that they share the value.
  ///
  /// Assigning to it, `$count = Shared(value: 1)`, makes this variable and all of its copies share
  /// the value of the other one. Parts of it that were handed over before stay parts of the old
  /// value.
  public var projectedValue: Shared {
    get {
      reference.root.noteRead()
      return self
    }
    nonmutating set { show(newValue.reference) }
  }

  func show(_ reference: SharedReference<Value>) {
    handle.show(reference)
  }

  /// Changes the value while nobody else reads or changes it.
  ///
  /// - Parameter operation: Changes the value through its parameter. Read in any other way, the
  ///   value is still the old one. What other code changes meanwhile, on the same thread, is lost, and
  ///   reported.
  @discardableResult
  public func withLock<Result>(
    _ operation: (inout Value) throws -> Result,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) rethrows -> Result {
    try reference.modify(at: SourcePosition(fileID, filePath, line, column), operation)
  }

  /// A part of the value, shared with the whole.
  public subscript<Member>(
    dynamicMember keyPath: WritableKeyPath<Value, Member>
  ) -> Shared<Member> {
    Shared<Member>(reference: SharedPart(reference, keyPath))
  }

  /// A part of the value that can only be read.
  @_disfavoredOverload
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<Value, Member>
  ) -> SharedReader<Member> {
    SharedReader<Member>(reference: SharedMapped(reference) { $0[keyPath: keyPath] })
  }

  /// A reader of the result of a closure, which is called with the value whenever it is read.
  ///
  /// ```swift
  /// @SharedReader var isEmpty: Bool
  /// _isEmpty = $games.read { $0.isEmpty }
  /// ```
  ///
  /// - Parameter body: Makes the result. Called for every reading.
  public func read<Member>(_ body: @escaping @Sendable (Value) -> Member) -> SharedReader<Member> {
    SharedReader<Member>(reference: SharedMapped(reference, body))
  }
}

extension Shared where Value: CasePathable {
  /// The associated value of a case, shared with the whole; `nil` when the enum is in another case.
  /// When the enum leaves the case later, reading gives the last value, and writing does nothing.
  @_disfavoredOverload
  public subscript<Member>(dynamicMember keyPath: CaseName<Value, Member>) -> Shared<Member>? {
    Shared<Member>(self[dynamicMember: \Value.[case: keyPath]])
  }

  /// The associated value of a case, to be read; `nil` when the enum is in another case.
  @_disfavoredOverload
  public subscript<Member>(
    dynamicMember keyPath: CaseName<Value, Member>
  ) -> SharedReader<Member>? {
    SharedReader(self)[dynamicMember: keyPath]
  }
}

extension SharedReader where Value: CasePathable {
  /// The associated value of a case; `nil` when the enum is in another case.
  @_disfavoredOverload
  public subscript<Member>(
    dynamicMember keyPath: CaseName<Value, Member>
  ) -> SharedReader<Member>? {
    SharedReader<Member>(self[dynamicMember: \Value.[case: keyPath]])
  }
}

extension Shared where Value: Sendable {
  /// The value now, and after every change. Changes that come faster than they are read are counted
  /// as one.
  public var values: AsyncStream<Value> { handle.values() }

  /// The value now, and after every change. What is not read yet is kept.
  package var everyValue: AsyncStream<Value> { handle.values(.unbounded) }
}

// MARK: - What values are

extension Shared: @unchecked Sendable where Value: Sendable {}

extension Shared: Equatable where Value: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.reference.isEqual(to: rhs.reference)
  }
}

extension SharedReference where Value: Equatable {
  /// Whether two values are equal, the first one on the expected side of a comparison.
  func isEqual(to other: SharedReference) -> Bool {
    SharedComparison.current?.noteComparison(of: root)
    let left = SharedComparison.on(.expected) { read() }
    let right = SharedComparison.on(.actual) { other.read() }
    return left == right
  }
}

extension Shared: Hashable where Value: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(wrappedValue)
  }
}

extension Shared: Identifiable where Value: Identifiable {
  public var id: Value.ID { wrappedValue.id }
}

extension Shared: CustomStringConvertible {
  public var description: String { "\(Self.self)(\(reference.description))" }
}

extension Shared: CustomReflectable {
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension Shared: SharedValue {
  package var sharedValue: Any { wrappedValue }
  package var sharedID: ObjectIdentifier { ObjectIdentifier(reference.root) }
  package var isReader: Bool { false }
  package var isKeyed: Bool { reference.root.isKeyed }
}

// MARK: - Parts

extension RangeReplaceableCollection {
  /// The elements of a shared array, each shared with the whole.
  public init<Value>(_ shared: Shared<[Value]>) where Element == Shared<Value> {
    self.init(
      shared.wrappedValue.indices.compactMap { index in
        Shared<Value>(
          Shared<Value?>(reference: SharedPart(shared.reference, \.[elementAt: index])))
      })
  }

  /// The elements of a shared identified array, each shared with the whole.
  public init<ID: Hashable, Value>(
    _ shared: Shared<IdentifiedArray<ID, Value>>
  ) where Element == Shared<Value> {
    self.init(
      shared.wrappedValue.ids.compactMap { id in
        Shared<Value>(Shared<Value?>(reference: SharedPart(shared.reference, \.[id: id])))
      })
  }
}

extension Array {
  fileprivate subscript(elementAt index: Int) -> Element? {
    get { indices.contains(index) ? self[index] : nil }
    set { if let newValue, indices.contains(index) { self[index] = newValue } }
  }
}
