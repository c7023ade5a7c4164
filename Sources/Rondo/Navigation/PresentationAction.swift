// The actions of a presented child.

/// An action of a presented child, or a request to dismiss the child.
public enum PresentationAction<Action>: CasePathable {
  /// A request to dismiss the presented child.
  case dismiss

  /// An action of the presented child.
  indirect case presented(Action)

  /// The case paths of a presented child's actions. The cases of the child's own action need no
  /// `presented` before them: `\.child.saveTapped`. Where the action is an enum of destinations,
  /// they also lead to the actions of the presentation of that destination: `\.destination.editor`.
  @dynamicMemberLookup
  public struct AllCasePaths: Sendable {
    /// The path to `dismiss`.
    public var dismiss: AnyCasePath<PresentationAction, Void> {
      AnyCasePath(embed: { .dismiss }) { if case .dismiss = $0 { () } else { nil } }
    }

    /// The path to the actions of the presented child.
    public var presented: AnyCasePath<PresentationAction, Action> {
      AnyCasePath(embed: { .presented($0) }) {
        if case .presented(let action) = $0 { action } else { nil }
      }
    }

    /// A case of the presented action.
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Action.AllCasePaths, AnyCasePath<Action, Member>>
    ) -> AnyCasePath<PresentationAction, Member> where Action: CasePathable {
      Action.allCasePaths[keyPath: keyPath].afterPresentation()
    }

    /// A case of the presented action, as an action of its own presentation.
    @_disfavoredOverload
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Action.AllCasePaths, AnyCasePath<Action, Member>>
    ) -> AnyCasePath<PresentationAction, PresentationAction<Member>> where Action: CasePathable {
      Action.allCasePaths[keyPath: keyPath].presented()
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Hashable where Action: Hashable {}
extension PresentationAction: Sendable where Action: Sendable {}
extension PresentationAction: Decodable where Action: Decodable {}
extension PresentationAction: Encodable where Action: Encodable {}

extension AnyCasePath {
  /// This path, from a presentation of its root.
  fileprivate func afterPresentation() -> AnyCasePath<PresentationAction<Root>, Value> {
    AnyCasePath<PresentationAction<Root>, Value>(
      embed: { .presented(embed($0)) },
      extract: { if case .presented(let action) = $0 { extract(from: action) } else { nil } })
  }

  /// This path, from a presented child's action to a presented member's.
  fileprivate func presented() -> AnyCasePath<PresentationAction<Root>, PresentationAction<Value>> {
    AnyCasePath<PresentationAction<Root>, PresentationAction<Value>>(
      embed: { action in
        switch action {
        case .dismiss: .dismiss
        case .presented(let member): .presented(embed(member))
        }
      },
      extract: { action in
        switch action {
        case .dismiss: nil
        case .presented(let action): extract(from: action).map { .presented($0) }
        }
      })
  }
}
