// Loading and saving of a shared value, and the errors of both.

import Foundation
import Observation
import RondoAnimation
import RondoScheduling
import Synchronization

/// Loading and saving of a shared value, and the errors of both.
final class SharedPersistence: Observable, @unchecked Sendable {
  // @unchecked: `status` is behind a lock; the rest is set before anybody else has the object.

  private struct Status {
    var isLoading = false
    var loadError: (any Error)?
    var saveError: (any Error)?
    var reports: Set<String> = []
  }

  /// Held while the value is saved.
  let saving = NSRecursiveLock()
  /// The work to do after `saving` is unlocked. `saving` protects this array.
  private var afterwards: [@Sendable () -> Void] = []
  private static var outermost: ThreadLocalObject<SharedPersistence> {
    ThreadLocalObject(\.sharedSaving)
  }
  private let registrar = ChangeRegistrar()
  private let status = Mutex(Status())
  private let words: any SharedKeyWords
  /// Whether errors are reported. In tests they are to be asserted, by `loadError` and `saveError`.
  private let isLive = DependencyValues.current.context == .live
  /// The first declaration of the value, which is blamed for what goes wrong.
  fileprivate let declaration: SourcePosition
  fileprivate(set) var subscription: SharedSubscription?
  fileprivate(set) var load: (@Sendable () async throws -> Void) = {}
  fileprivate(set) var save: (@Sendable () async throws -> Void) = {}

  fileprivate init(_ key: some SharedReaderKey, _ declaration: SourcePosition) {
    self.declaration = declaration
    words = key as? any SharedKeyWords ?? KeyWords(key: "\(key)")
  }

  /// Runs a body that saves the value, in the lock.
  func whileSaving<Result>(_ body: () throws -> Result) rethrows -> Result {
    saving.lock()
    let outermost = Self.outermost.current ?? self
    defer {
      let afterwards = outermost === self ? exchange(&afterwards, with: []) : []
      saving.unlock()
      for work in afterwards { work() }
    }
    return try Self.outermost.with(outermost, body)
  }

  /// Does something for other values: now, or when this thread has given back the locks of the values
  /// that it saves. Another thread may hold the lock of another value, and wait for one of these.
  static func afterSaving(_ work: @escaping @Sendable () -> Void) {
    guard let outermost = outermost.current else { return work() }
    outermost.afterwards.append(work)
  }

  var isLoading: Bool {
    registrar.willRead(self, \.isLoading)
    return status.withLock { $0.isLoading }
  }

  var loadError: (any Error)? {
    registrar.willRead(self, \.loadError)
    return status.withLock { $0.loadError }
  }

  var saveError: (any Error)? {
    registrar.willRead(self, \.saveError)
    return status.withLock { $0.saveError }
  }

  /// Notifies the observers of loading, of saving and of their errors.
  func wake() {
    registrar.didChange(self, \.isLoading)
    registrar.didChange(self, \.loadError)
    registrar.didChange(self, \.saveError)
  }

  fileprivate func setLoading(_ isLoading: Bool) {
    let isNew = status.withLock { exchange(&$0.isLoading, with: isLoading) != isLoading }
    if isNew { registrar.didChange(self, \.isLoading) }
  }

  fileprivate func didLoad(_ error: (any Error)?) {
    setLoading(false)
    setLoadError(error)
    if let error { report(words.words(forLoading: error)) }
  }

  fileprivate func didSave(_ error: (any Error)?) {
    setSaveError(error)
    if let error {
      report(words.words(forSaving: error))
    } else {
      // The file that could not be read has been replaced.
      setLoadError(nil)
      status.withLock { $0.reports = [] }
    }
  }

  private func setLoadError(_ error: (any Error)?) {
    // The error before is released outside of the lock.
    let before = status.withLock { exchange(&$0.loadError, with: error) }
    if error != nil || before != nil { registrar.didChange(self, \.loadError) }
  }

  private func setSaveError(_ error: (any Error)?) {
    let before = status.withLock { exchange(&$0.saveError, with: error) }
    if error != nil || before != nil { registrar.didChange(self, \.saveError) }
  }

  /// Reports an error of a live program, once until it has been put right.
  private func report(_ message: String) {
    guard isLive, status.withLock({ $0.reports.insert(message).inserted }) else { return }
    reportIssue(message, at: declaration)
  }
}

/// A key that has its own messages about its errors.
protocol SharedKeyWords: Sendable {
  func words(forLoading error: any Error) -> String
  func words(forSaving error: any Error) -> String
}

