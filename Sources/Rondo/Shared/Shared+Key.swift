// Shared values that are kept under a key.

import RondoScheduling

extension Shared {
  /// The value of a key.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value to use while the key has none.
  ///   - key: The place where the value is kept.
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: some SharedKey<Value>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(reference: keyed(key, wrappedValue, SourcePosition(fileID, filePath, line, column)))
  }

  /// The value of a key that has a value to begin with.
  public init<Key: SharedKey<Value>>(
    _ key: _SharedKeyDefault<Key>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      reference: keyed(key, { key.initialValue }, SourcePosition(fileID, filePath, line, column)))
  }

  /// The value of a key, with another value to begin with than its own.
  public init<Key: SharedKey<Value>>(
    wrappedValue: @autoclosure () -> Value, _ key: _SharedKeyDefault<Key>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(reference: keyed(key, wrappedValue, SourcePosition(fileID, filePath, line, column)))
  }

  /// The value of a key, which is `nil` to begin with.
  @_disfavoredOverload
  public init<Wrapped>(
    _ key: some SharedKey<Value>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where Value == Wrapped? {
    self.init(reference: keyed(key, { nil }, SourcePosition(fileID, filePath, line, column)))
  }

  /// The value of a key that has no value to begin with.
  @available(
    *, unavailable,
    message: """
      a key may have no value yet: write one to begin with, '@Shared(…) var count = 0', or let the type \
      be an optional
      """
  )
  @_disfavoredOverload
  public init(_ key: some SharedKey<Value>) {
    preconditionFailure("This initializer cannot be called.")
  }

  /// The value of a key, which must exist.
  ///
  /// - Throws: The error of loading it, or an error that says that there is no value.
  public init(require key: some SharedKey<Value>) async throws {
    self.init(reference: try await required(key))
  }

  /// Makes this variable and its copies share the value of another key, and loads that value.
  ///
  /// The old value stays until the new one is loaded.
  ///
  /// - Throws: The error of loading it.
  public func load(_ key: some SharedKey<Value>) async throws where Value: Sendable {
    let value = reference.read()
    show(keyed(key, isLoaded: true, { value }, nil))
    try await load()
  }

  /// Loads the value again; does nothing without a key.
  ///
  /// - Throws: The error of loading it.
  public func load() async throws { try await reference.root.persistence?.load() }

  /// Saves the value now, and waits until that is done; does nothing without a key.
  ///
  /// - Throws: The error of saving it.
  public func save() async throws { try await reference.root.persistence?.save() }

  /// Whether the value is being loaded.
  public var isLoading: Bool { reference.root.persistence?.isLoading ?? false }

  /// The error of the last loading; `nil` if there was none.
  public var loadError: (any Error)? { reference.root.persistence?.loadError }

  /// The error of the last saving; `nil` if there was none.
  public var saveError: (any Error)? { reference.root.persistence?.saveError }
}

extension SharedReader {
  /// The value of a key.
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: some SharedReaderKey<Value>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(reference: keyed(key, wrappedValue, SourcePosition(fileID, filePath, line, column)))
  }

  /// The value of a key that has a value to begin with.
  public init<Key: SharedReaderKey<Value>>(
    _ key: _SharedKeyDefault<Key>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      reference: keyed(key, { key.initialValue }, SourcePosition(fileID, filePath, line, column)))
  }

  /// The value of a key, with another value to begin with than its own.
  public init<Key: SharedReaderKey<Value>>(
    wrappedValue: @autoclosure () -> Value, _ key: _SharedKeyDefault<Key>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(reference: keyed(key, wrappedValue, SourcePosition(fileID, filePath, line, column)))
  }

  /// The value of a key, which is `nil` to begin with.
  @_disfavoredOverload
  public init<Wrapped>(
    _ key: some SharedReaderKey<Value>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where Value == Wrapped? {
    self.init(reference: keyed(key, { nil }, SourcePosition(fileID, filePath, line, column)))
  }

  /// The value of a key that has no value to begin with.
  @available(
    *, unavailable,
    message: """
      a key may have no value yet: write one to begin with, '@SharedReader(…) var count = 0', or let the type \
      be an optional
      """
  )
  @_disfavoredOverload
  public init(_ key: some SharedReaderKey<Value>) {
    preconditionFailure("This initializer cannot be called.")
  }

  /// The value of a key, which must exist.
  ///
  /// - Throws: The error of loading it, or an error that says that there is no value.
  public init(require key: some SharedReaderKey<Value>) async throws {
    self.init(reference: try await required(key))
  }

  /// Makes this variable and its copies read the value of another key, and loads that value.
  ///
  /// The old value stays until the new one is loaded.
  ///
  /// - Throws: The error of loading it.
  public func load(_ key: some SharedReaderKey<Value>) async throws where Value: Sendable {
    let value = reference.read()
    show(keyed(key, isLoaded: true, { value }, nil))
    try await load()
  }

  /// Loads the value again; does nothing without a key.
  ///
  /// - Throws: The error of loading it.
  public func load() async throws { try await reference.root.persistence?.load() }

  /// Whether the value is being loaded.
  public var isLoading: Bool { reference.root.persistence?.isLoading ?? false }

  /// The error of the last loading; `nil` if there was none.
  public var loadError: (any Error)? { reference.root.persistence?.loadError }
}

private func keyed<Key: SharedReaderKey>(
  _ key: Key, isLoaded: Bool = false, _ initialValue: () -> Key.Value,
  _ declaration: SourcePosition?
) -> SharedReference<Key.Value> {
  DependencyValues.current.sharedDefaults.references
    .reference(for: key, isLoaded: isLoaded, declaration, default: initialValue)
}

private func required<Key: SharedReaderKey>(
  _ key: Key
) async throws -> SharedReference<Key.Value> {
  let value = try await withCheckedThrowingContinuation { waiting in
    key.load(
      context: .userInitiated,
      continuation: LoadContinuation("\(key)") { waiting.resume(with: $0) })
  }
  guard let value else { throw MissingSharedValue(key: "\(key)") }
  return keyed(key, isLoaded: true, { value }, nil)
}

/// A key that had to have a value has none.
struct MissingSharedValue: Error, CustomStringConvertible {
  let key: String
  var description: String { "There is no value for \(key), which is required." }
}
