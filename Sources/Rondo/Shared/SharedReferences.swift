// Which keys have a value now, and how it is loaded and saved.

import Foundation
import Observation

/// The shared values that somebody holds, by their keys.
final class SharedReferences: Sendable {
  private struct Place: Hashable {
    let id: AnyHashable
    let value: ObjectIdentifier
  }

  private struct Holder {
    weak var root: (any SharedRoot)?
  }

  private let lock = NSRecursiveLock()
  // nonisolated(unsafe): behind the lock, which is recursive since loading may ask for other values.
  nonisolated(unsafe) private var holders: [Place: Holder] = [:]
  nonisolated(unsafe) private var purgeCount = 64

  /// Whether there were values, and nobody holds one any more.
  var areAllGone: Bool {
    lock.withLock { !holders.isEmpty && holders.values.allSatisfy { $0.root == nil } }
  }

  /// The place of a key's value, made now if nobody else has it.
  func reference<Key: SharedReaderKey>(
    for key: Key, default initialValue: () -> Key.Value
  ) -> SharedBox<Key.Value> {
    let place = Place(id: AnyHashable(key.id), value: ObjectIdentifier(Key.Value.self))
    return lock.withLock {
      if let box = holders[place]?.root as? SharedBox<Key.Value> { return box }
      let box = SharedBox(initialValue(), name: "Shared<\(Key.Value.self)>(\(key))")
      holders[place] = Holder(root: box)
      purge()
      box.connect(to: key)
      return box
    }
  }

  private func purge() {
    guard holders.count > purgeCount else { return }
    holders = holders.filter { $0.value.root != nil }
    purgeCount = max(64, holders.count * 2)
  }
}

/// How a value is loaded and saved, and how that went.
final class SharedPersistence: Observable, @unchecked Sendable {
  // @unchecked: `status` is behind a lock; the rest is set before anybody else has the object.

  private struct Status {
    var loading = 0
    var loadError: (any Error)?
    var saveError: (any Error)?
  }

  /// Held while the value is saved.
  let saving = NSRecursiveLock()
  private let registrar = ObservationRegistrar()
  private let status = Locked(Status())
  fileprivate(set) var subscription: SharedSubscription?
  fileprivate(set) var load: (@Sendable () async throws -> Void) = {}
  fileprivate(set) var save: (@Sendable () async throws -> Void) = {}

  var isLoading: Bool {
    registrar.access(self, keyPath: \.isLoading)
    return status.withLock { $0.loading > 0 }
  }

  var loadError: (any Error)? {
    registrar.access(self, keyPath: \.loadError)
    return status.withLock { $0.loadError }
  }

  var saveError: (any Error)? {
    registrar.access(self, keyPath: \.saveError)
    return status.withLock { $0.saveError }
  }

  fileprivate func isLoading(_ isLoading: Bool) {
    registrar.withMutation(of: self, keyPath: \.isLoading) {
      status.withLock { $0.loading = max(0, $0.loading + (isLoading ? 1 : -1)) }
    }
  }

  fileprivate func didLoad(_ error: (any Error)?) {
    guard error != nil || status.withLock({ $0.loadError != nil }) else { return }
    registrar.withMutation(of: self, keyPath: \.loadError) {
      status.withLock { $0.loadError = error }
    }
  }

  fileprivate func didSave(_ error: (any Error)?) {
    guard error != nil || status.withLock({ $0.saveError != nil }) else { return }
    registrar.withMutation(of: self, keyPath: \.saveError) {
      status.withLock { $0.saveError = error }
    }
  }
}

extension SharedBox where Value: Sendable {
  /// Loads the value and keeps it as the key says.
  fileprivate func connect(to key: some SharedReaderKey<Value>) {
    let persistence = SharedPersistence()
    let initialValue = stored
    let take: @Sendable (Result<Value?, any Error>) -> Void = { [weak self, weak persistence] in
      self?.take($0, orElse: initialValue)
      persistence?.didLoad($0.failure)
    }

    persistence.load = { [weak persistence] in
      persistence?.isLoading(true)
      defer { persistence?.isLoading(false) }
      try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
        key.load(
          context: .userInitiated,
          continuation: LoadContinuation { result in
            take(result)
            waiting.resume(with: result.map { _ in })
          })
      }
    }
    var save: (@Sendable (Value) -> Void)?
    if let key = key as? any SharedKey<Value> {
      save = saving(by: key, persistence)
      persistence.save = { [weak self, weak persistence] in
        try await self?.saveNow(by: key, persistence)
      }
    }
    persist(by: persistence, save: save)

    persistence.isLoading(true)
    key.load(
      context: .initialValue(initialValue),
      continuation: LoadContinuation { [weak persistence] result in
        take(result)
        persistence?.isLoading(false)
      })
    persistence.subscription = key.subscribe(
      context: .initialValue(initialValue),
      subscriber: SharedSubscriber(
        callback: take, onLoading: { [weak persistence] in persistence?.isLoading($0) }))
  }

  private func take(_ result: Result<Value?, any Error>, orElse initialValue: Value) {
    guard case .success(let value) = result else { return }
    let newValue = value ?? initialValue
    if !areEqual(stored, newValue) { replace(with: newValue) }
  }

  private func saving(
    by key: some SharedKey<Value>, _ persistence: SharedPersistence
  ) -> @Sendable (Value) -> Void {
    { [weak persistence] value in
      key.save(
        value, context: .didSet,
        continuation: SaveContinuation { [weak persistence] in persistence?.didSave($0.failure) })
    }
  }

  private func saveNow(
    by key: some SharedKey<Value>, _ persistence: SharedPersistence?
  ) async throws {
    try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
      key.save(
        stored, context: .userInitiated,
        continuation: SaveContinuation { result in
          persistence?.didSave(result.failure)
          waiting.resume(with: result)
        })
    }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
