// Which action a test expects to receive.

/// A description of an expected action: an equal one, one of a case, or one that satisfies a
/// condition.
///
/// ```swift
/// await store.receive(inAnyOrder: .equal(.saved), .case(Action.loaded).animation(.default))
/// ```
public struct ActionPattern<Action> {
  /// The action in words, for messages.
  var description: String { expected.map { summary(of: $0) } ?? describe?() ?? "" }
  /// `nil` where the expected action says it.
  private let describe: (() -> String)?
  let isMatch: (Action) -> Bool
  /// What an action that does not match has to be compared with; `nil` where there is nothing.
  private(set) var expected: Action?
  /// `nil` where nothing is said.
  var transaction: Transaction?

  private init(
    _ description: @autoclosure @escaping () -> String, _ isMatch: @escaping (Action) -> Bool
  ) {
    describe = description
    self.isMatch = isMatch
  }

  private init(_ expected: Action, _ isMatch: @escaping (Action) -> Bool) {
    self.expected = expected
    describe = nil
    self.isMatch = isMatch
  }

  /// An action that is equal to the given one.
  public static func equal(_ action: Action) -> Self where Action: Equatable {
    Self(action) { $0 == action }
  }

  /// An action that satisfies a condition.
  public static func matching(_ isMatch: @escaping (Action) -> Bool) -> Self {
    Self("an action that satisfies the condition", isMatch)
  }

  /// An action of a case, whatever it carries: `.case(Action.loaded)`.
  public static func `case`<Payload>(_ embed: @escaping (Payload) -> Action) -> Self {
    let extraction = CaseExtraction(embed)
    return Self("an action of the given case") { extraction.extract(from: $0) != nil }
  }

  /// An action of a case that carries a value: `.case(Action.loaded, 3)`.
  public static func `case`<Payload: Equatable>(
    _ embed: @escaping (Payload) -> Action, _ payload: Payload
  ) -> Self {
    let extraction = CaseExtraction(embed)
    return Self(embed(payload)) { extraction.extract(from: $0) == payload }
  }

  /// An action of the case of the given one, whatever either carries: `.case(.refresh)`.
  public static func `case`(_ action: Action) -> Self {
    let name = caseName(of: action)
    return Self("an action of the case .\(name ?? summary(of: action))") {
      caseName(of: $0) == name
    }
  }

  /// An action of a case, whatever it carries: `.case(\.loaded.success)`.
  public static func `case`(_ keyPath: PartialCaseKeyPath<Action>) -> Self
  where Action: CasePathable {
    Self(describe(keyPath)) { $0.is(keyPath) }
  }

  /// An action of a case that carries a value: `.case(\.loaded.success, 3)`.
  public static func `case`<Payload: Equatable>(
    _ keyPath: CaseKeyPath<Action, Payload>, _ payload: Payload
  ) -> Self where Action: CasePathable {
    let path = Action.allCasePaths[keyPath: keyPath]
    return Self(path.embed(payload)) { path.extract(from: $0) == payload }
  }

  private static func describe(_ keyPath: PartialCaseKeyPath<Action>) -> String
  where Action: CasePathable {
    if let action = Action.value(of: keyPath) { return summary(of: action) }
    return "an action of the case \(Action.name(of: keyPath) ?? "that is given")"
  }

  /// The same action, shown with an animation.
  public func animation(_ animation: Animation?) -> Self {
    transaction(Transaction(animation: animation))
  }

  /// The same action, with a transaction.
  public func transaction(_ transaction: Transaction) -> Self {
    var pattern = self
    pattern.transaction = transaction
    return pattern
  }
}