struct KeyWords: SharedKeyWords {
  let key: String

  func words(forLoading error: any Error) -> String {
    "\(key) could not be loaded: \(ErrorText.of(error))."
  }

  func words(forSaving error: any Error) -> String {
    "\(key) could not be saved: \(ErrorText.of(error)). The value is kept in memory."
  }
}

extension _SharedKeyDefault: SharedKeyWords {
  private var words: any SharedKeyWords {
    base as? any SharedKeyWords ?? KeyWords(key: "\(base)")
  }

  func words(forLoading error: any Error) -> String { words.words(forLoading: error) }
  func words(forSaving error: any Error) -> String { words.words(forSaving: error) }
}

// MARK: - Connecting a value with its key

extension SharedBox where Value: Sendable {
  /// Loads the value and keeps it as the key says.
  ///
  /// - Parameters:
  ///   - isLoaded: Whether the key has just loaded the value.
  ///   - declaration: The place to blame for what goes wrong.
  func connect(
    to key: some SharedReaderKey<Value>, isLoaded: Bool, _ declaration: SourcePosition
  ) {
    let persistence = SharedPersistence(key, declaration)
    let initialValue = stored
    let take: @Sendable (Result<Value?, any Error>) -> Void = { [weak self, weak persistence] in
      self?.take($0, orElse: initialValue)
      persistence?.didLoad($0.failure)
    }

    persistence.load = { [weak persistence] in
      persistence?.setLoading(true)
      defer { persistence?.setLoading(false) }
      try await answer { answer in
        key.load(
          context: .userInitiated,
          continuation: LoadContinuation("\(key)", declaration) { result in
            take(result)
            answer(result.map { _ in })
          } onLeak: {
            answer(.success(()))
          })
      }
    }
    var save: (@Sendable (Value) -> Void)?
    if let key = key as? any SharedKey<Value> {
      save = saving(by: key, persistence)
      persistence.save = { [weak self, weak persistence] in
        guard let self, let persistence else { return }
        try await saveNow(by: key, persistence)
      }
    }
    persist(by: persistence, save: save)

    if !isLoaded {
      persistence.setLoading(true)
      key.load(
        context: .initialValue(initialValue),
        continuation: LoadContinuation("\(key)", declaration, callback: take) {
          [weak persistence] in
          persistence?.setLoading(false)
        })
    }
    persistence.subscription = key.subscribe(
      context: isLoaded ? .userInitiated : .initialValue(initialValue),
      subscriber: SharedSubscriber(
        callback: take, onLoading: { [weak persistence] in persistence?.setLoading($0) }))
  }

  private func take(_ result: Result<Value?, any Error>, orElse initialValue: Value) {
    guard case .success(let value) = result else { return }
    replace(with: value ?? initialValue)
  }

  private func saving(
    by key: some SharedKey<Value>, _ persistence: SharedPersistence
  ) -> @Sendable (Value) -> Void {
    { [weak persistence, declaration = persistence.declaration] value in
      let didSave: @Sendable (Result<Void, any Error>) -> Void = { [weak persistence] in
        persistence?.didSave($0.failure)
      }
      key.save(
        value, context: .didSet,
        continuation: SaveContinuation(
          "\(key)", declaration, later: didSave, callback: didSave, onLeak: {}))
    }
  }

  private func saveNow(
    by key: some SharedKey<Value>, _ persistence: SharedPersistence
  ) async throws {
    try await answer { answer in
      // The value is read under the lock, so that no older value is saved after a newer one.
      persistence.whileSaving {
        key.save(
          stored, context: .userInitiated,
          continuation: SaveContinuation("\(key)", persistence.declaration) {
            persistence.didSave($0.failure)
          } callback: { result in
            persistence.didSave(result.failure)
            answer(result)
          } onLeak: {
            answer(.success(()))
          })
      }
    }
  }
}

/// Waits until a key has answered, or the task is cancelled.
private func answer(
  to request: (_ answer: @escaping @Sendable (Result<Void, any Error>) -> Void) -> Void
) async throws {
  let waiting = LockIsolated<CheckedContinuation<Void, any Error>?>(nil)
  let answer: @Sendable (Result<Void, any Error>) -> Void = { result in
    waiting.withLock { $0.take() }?.resume(with: result)
  }
  try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      waiting.withLock { $0 = continuation }
      request(answer)
      if Task.isCancelled { answer(.failure(CancellationError())) }
    }
  } onCancel: {
    answer(.failure(CancellationError()))
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
