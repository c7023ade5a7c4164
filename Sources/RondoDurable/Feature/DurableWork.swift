// Work that outlives its process: effects and timers as data.

import Foundation
import Rondo
import RondoScheduling

/// Work of a feature that a name stands for.
///
/// An effect `.durable("charge", charge)` is data: a name and an input. This says what is to be done, and
/// which action of the root feature answers.
///
/// ```swift
/// DurableEffect("charge") { (charge: Charge, key) in
///   try await bank.charge(charge, idempotencyKey: key)
/// } then: { charge, receipt in
///   .charged(receipt)
/// }
/// ```
public struct DurableEffect<Action: Sendable>: Sendable {
  let name: String
  let input: WorkInput
  let perform: @Sendable (_ input: Data, _ key: String) async throws -> Action
  let retry: DurableRetry
  /// The action that answers where the work is given up; `nil` where it never is.
  var failure: (@Sendable (_ input: Data, _ error: any Error) throws -> Action)?

  /// An effect with a name.
  ///
  /// - Parameters:
  ///   - name: The name, unique among the effects of its feature. It is stored, so it stays the same.
  ///   - retry: When the work is tried again after it has thrown.
  ///   - perform: The work. It runs at least once, and may run again after a crash, with the same key.
  ///   - then: The action that answers. What it carries of the outcome is recorded, once.
  public init<Input: Codable & Sendable, Outcome: Sendable>(
    _ name: DurableName<Input>, retry: DurableRetry = DurableRetry(),
    perform: @escaping @Sendable (_ input: Input, _ key: String) async throws -> Outcome,
    then: @escaping @Sendable (_ input: Input, _ outcome: Outcome) -> Action
  ) {
    self.name = name.text
    input = WorkInput(Input.self)
    self.retry = retry
    self.perform = { data, key in
      let input = try DurableCoding.decode(Input.self, from: data)
      return then(input, try await perform(input, key))
    }
  }

  /// An effect with a name that is given up after some attempts, or where an error is final.
  ///
  /// ```swift
  /// DurableEffect("charge", retry: DurableRetry(attempts: 8, timeout: .seconds(10))) { (charge: Charge, key) in
  ///   try await bank.charge(charge, idempotencyKey: key)
  /// } then: { charge, receipt in
  ///   .charged(receipt)
  /// } failed: { charge, error in
  ///   .chargeFailed(charge.id, "\(error)")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name, unique among the effects of its feature. It is stored, so it stays the same.
  ///   - retry: How often and when the work is tried again, and which errors are final.
  ///   - perform: The work. It runs at least once, and may run again after a crash, with the same key.
  ///   - then: The action that answers. What it carries of the outcome is recorded, once.
  ///   - failed: The action that answers with the last error, where the work is given up.
  public init<Input: Codable & Sendable, Outcome: Sendable>(
    _ name: DurableName<Input>, retry: DurableRetry,
    perform: @escaping @Sendable (_ input: Input, _ key: String) async throws -> Outcome,
    then: @escaping @Sendable (_ input: Input, _ outcome: Outcome) -> Action,
    failed: @escaping @Sendable (_ input: Input, _ error: any Error) -> Action
  ) {
    self.init(name, retry: retry, perform: perform, then: then)
    failure = { data, error in failed(try DurableCoding.decode(Input.self, from: data), error) }
  }
}

/// When the work of a durable effect that has failed is tried again.
public struct DurableRetry: Sendable {
  /// The number of attempts in one process after which the work is given up; `nil` never gives it up.
  public var attempts: Int?
  /// The time before the second attempt. It doubles with each attempt. Chance makes each time shorter, by up to a half.
  public var firstPause: Duration
  /// The longest time before an attempt.
  public var longestPause: Duration
  /// The time that one attempt may take. After it, its task is cancelled, and the attempt has failed.
  public var timeout: Duration?
  /// Whether an error is final, so that the work is given up at once.
  public var isFinal: @Sendable (any Error) -> Bool

  /// A policy; each parameter is the property of its name. An effect without the closure `failed` is never given up.
  public init(
    attempts: Int? = nil, firstPause: Duration = .seconds(1), longestPause: Duration = .seconds(60),
    timeout: Duration? = nil, isFinal: @escaping @Sendable (any Error) -> Bool = { _ in false }
  ) {
    self.attempts = attempts
    self.firstPause = firstPause
    self.longestPause = longestPause
    self.timeout = timeout
    self.isFinal = isFinal
  }
}

/// The error of an attempt that has taken too long.
public struct DurableTimeout: Error, Equatable, CustomStringConvertible {
  /// The time that it was given.
  public let time: Duration
  public var description: String { "it has taken longer than \(time)" }
}

/// A timer of a feature that a name stands for.
///
/// ```swift
/// DurableTimer("clock", onResume: .remaining) { (turn: Int) in .clockRanOut(turn) }
/// ```
public struct DurableTimer<Action: Sendable>: Sendable {
  let name: String
  let input: WorkInput
  let resume: TimerResume
  let action: @Sendable (_ input: Data) throws -> Action

  /// A timer with a name.
  ///
  /// - Parameters:
  ///   - name: The name, unique among the timers of its feature. It is stored, so it stays the same.
  ///   - resume: What becomes of it when another process takes the store over.
  ///   - then: The action of the root feature when it is due.
  public init<Input: Codable & Sendable>(
    _ name: DurableName<Input>, onResume resume: TimerResume,
    then: @escaping @Sendable (_ input: Input) -> Action
  ) {
    self.name = name.text
    input = WorkInput(Input.self)
    self.resume = resume
    action = { then(try DurableCoding.decode(Input.self, from: $0)) }
  }
}

