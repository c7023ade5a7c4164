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
  private let write: (Value, Transaction) -> Void

  /// The transaction that writes are made with, below what the code around a write says.
  public var transaction = Transaction()

  /// A binding to whatever two closures read and write.
  ///
  /// - Parameters:
  ///   - get: Reads the value.
  ///   - set: Writes it. It runs inside the transaction of the write: ``Transaction/current``.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.init(get: get) { value, _ in set(value) }
  }

  /// A binding to whatever two closures read and write, the second of which is told the transaction
  /// of the write.
  ///
  /// - Parameters:
  ///   - get: Reads the value.
  ///   - set: Writes it. It runs inside the transaction that it is given.
  public init(get: @escaping () -> Value, set: @escaping (Value, Transaction) -> Void) {
    read = get
    write = set
  }

  /// A binding to a value that does not change. Writes are lost.
  public static func constant(_ value: Value) -> Binding {
    Binding(get: { value }, set: { (_: Value) in })
  }

  /// The value. Writing it runs the setter inside the transaction of the binding, with the slots of
  /// the ambient one taken from there.
  public var wrappedValue: Value {
    get { read() }
    nonmutating set {
      let transaction = transaction.merging(.current)
      withTransaction(transaction) { write(newValue, transaction) }
    }
  }

  /// The binding itself.
  public var projectedValue: Binding { self }

  /// A binding to a part of the value, with the same transaction.
  public subscript<Part>(dynamicMember keyPath: WritableKeyPath<Value, Part>) -> Binding<Part> {
    var part = Binding<Part>(
      get: { read()[keyPath: keyPath] },
      set: { newPart, transaction in
        var value = read()
        value[keyPath: keyPath] = newPart
        write(value, transaction)
      }
    )
    part.transaction = transaction
    return part
  }

  /// The binding with its writes animated. What else its transaction says stays.
  ///
  /// - Parameter animation: The animation; `nil` makes writes that show at once.
  public func animation(_ animation: Animation? = .default) -> Binding {
    var binding = self
    binding.transaction.animation = animation
    return binding
  }

  /// The binding with a transaction for its writes, in place of the one that it has.
  public func transaction(_ transaction: Transaction) -> Binding {
    var binding = self
    binding.transaction = transaction
    return binding
  }
}
