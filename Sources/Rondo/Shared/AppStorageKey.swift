// Shared values that are kept in user defaults.

import Foundation
import RondoAnimation
import Synchronization

/// Keeps a shared value in the user defaults.
///
/// ```swift
/// @Shared(.appStorage("isSoundOn")) var isSoundOn = true
/// ```
///
/// Numbers, strings, dates, data, URLs, lists of strings and optionals of these can be kept, and
/// enums with a raw value; other values that are `Codable` are kept as JSON. The value of the first declaration is kept; later ones of the same key see
/// it.
///
/// A change is on the disk soon after it was made, and at the latest when the program has ended.
/// `try await $isSoundOn.save()` waits until it is.
///
/// On Linux, Rondo writes the file that Foundation reads: `~/.config/NAME.plist`, or the same name in
/// the folder `XDG_CONFIG_HOME`. NAME is the identifier of the main bundle or, without one, the name of
/// the program's file; for `UserDefaults(suiteName:)` it is the name of the suite. The file is replaced
/// in one step, and the keys that other processes have written stay. A damaged file is kept beside as
/// `NAME.plist.damaged-1` before something is saved, and what goes wrong is the `loadError` or
/// `saveError` of the value. A program has no reason to call `synchronize()`, by which Foundation
/// writes over the file in place. An instance of a subclass of `UserDefaults` is written by its
/// `synchronize()`.
public struct AppStorageKey<Value: Sendable>: SharedKey, CustomStringConvertible {
  private let key: String
  private let defaults: UncheckedDefaults
  private let format: AppStorageFormat<Value>
  /// The object in the defaults when they were last read or written.
  private let known = LockIsolated(AppStorageObject(value: nil))

  init(_ key: String, _ format: AppStorageFormat<Value>, _ defaults: UserDefaults? = nil) {
    self.key = key
    self.format = format
    self.defaults = UncheckedDefaults(defaults ?? DependencyValues.current.defaultAppStorage)
  }

  public var id: some Hashable & Sendable {
    StoragePlace(key: key, storage: ObjectIdentifier(defaults.value))
  }

  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    do {
      try defaults.file?.refresh(key, in: defaults.value)
    } catch {
      return continuation.resume(throwing: error)
    }
    let object = AppStorageObject(value: format.object(defaults.value, key))
    if object.value == nil, let value = context.initialValue, format.encode(value) != nil {
      store(value, nil)
      return continuation.resumeReturningInitialValue()
    }
    let handover = Handover {
      // A value that was stored since the object was read is newer. Some objects, `nan` among them, are
      // not even equal to themselves.
      let present = AppStorageObject(value: format.object(defaults.value, key))
      guard context.initialValue != nil || present == object || object != object else {
        return false
      }
      known.withLock { $0 = object }
      return true
    }
    Handover.running.with(handover) {
      continuation.resume(with: .success(object.value.flatMap(format.decode)))
    }
    // A key may be loaded without a place for its value. Then nobody has asked yet.
    _ = handover.isTaken()
  }

  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    let token = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification, object: defaults.value, queue: nil
    ) { [key, defaults, format, known] _ in
      guard !AppStorageWriting.isInProgress else { return }
      var object = AppStorageObject(value: format.object(defaults.value, key))
      let before = known.withLock { [object] known in exchange(&known, with: object) }
      guard before != object else { return }
      while true {
        subscriber.yield(with: .success(object.value.flatMap(format.decode)))
        // A value that was stored since the object was read is newer.
        let present = AppStorageObject(value: format.object(defaults.value, key))
        // Some objects, `nan` among them, are not even equal to themselves.
        guard present != object, present == present else { return }
        known.withLock { $0 = present }
        object = present
      }
    }
    let observer = Unchecked(token)
    return SharedSubscription { NotificationCenter.default.removeObserver(observer.value) }
  }

  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    store(value, continuation)
  }

  private func store(_ value: Value, _ continuation: SaveContinuation?) {
    let object = AppStorageObject(value: format.encode(value))
    func set() {
      AppStorageWriting.whileInProgress {
        known.withLock { $0 = object }
        if let object = object.value {
          defaults.value.set(object, forKey: key)
        } else {
          defaults.value.removeObject(forKey: key)
        }
      }
    }
    if let file = defaults.file { return file.save(object, forKey: key, continuation, set: set) }
    // Defaults without a file of their own: those of a subclass, and of other systems.
    set()
    defaults.value.synchronize()
    continuation?.resume()
  }

  public var description: String { ".appStorage(\(key.debugDescription))" }
}

extension AppStorageKey: SharedKeyWords {
  private var words: any SharedKeyWords {
    defaults.file.map { FileWords(path: $0.path) } ?? KeyWords(key: description)
  }

  func words(forLoading error: any Error) -> String { words.words(forLoading: error) }
  func words(forSaving error: any Error) -> String { words.words(forSaving: error) }
}

/// The conversion between a value and an object that user defaults can keep.
struct AppStorageFormat<Value: SendableMetatype>: Sendable {
  let decode: @Sendable (Any) -> Value?
  let encode: @Sendable (Value) -> Any?
  var object: @Sendable (UserDefaults, String) -> Any? = { $0.object(forKey: $1) }
}

extension AppStorageFormat {
  /// The format of values that user defaults keep without conversion.
  static var plain: Self {
    Self(decode: { $0 as? Value }, encode: { $0 })
  }
}

extension AppStorageFormat where Value: Codable {
  /// Values that user defaults cannot keep are kept as JSON.
  static var json: Self {
    Self(
      decode: { ($0 as? Data).flatMap { try? JSONDecoder().decode(Value.self, from: $0) } },
      encode: { try? JSONEncoder().encode($0) })
  }
}