/// The change of a timer when another process takes its store over.
public enum TimerResume: Sendable {
  /// It stays due at the same moment. One that has passed meanwhile is due at once.
  case deadline
  /// It is due later by the time in which nobody owned the store.
  case remaining
  /// It begins again with its whole duration.
  case restart
}

/// A request of a feature to its durable store. A test of a feature sees it by the dependency
/// `durableRequests`.
public struct DurableRequest: HostRequest, Equatable {
  /// The kind of request.
  public enum Kind: Equatable, Sendable {
    /// An effect is to be run.
    case effect
    /// A timer is to be due after some time.
    case timer(after: Duration)
    /// The work with an id is to be cancelled.
    case cancel
    /// The asker with an id gets an answer.
    case reply
  }

  /// The kind of request.
  public var kind: Kind
  /// The name of the work; empty for a cancellation and an answer.
  public var name: String
  /// The id to cancel or replace it by, if it has one, or that of the message which asks.
  public var id: String?
  /// The input, or the answer, as it encodes itself.
  public var input: Data
  /// The type of the input. It makes no difference to two requests.
  var inputType = InputType()

  /// A type that is equal to all others.
  struct InputType: Equatable, Sendable {
    var type: ObjectIdentifier?
    static func == (first: Self, second: Self) -> Bool { true }
  }

  package var label: String {
    switch kind {
    case .effect: "durable \"\(name)\""
    case .timer: "durableTimer \"\(name)\""
    case .cancel: "cancelDurable \"\(id ?? "")\""
    case .reply: "reply \"\(id ?? "")\""
    }
  }

  package func wasNotTaken() {
    @Dependency(\.durableRequests) var requests
    requests(self)
  }
}

extension Effect {
  /// Work that outlives the process: what the feature has registered under a name.
  ///
  /// The request is recorded with the action that returns it, and then carried out. The effect itself
  /// ends at once; the answer is the action that the registration makes.
  ///
  /// - Parameters:
  ///   - name: The name of a ``DurableEffect`` of the feature.
  ///   - input: What the work is given.
  ///   - id: An id to cancel it by. Work of the store that runs under the same id is replaced.
  public static func durable<Input: Codable & Sendable>(
    _ name: DurableName<Input>, _ input: Input, id: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Self {
    durable(.effect, name.text, input, id, fileID, filePath, line, column)
  }

  /// A timer that outlives the process: what the feature has registered under a name.
  ///
  /// - Parameters:
  ///   - name: The name of a ``DurableTimer`` of the feature.
  ///   - input: What its action is made of.
  ///   - id: An id to cancel it by. Work of the store that runs under the same id is replaced.
  ///   - duration: The time until it is due. A negative one is treated as zero.
  public static func durableTimer<Input: Codable & Sendable>(
    _ name: DurableName<Input>, _ input: Input, id: String? = nil, after duration: Duration,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Self {
    durable(
      .timer(after: max(duration, .zero)), name.text, input, id, fileID, filePath, line, column)
  }

  /// Ends the durable work of the store that runs under an id: its answer is not handled.
  public static func cancelDurable(id: String) -> Self {
    .request(DurableRequest(kind: .cancel, name: "", id: id, input: Data()))
  }

  private static func durable<Input: Codable & Sendable>(
    _ kind: DurableRequest.Kind, _ name: String, _ input: Input, _ id: String?,
    _ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt
  ) -> Self {
    do {
      let data = try DurableCoding.encode(input)
      var request = DurableRequest(kind: kind, name: name, id: id, input: data)
      request.inputType.type = ObjectIdentifier(Input.self)
      return .request(request)
    } catch {
      reportIssue(
        """
        The input of the durable work "\(name)" cannot be encoded: \(error). The work is not started. \
        Give it an input without numbers such as infinity.
        """, fileID: fileID, filePath: filePath, line: line, column: column)
      return .none
    }
  }
}

extension DependencyValues {
  /// Takes what a feature asks for where no durable store does: in the test of a feature. Without a
  /// value of the test's own, the request is reported.
  ///
  /// ```swift
  /// let requests = LockIsolated<[DurableRequest]>([])
  /// let store = TestStore(initialState: Order.State()) { Order() } withDependencies: {
  ///   $0.durableRequests = { request in requests.withValue { $0.append(request) } }
  /// }
  /// ```
  public var durableRequests: @Sendable (DurableRequest) -> Void {
    get { self[DurableRequestsKey.self] }
    set { self[DurableRequestsKey.self] = newValue }
  }
}

private enum DurableRequestsKey: DependencyKey {
  static let liveValue: @Sendable (DurableRequest) -> Void = { request in
    reportIssue(
      """
      A feature has returned \(request.label), and its store is not durable, so nothing is done. Run \
      the feature in DurableStores, or set the dependency 'durableRequests'.
      """)
  }
  static let testValue = liveValue
}

/// The input that work is registered for.
struct WorkInput: Sendable {
  let type: ObjectIdentifier
  let read: @Sendable (Data) throws -> Void

  init<Input: Codable & Sendable>(_ type: Input.Type) {
    self.type = ObjectIdentifier(type)
    read = { _ = try DurableCoding.decode(Input.self, from: $0) }
  }

  /// Throws where the input of a request cannot be read. One of the same type can.
  func check(_ request: DurableRequest) throws {
    if request.inputType.type != type { try read(request.input) }
  }
}

/// The coding of stored values: JSON, with the keys in order.
enum DurableCoding {
  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  private static let decoder = JSONDecoder()

  static func encode(_ value: some Encodable) throws -> Data { try encoder.encode(value) }

  static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try decoder.decode(type, from: data)
  }
}
