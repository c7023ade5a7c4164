// The focus, which goes from field to field.

/// The field that gets what is typed. Tab moves on to the next one, Shift-Tab back.
///
/// ```swift
/// enum Field { case title, notes, list }
///
/// struct State { var focus = FocusRing.State(Field.title, of: [.title, .notes, .list]) }
/// enum Action { case focus(FocusRing<Field>.Action) }
///
/// Scope(state: \.focus, action: \.focus) { FocusRing() }
/// ```
///
/// `FocusState` is the name of something else in SwiftUI: a property of a view. This is a feature.
public struct FocusRing<Field: Hashable & Sendable>: Reducer, Sendable {
  /// The fields, and which of them has the focus.
  public struct State: Hashable, Sendable {
    /// The fields in the order in which the focus moves. The first follows the last one.
    public var fields: [Field]

    /// The field that has the focus.
    public var field: Field

    /// Some fields, of which one has the focus.
    public init(_ field: Field, of fields: [Field]) {
      self.field = field
      self.fields = fields
    }

    /// All fields of a type, of which one has the focus.
    public init(_ field: Field) where Field: CaseIterable {
      self.init(field, of: Array(Field.allCases))
    }
  }

  /// A movement of the focus.
  public enum Action: Hashable, Sendable, CasePathable {
    /// The next field gets it.
    case next
    /// The field before gets it.
    case previous
    /// A certain field gets it, if it is one of those.
    case focus(Field)
  }

  /// The reducer of the focus.
  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .next: state.move(by: 1)
    case .previous: state.move(by: -1)
    case .focus(let field): if state.fields.contains(field) { state.field = field }
    }
    return .none
  }
}

extension FocusRing.State {
  /// From a field that has gone the focus moves to the first one, or back to the last one.
  fileprivate mutating func move(by step: Int) {
    guard !fields.isEmpty else { return }
    let place = fields.firstIndex(of: field) ?? (step > 0 ? -1 : fields.count)
    field = fields[(place + step + fields.count) % fields.count]
  }
}

extension FocusRing.Action {
  /// Tab is ``next``, Shift-Tab is ``previous``, and any other event is none of the focus.
  public init?(_ event: TerminalEvent) {
    switch event {
    case .key(.tab): self = .next
    case .key(.backTab): self = .previous
    default: return nil
    }
  }

  /// The case paths of a movement.
  public struct AllCasePaths: Sendable {
    /// The path to `next`.
    public var next: AnyCasePath<FocusRing.Action, Void> {
      AnyCasePath(embed: { .next }) { if case .next = $0 { () } else { nil } }
    }

    /// The path to `previous`.
    public var previous: AnyCasePath<FocusRing.Action, Void> {
      AnyCasePath(embed: { .previous }) { if case .previous = $0 { () } else { nil } }
    }

    /// The path to `focus`.
    public var focus: AnyCasePath<FocusRing.Action, Field> {
      AnyCasePath(embed: { .focus($0) }) { if case .focus(let field) = $0 { field } else { nil } }
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}