extension AppStorageFormat<URL> {
  /// The URL of a file is kept as its path, which is how user defaults keep it themselves.
  static var url: Self {
    Self(
      decode: { object in
        if let url = object as? URL { return url }
        guard let text = object as? String else { return nil }
        return text.hasPrefix("/") ? URL(fileURLWithPath: text) : URL(string: text)
      },
      encode: { $0.isFileURL ? $0.path(percentEncoded: false) : $0.absoluteString })
  }
}

/// Tells the notification of a value that is being saved from others.
private enum AppStorageWriting {
  private static var ofThread: ThreadLocal<Bool> { ThreadLocal(\.isWritingAppStorage) }

  static var isInProgress: Bool { ofThread.current }

  static func whileInProgress(_ body: () -> Void) {
    ofThread.with(true, body)
  }
}

/// An object in user defaults that can be compared.
struct AppStorageObject: Equatable, @unchecked Sendable {
  let value: Any?

  static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs.value, rhs.value) {
    case (nil, nil): true
    case (let left?, let right?):
      hashable(left).map { $0 == hashable(right) } ?? false
    default: false
    }
  }

  private static func hashable(_ object: Any) -> AnyHashable? {
    object as? AnyHashable ?? (object as? [AnyHashable]).map(AnyHashable.init)
  }
}

// MARK: - Kinds of values

/// A value that user defaults keep as it is. Values of other types are kept by their raw value, or as
/// JSON.
public protocol AppStorageValue: Sendable {
  /// The key of a value of this type. Use ``SharedReaderKey/appStorage(_:store:)``, which calls it.
  static func _appStorage(_ key: String, _ store: UserDefaults?) -> AppStorageKey<Self>
}

extension AppStorageValue {
  public static func _appStorage(_ key: String, _ store: UserDefaults?) -> AppStorageKey<Self> {
    AppStorageKey(key, .plain, store)
  }
}

extension Bool: AppStorageValue {}
extension Int: AppStorageValue {}
extension Double: AppStorageValue {}
extension String: AppStorageValue {}
extension Data: AppStorageValue {}
extension Date: AppStorageValue {}
extension Array: AppStorageValue where Element == String {}

extension URL: AppStorageValue {
  public static func _appStorage(_ key: String, _ store: UserDefaults?) -> AppStorageKey<Self> {
    AppStorageKey(key, .url, store)
  }
}

extension Optional: AppStorageValue where Wrapped: AppStorageValue {
  public static func _appStorage(_ key: String, _ store: UserDefaults?) -> AppStorageKey<Self> {
    Wrapped._appStorage(key, store).ofOptionals
  }
}

extension AppStorageKey {
  /// A key with the same place, for values that are made of this one's.
  fileprivate func ofValues<Other>(
    _ make: @escaping @Sendable (Value) -> Other?, _ take: @escaping @Sendable (Other) -> Value?
  ) -> AppStorageKey<Other> {
    AppStorageKey<Other>(
      key,
      AppStorageFormat(
        decode: { [format] in format.decode($0).flatMap(make) },
        encode: { [format] in take($0).flatMap(format.encode) },
        object: format.object),
      defaults.value)
  }

  /// A key with the same place, for values that may be absent.
  fileprivate var ofOptionals: AppStorageKey<Value?> {
    ofValues({ .some($0) }, { $0 })
  }
}

extension SharedReaderKey {
  /// Keeps a shared value in the user defaults.
  public static func appStorage<Value: AppStorageValue>(
    _ key: String, store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value> {
    Value._appStorage(key, store)
  }

  /// Keeps the raw value of a shared value in the user defaults.
  public static func appStorage<Value: RawRepresentable>(
    _ key: String, store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value>, Value.RawValue: AppStorageValue {
    Value.RawValue._appStorage(key, store).ofValues(Value.init(rawValue:)) { $0.rawValue }
  }

  /// Keeps the raw value of a shared value in the user defaults.
  public static func appStorage<Wrapped: RawRepresentable>(
    _ key: String, store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Wrapped?>, Wrapped.RawValue: AppStorageValue {
    Wrapped.RawValue._appStorage(key, store).ofValues(Wrapped.init(rawValue:)) { $0?.rawValue }
  }

  /// Keeps a shared value in the user defaults, as JSON.
  @_disfavoredOverload
  public static func appStorage<Value: Codable>(
    _ key: String, store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value> {
    AppStorageKey(key, .json, store)
  }

  /// Keeps a shared value in the user defaults, as JSON.
  @_disfavoredOverload
  public static func appStorage<Wrapped: Codable>(
    _ key: String, store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Wrapped?> {
    AppStorageKey<Wrapped>(key, .json, store).ofOptionals
  }
}

// MARK: - In memory

extension UserDefaults {
  /// User defaults that are never written to a file: none, every time that it is asked for.
  public static var inMemory: UserDefaults { DefaultsInMemory(suiteName: UUID().uuidString)! }
}

private final class DefaultsInMemory: UserDefaults {
  private let objects = LockIsolated<[String: Any]>([:])

  override func object(forKey key: String) -> Any? {
    objects.withLock { $0[key] }
  }

  override func set(_ value: Any?, forKey key: String) {
    store(value, key)
  }

  override func removeObject(forKey key: String) {
    store(nil, key)
  }

  private func store(_ value: Any?, _ key: String) {
    objects.withLock { $0[key] = value }
    NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: self)
  }

  override func synchronize() -> Bool { true }

  override func dictionaryRepresentation() -> [String: Any] {
    objects.withLock { $0 }
  }
}
