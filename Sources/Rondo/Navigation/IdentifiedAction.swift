// The actions of the elements of a list, as their parent sees them.

/// An action of one element among many.
///
/// ```swift
/// enum Action {
///   case rows(IdentifiedActionOf<Row>)
/// }
/// ```
public enum IdentifiedAction<ID: Hashable & Sendable, Action>: CasePathable {
  /// The element with this id has this action.
  case element(id: ID, action: Action)

  /// The case paths of an element's action. The one of a certain element is found by its id:
  /// `\.rows[id: 3].toggled`.
  public struct AllCasePaths: Sendable {
    /// The path to the actions of all rows, with their ids.
    public var element: AnyCasePath<IdentifiedAction, (id: ID, action: Action)> {
      AnyCasePath(embed: { .element(id: $0.id, action: $0.action) }) { root in
        switch root {
        case .element(let id, let action): (id, action)
        }
      }
    }

    /// The path to the actions of the row with an id.
    public subscript(id id: ID) -> AnyCasePath<IdentifiedAction, Action> {
      CasePathNames.note { "[id: \(id)]" }
      return AnyCasePath(embed: { .element(id: id, action: $0) }) { root in
        switch root {
        case .element(id, let action): action
        case .element: nil
        }
      }
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

/// The actions of the elements of a list whose reducer is this one.
public typealias IdentifiedActionOf<R: Reducer> = IdentifiedAction<R.State.ID, R.Action>
where R.State: Identifiable, R.State.ID: Sendable

extension IdentifiedAction: Equatable where Action: Equatable {}
extension IdentifiedAction: Hashable where Action: Hashable {}
extension IdentifiedAction: Sendable where Action: Sendable {}
extension IdentifiedAction: Decodable where ID: Decodable, Action: Decodable {}
extension IdentifiedAction: Encodable where ID: Encodable, Action: Encodable {}
