// Patterns for the actions that a test expects to receive.

/// A description of an expected action: an equal one, one of a case, or one that satisfies a
/// condition.
///
/// ```swift
/// await store.receive(inAnyOrder: .equal(.saved), .case(Action.loaded).animation(.default))
/// ```
public struct ActionPattern<Action> {
  /// The action in words, for messages.
  var description: String { expected.map { summary(of: $0) } ?? describe?() ?? "" }
  /// The description in words; `nil` if the expected action is the description.
  private let describe: (() -> String)?
  let isMatch: (Action) -> Bool
  /// The action to compare with one that does not match; `nil` if there is none.
  private(set) var expected: Action?
  /// Advice for a pattern that no action matches; `nil` if it is not known to be one.
  private let advice: () -> String?
  /// The expected transaction; `nil` if the pattern names none.
  var transaction: Transaction?

  /// The advice, if no action can match the pattern.
  var adviceIfHopeless: String? {
    expected.map(isMatch) == true ? nil : advice()
  }

  private init(
    _ description: @autoclosure @escaping () -> String,
    advice: @autoclosure @escaping () -> String? = nil,
    _ isMatch: @escaping (Action) -> Bool
  ) {
    describe = description
    self.advice = advice
    self.isMatch = isMatch
  }

  private init(
    _ expected: Action, advice: @autoclosure @escaping () -> String?,
    _ isMatch: @escaping (Action) -> Bool
  ) {
    self.expected = expected
    self.advice = advice
    describe = nil
    self.isMatch = isMatch
  }

  /// An action that is equal to the given one.
  public static func equal(_ action: Action) -> Self where Action: Equatable {
    Self(
      action,
      advice: "No action is received as this one, which is not equal to itself. Receive it by the "
        + "name of its case, or by a condition."
    ) { $0 == action }
  }

  /// An action that satisfies a condition.
  public static func matching(_ isMatch: @escaping (Action) -> Bool) -> Self {
    Self("an action that satisfies the condition", isMatch)
  }

  /// An action of a case, whatever value it carries: `.case(Action.loaded)`. A closure names a
  /// nested case: `.case { .editor(.loaded($0)) }`.
  public static func `case`<Payload>(_ embed: @escaping (Payload) -> Action) -> Self {
    let extraction = CaseExtraction(embed)
    return Self(describe(caseCarrying: Payload.self)) { extraction.extract(from: $0) != nil }
  }

  /// An action of a case, whatever it carries, by its case path.
  package static func `case`<Payload>(_ path: AnyCasePath<Action, Payload>) -> Self {
    Self(describe(caseCarrying: Payload.self)) { path.extract(from: $0) != nil }
  }

  /// An action of a case that carries a value: `.case(Action.loaded, 3)`.
  public static func `case`<Payload: Equatable>(
    _ embed: @escaping (Payload) -> Action, _ payload: Payload
  ) -> Self {
    let extraction = CaseExtraction(embed)
    return Self(
      embed(payload),
      advice:
        "No action is received as this one: in it the value is not found again. A function that "
        + "is given to 'receive' has to name a case, or cases inside of each other, and nothing else. "
        + "Use the names of the cases, or a condition."
    ) { extraction.extract(from: $0) == payload }
  }

  /// An action of the same case as the given one, whatever values they carry: `.case(.refresh)`.
  public static func `case`(_ action: Action) -> Self {
    let name = caseName(of: action)
    return Self("an action of the case .\(name ?? summary(of: action))") {
      caseName(of: $0) == name
    }
  }

  /// An action of a case, whatever it carries: `.case(\.loaded.success)`.
  public static func `case`(_ keyPath: PartialCaseName<Action>) -> Self
  where Action: CasePathable {
    Self(
      describe(keyPath),
      advice: Action.isCase(keyPath)
        ? nil
        : "No action is received by this key path, which is not the name of a case. Name one, or "
          + "use a condition."
    ) { $0.is(keyPath) }
  }

  /// An action of a case that carries a value: `.case(\.loaded.success, 3)`.
  public static func `case`<Payload: Equatable>(
    _ keyPath: CaseName<Action, Payload>, _ payload: Payload
  ) -> Self where Action: CasePathable {
    let path = Action.allCasePaths[keyPath: keyPath]
    return Self(
      path.embed(payload),
      advice: "No action is received as this one: the case path does not extract the value that it "
        + "has embedded. Correct the case path, or use a condition."
    ) { path.extract(from: $0) == payload }
  }

  private static func describe<Payload>(caseCarrying: Payload.Type) -> String {
    "an action of the given case, which carries a value of type \(Payload.self)"
  }

  private static func describe(_ keyPath: PartialCaseName<Action>) -> String
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
