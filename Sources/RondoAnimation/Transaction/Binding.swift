// Read and write access to a value that lives elsewhere, with the transaction of its writes.

/// Read and write access to a value that lives elsewhere.
///
/// A binding can carry a transaction, with which its writes are made:
///
/// ```swift
/// let isOpen = Binding(get: { model.isOpen }, set: { model.isOpen = $0 })
/// isOpen.animation(.easeOut).wrappedValue = true
/// ```
///
/// What the code around a write says goes before what the binding says, key by key: inside
/// `withAnimation(.linear)` the write above is linear.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void

  /// The transaction that writes are made with.
  public var transaction = Transaction()

  /// A binding to whatever two closures read and write.
  ///
  /// - Parameters:
  ///   - get: Reads the value.
  ///   - set: Writes it. It runs inside the transaction of the write: ``Transaction/current``.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    read = get
    write = set
  }

  /// A binding to a value that does not change. Writes are lost.
  public static func constant(_ value: Value) -> Binding {
    Binding(get: { value }, set: { _ in })
  }

  /// The value. Writing it runs the setter inside the transaction of the binding, with the slots of
  /// the ambient one taken from there.
  public var wrappedValue: Value {
    get { read() }
    nonmutating set {
      withTransaction(transaction.merging(.current)) { write(newValue) }
    }
  }

  /// The binding itself.
  public var projectedValue: Binding { self }

  /// A binding to a part of the value, with the same transaction.
  public subscript<Part>(dynamicMember keyPath: WritableKeyPath<Value, Part>) -> Binding<Part> {
    var part = Binding<Part>(
      get: { read()[keyPath: keyPath] },
      set: { newPart in
        var value = read()
        value[keyPath: keyPath] = newPart
        write(value)
      }
    )
    part.transaction = transaction
    return part
  }

  /// The binding with its writes animated.
  ///
  /// - Parameter animation: The animation; `nil` makes writes that show at once.
  public func animation(_ animation: Animation? = .default) -> Binding {
    transaction(Transaction(animation: animation))
  }

  /// The binding with a transaction for its writes, in place of the one that it has.
  public func transaction(_ transaction: Transaction) -> Binding {
    var binding = self
    binding.transaction = transaction
    return binding
  }
}
