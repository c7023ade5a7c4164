// The actions of the features on a stack, as their parent sees them.

/// An action of a feature on a stack, or the wish that the stack be another.
public enum StackAction<State, Action>: CasePathable {
  /// The element with this id has this action.
  indirect case element(id: StackElementID, action: Action)

  /// The element with this id is to be removed, with all that lie above it.
  case popFrom(id: StackElementID)

  /// A feature is to be added on top, under this id.
  case push(id: StackElementID, state: State)

  /// The case paths of a stack's actions. The one of a certain element is found by its id:
  /// `\.path[id: 0].detail.closed`.
  public struct AllCasePaths: Sendable {
    /// The path to the actions of all elements, with their ids.
    public var element: AnyCasePath<StackAction, (id: StackElementID, action: Action)> {
      AnyCasePath(embed: { .element(id: $0.id, action: $0.action) }) {
        if case .element(let id, let action) = $0 { (id, action) } else { nil }
      }
    }

    /// The path to `popFrom`, with the id of the element.
    public var popFrom: AnyCasePath<StackAction, StackElementID> {
      AnyCasePath(embed: { .popFrom(id: $0) }) {
        if case .popFrom(let id) = $0 { id } else { nil }
      }
    }

    /// The path to `push`, with the id and state of the new element.
    public var push: AnyCasePath<StackAction, (id: StackElementID, state: State)> {
      AnyCasePath(embed: { .push(id: $0.id, state: $0.state) }) {
        if case .push(let id, let state) = $0 { (id, state) } else { nil }
      }
    }

    /// The path to the actions of the element with an id.
    public subscript(id id: StackElementID) -> AnyCasePath<StackAction, Action> {
      CasePathNames.note { "[id: \(id.number)]" }
      return AnyCasePath(embed: { .element(id: id, action: $0) }) {
        if case .element(id, let action) = $0 { action } else { nil }
      }
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

/// The actions of a stack of features whose reducer is this one.
public typealias StackActionOf<R: Reducer> = StackAction<R.State, R.Action>

extension StackAction: Equatable where State: Equatable, Action: Equatable {}
extension StackAction: Hashable where State: Hashable, Action: Hashable {}
extension StackAction: Sendable where State: Sendable, Action: Sendable {}
extension StackAction: Decodable where State: Decodable, Action: Decodable {}
extension StackAction: Encodable where State: Encodable, Action: Encodable {}
