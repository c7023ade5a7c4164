// The place where a shared value is kept, which all holders of the value have in common.

import Foundation
import Observation
import Synchronization

/// A place that a shared value is read from and written to: its own, or a part of another place.
class SharedReference<Value>: @unchecked Sendable {
  // @unchecked: subclasses hold constants, and what they change is behind a lock.

  /// Reads the value, and tells the observation system that it was read.
  func read() -> Value {
    preconditionFailure("\(type(of: self)) cannot be read.")
  }

  /// Changes the value while nobody else reads or changes it.
  ///
  /// - Parameter position: The place to blame when the change overwrites another one.
  func modify<Result>(
    at position: SourcePosition? = nil, _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    preconditionFailure("\(type(of: self)) cannot be changed.")
  }

  /// The place of the whole value that this value is a part of.
  var root: any SharedRoot {
    preconditionFailure("\(type(of: self)) is not kept anywhere.")
  }

  /// Its description: the key, or the value if there is no key.
  var description: String { "value: \(String(reflecting: read()))" }
}

/// The part of a ``SharedBox`` that does not depend on the type of the value.
protocol SharedRoot: AnyObject, Sendable {
  /// Loads and saves the value; `nil` for a value that is in memory only.
  var persistence: SharedPersistence? { get }

  /// Calls a closure after every change, until the result is cancelled.
  func observe(_ didChange: @escaping @Sendable () -> Void) -> SharedSubscription

  /// The value, read without telling the observation system.
  var anyValue: Any { get }

  /// Whether two of its values are equal, as far as that can be told.
  func areEqual(_ lhs: Any, _ rhs: Any) -> Bool

  /// The name of the value in messages.
  var name: String { get }

  /// The type and the key of the value; the value itself where there is no key.
  var keyedName: String { get }

  /// Whether the value has a key.
  var isKeyed: Bool { get }

  /// Tells the observation system that the value was read.
  func noteRead()

  /// Notifies all observers of the value, and of its loading and saving.
  func wakeAll()
}

/// The place where a value is kept.
final class SharedBox<Value>: SharedReference<Value>, SharedRoot, Observable, @unchecked Sendable {
  // @unchecked: `persistence` and `save` are set before anybody else has the box; what changes
  // later is behind a lock.

  /// Held while the value is changed. It is recursive, because a key may answer the saving of a
  /// value at once with another value.
  private let changing = NSRecursiveLock()
  /// The number of changes, under this lock.
  private var changeCount = 0
  /// Held for a moment only, so that reading does not wait for a thread that changes the value.
  private let value: Mutex<Unchecked<Value>>
  private let observers = Mutex(Observers())
  private let registrar = ChangeRegistrar()
  private let valueKeyPath: any KeyPath<SharedBox, Value> & Sendable = \.observedValue

  /// Set once, before anybody else has the box.
  private(set) var persistence: SharedPersistence?
  private var save: (@Sendable (Value) -> Void)?

  let name: String
  private let key: String?

  init(_ value: Value, name: String = "Shared<\(Value.self)>", key: String? = nil) {
    self.value = Mutex(Unchecked(value))
    self.name = name
    self.key = key
  }

  override var description: String { key ?? super.description }

  var isKeyed: Bool { key != nil }

  var keyedName: String { "Shared<\(Value.self)>(\(description))" }

  func persist(by persistence: SharedPersistence, save: (@Sendable (Value) -> Void)?) {
    self.persistence = persistence
    self.save = save
  }

  override var root: any SharedRoot { self }

  /// The property that observation names by its key path. Code reads the value by ``read()``.
  private var observedValue: Value { read() }

  // MARK: Reading

  func noteRead() {
    registrar.willRead(self, valueKeyPath)
  }

  override func read() -> Value {
    noteRead()
    if let comparison = SharedComparison.current, let value = comparison.value(of: self) {
      return value as! Value
    }
    return stored
  }

  /// The present value. It ignores comparisons, and does not tell the observation system.
  var stored: Value {
    value.withLock { $0 }.value
  }

  var anyValue: Any { stored }

  func areEqual(_ lhs: Any, _ rhs: Any) -> Bool {
    guard let lhs = lhs as? any Equatable else { return false }
    return lhs.isEqual(to: rhs)
  }

  // MARK: Changing

  override func modify<Result>(
    at position: SourcePosition?, _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    if let comparison = SharedComparison.current {
      var value = (comparison.value(of: self) as! Value?) ?? stored
      defer { comparison.expect(value, of: self) }
      return try body(&value)
    }
    SharedMutations.note()
    let ledger = DependencyValues.current.sharedLedger
    // Held until the value is saved: the last thread to save saves the last value, two threads never
    // save in the wrong order, and no value is loaded between a change and its saving.
    var overwritesChange = false
    // Released behind all locks: the end of an old value may do anything.
    var old: (before: Value, replaced: Unchecked<Value>)?
    defer {
      wake()
      notify()
      if overwritesChange { reportOverwrittenChange(at: position) }
      withExtendedLifetime(old) {}
    }
    return try whileSaving {
      try changing.withLock {
        let (before, count) = (stored, changeCount)
        var changed = before
        ledger?.willChange(self, from: changed)
        defer {
          // Of a value that cannot be compared it is not known whether a change was one.
          overwritesChange =
            changeCount != count && Value.self is any Equatable.Type && !areEqual(stored, before)
          old = (before, set(changed))
        }
        return try body(&changed)
      }
    }
  }

  private func whileSaving<Result>(_ change: () throws -> Result) rethrows -> Result {
    guard let persistence else { return try change() }
    return try persistence.whileSaving {
      defer { save?(stored) }
      return try change()
    }
  }

