// A dictionary that keeps the order in which its keys were added.

/// Values under keys, in an order.
public struct OrderedDictionary<Key: Hashable, Value> {
  /// A key with its value.
  public typealias Element = (key: Key, value: Value)

  /// The keys in their order.
  public private(set) var keys = OrderedSet<Key>()
  private var storage: [Value] = []

  /// Creates an empty dictionary.
  public init() {}

  /// Creates a dictionary of keys that are unique with their values; of equal keys the last counts.
  public init(uniqueKeysWithValues elements: some Sequence<(Key, Value)>) {
    for (key, value) in elements { self[key] = value }
  }

  /// Creates a dictionary of keys with their values. Values of equal keys are combined.
  public init(
    _ elements: some Sequence<(Key, Value)>,
    uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    for (key, value) in elements {
      self[key] = try self[key].map { try combine($0, value) } ?? value
    }
  }

  /// Creates a dictionary of the elements of a sequence in groups, in the order of their first ones.
  public init<S: Sequence>(
    grouping elements: S, by key: (S.Element) throws -> Key
  ) rethrows where Value == [S.Element] {
    for element in elements { self[try key(element), default: []].append(element) }
  }

  // MARK: Values

  /// The value of a key. A new key comes behind the others; `nil` removes one.
  public subscript(key: Key) -> Value? {
    get { keys.firstIndex(of: key).map { storage[$0] } }
    set {
      switch (keys.firstIndex(of: key), newValue) {
      case (let index?, let value?): storage[index] = value
      case (let index?, nil): remove(at: index)
      case (nil, let value?):
        keys.append(key)
        storage.append(value)
      case (nil, nil): break
      }
    }
  }

  /// The value of a key, or another one where there is none. A new key comes behind the others.
  public subscript(key: Key, default defaultValue: @autoclosure () -> Value) -> Value {
    get { self[key] ?? defaultValue() }
    set { self[key] = newValue }
    _modify {
      let (isNew, index) = keys.append(key)
      if isNew { storage.append(defaultValue()) }
      yield &storage[index]
    }
  }

  /// The values in the order of their keys.
  public var values: [Value] {
    get { storage }
    set {
      guard newValue.count == storage.count else {
        return assertionFailure("Each key has one value: give as many as there are keys.")
      }
      storage = newValue
    }
  }

  /// The keys with their values, as a collection.
  public var elements: [Element] { Array(self) }

  /// The place of a key.
  public func index(forKey key: Key) -> Int? { keys.firstIndex(of: key) }

  /// Sets the value of a key, and returns the one before.
  @discardableResult
  public mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    defer { self[key] = value }
    return self[key]
  }

  /// Adds a value under a new key at a place, or sets that of a key that is there.
  @discardableResult
  public mutating func updateValue(
    _ value: Value, forKey key: Key, insertingAt index: Int
  ) -> (originalMember: Value?, index: Int) {
    if let place = keys.firstIndex(of: key) { return (updateValue(value, forKey: key), place) }
    keys.insert(key, at: index)
    storage.insert(value, at: index)
    return (nil, index)
  }

  // MARK: Removing

  /// Removes a key and its value.
  @discardableResult
  public mutating func removeValue(forKey key: Key) -> Value? {
    keys.firstIndex(of: key).map { remove(at: $0).value }
  }

  /// Removes the key and value at a place.
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    (keys.remove(at: index), storage.remove(at: index))
  }

  /// Removes the keys and values that satisfy a condition.
  public mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    self = try filter { try !isRemoved($0) }
  }

  /// Removes all keys and values.
  public mutating func removeAll(keepingCapacity: Bool = false) {
    keys.removeAll(keepingCapacity: keepingCapacity)
    storage.removeAll(keepingCapacity: keepingCapacity)
  }

  // MARK: Other dictionaries

  /// The keys and values that satisfy a condition.
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
    var result = Self()
    for (key, value) in self where try isIncluded((key, value)) { result[key] = value }
    return result
  }

  /// The same keys with other values.
  public func mapValues<T>(_ transform: (Value) throws -> T) rethrows -> OrderedDictionary<Key, T> {
    var result = OrderedDictionary<Key, T>()
    result.keys = keys
    result.storage = try storage.map(transform)
    return result
  }

  /// Adds the keys and values of another sequence. Values of equal keys are combined.
  public mutating func merge(
    _ other: some Sequence<(Key, Value)>, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    for (key, value) in other { self[key] = try self[key].map { try combine($0, value) } ?? value }
  }

  /// Sorts the keys and values.
  public mutating func sort(by isBefore: (Element, Element) throws -> Bool) rethrows {
    self = Self(uniqueKeysWithValues: try sorted(by: isBefore).map { ($0.key, $0.value) })
  }
}

extension OrderedDictionary: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { storage.count }
  public subscript(position: Int) -> Element { (keys[position], storage[position]) }
}

extension OrderedDictionary: Equatable where Value: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.keys == rhs.keys && lhs.storage == rhs.storage
  }
}

extension OrderedDictionary: Hashable where Value: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(keys)
    hasher.combine(storage)
  }
}

extension OrderedDictionary: Sendable where Key: Sendable, Value: Sendable {}

extension OrderedDictionary: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (Key, Value)...) {
    self.init(uniqueKeysWithValues: elements)
  }
}

extension OrderedDictionary: CustomStringConvertible, CustomReflectable {
  public var description: String {
    isEmpty ? "[:]" : "[" + map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "]"
  }
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .dictionary)
  }
}

extension OrderedDictionary: Codable where Key: Codable, Value: Codable {
  /// Decodes keys and values in turn, one behind the other.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      self[try container.decode(Key.self)] = try container.decode(Value.self)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for (key, value) in self {
      try container.encode(key)
      try container.encode(value)
    }
  }
}