  private func reportOverwrittenChange(at position: SourcePosition?) {
    reportIssue(
      """
      \(name) was changed by other code while the closure of 'withLock' was changing it on the same \
      thread, and that other change is lost. Change the value by the parameter of the closure only, \
      and send actions after it.
      """,
      at: position ?? SourcePosition())
  }

  /// Sets the value. Returns the old one, to be released outside of all locks.
  private func set(_ newValue: Value) -> Unchecked<Value> {
    changeCount += 1
    return value.withLock { exchange(&$0, with: Unchecked(newValue)) }
  }

  /// Takes a new value from the place where it is kept, unless the one who hands it over does not
  /// want that any more.
  func replace(with newValue: Value) {
    persistence?.saving.lock()
    let isTaken = Handover.running.current?.isTaken() ?? true
    let isNew = isTaken && !areEqual(stored, newValue)
    let old = isNew ? changing.withLock { set(newValue) } : nil
    persistence?.saving.unlock()
    guard isNew else { return }
    wake()
    notify()
    withExtendedLifetime(old) {}
  }

  /// Notifies the observers that have read the value. It is called after the change.
  private func wake() {
    registrar.didChange(self, valueKeyPath)
  }

  func wakeAll() {
    wake()
    persistence?.wake()
  }

  private func notify() {
    // In the order in which they came.
    for observer in observers.withLock({ $0.all.valuesByNumber }) { observer() }
  }

  func observe(_ didChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    let id = observers.withLock { observers in
      observers.last += 1
      observers.all[observers.last] = didChange
      return observers.last
    }
    return SharedSubscription { [weak self] in
      let removed = self?.observers.withLock { $0.all.removeValue(forKey: id) }
      withExtendedLifetime(removed) {}
    }
  }
}

/// The closures that are called after every change, by the order in which they came.
private struct Observers {
  var all: [UInt64: @Sendable () -> Void] = [:]
  var last: UInt64 = 0
}

extension Dictionary where Key == UInt64 {
  /// The values in the order of their numbers, which is the one in which they came.
  var valuesByNumber: [Value] { sorted { $0.key < $1.key }.map(\.value) }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool {
    (other as? Self) == self
  }
}

/// A part of a shared value.
final class SharedPart<Whole, Value>: SharedReference<Value>, @unchecked Sendable {
  // @unchecked: constants. A value that a key path has captured is a constant, too.
  private let whole: SharedReference<Whole>
  private let keyPath: WritableKeyPath<Whole, Value>

  init(_ whole: SharedReference<Whole>, _ keyPath: WritableKeyPath<Whole, Value>) {
    self.whole = whole
    self.keyPath = keyPath
  }

  override var root: any SharedRoot { whole.root }

  override func read() -> Value { whole.read()[keyPath: keyPath] }

  override func modify<Result>(
    at position: SourcePosition?, _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    try whole.modify(at: position) { try body(&$0[keyPath: keyPath]) }
  }
}

/// A shared optional that was not `nil`. When it becomes `nil` the last value is shown, and changes
/// are made to that value alone.
final class SharedUnwrapped<Value>: SharedReference<Value>, @unchecked Sendable {
  // @unchecked: constants, and a lock.
  private let whole: SharedReference<Value?>
  private let last: Mutex<Unchecked<Value>>

  init?(_ whole: SharedReference<Value?>) {
    guard let value = whole.read() else { return nil }
    self.whole = whole
    last = Mutex(Unchecked(value))
  }

  override var root: any SharedRoot { whole.root }

  override func read() -> Value {
    guard let value = whole.read() else { return last.withLock { $0 }.value }
    keep(value)
    return value
  }

  /// Replaces the last value. The one before is released outside of the lock, because its end may use
  /// this reference.
  private func keep(_ value: Value) {
    let old = last.withLock { exchange(&$0, with: Unchecked(value)) }
    withExtendedLifetime(old) {}
  }

  override func modify<Result>(
    at position: SourcePosition?, _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    let last = last.withLock { $0 }.value
    return try whole.modify(at: position) { value in
      // A value that has become `nil` stays `nil`: the change is made to the last value.
      let isPresent = value != nil
      var unwrapped = value.take() ?? last
      defer {
        if isPresent { value = unwrapped }
        if SharedComparison.current == nil { keep(unwrapped) }
      }
      return try body(&unwrapped)
    }
  }
}

/// A shared value where an optional one is asked for.
final class SharedWrapped<Value>: SharedReference<Value?>, @unchecked Sendable {
  // @unchecked: a constant.
  private let base: SharedReference<Value>

  init(_ base: SharedReference<Value>) {
    self.base = base
  }

  override var root: any SharedRoot { base.root }

  override func read() -> Value? { base.read() }

  override func modify<Result>(
    at position: SourcePosition?, _ body: (inout Value?) throws -> Result
  ) rethrows -> Result {
    try base.modify(at: position) { value in
      var optional: Value? = value
      defer { if let optional { value = optional } }
      return try body(&optional)
    }
  }
}

/// The result of a closure that is called with a shared value. It can only be read.
final class SharedMapped<Whole, Value>: SharedReference<Value>, @unchecked Sendable {
  // @unchecked: constants. So is a value that a key path of the closure has captured.
  private let whole: SharedReference<Whole>
  private let body: (Whole) -> Value

  init(_ whole: SharedReference<Whole>, _ body: @escaping (Whole) -> Value) {
    self.whole = whole
    self.body = body
  }

  override var root: any SharedRoot { whole.root }

  override func read() -> Value { body(whole.read()) }
}
