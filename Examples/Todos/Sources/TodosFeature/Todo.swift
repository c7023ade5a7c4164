// One row of the list.

import Foundation
import Rondo

/// A to-do. Its title and its check mark are bound to the controls of its row.
@Reducer
public struct Todo: Sendable {
  @ObservableState
  public struct State: Equatable, Identifiable, Sendable {
    public let id: UUID
    public var title: String
    public var isCompleted: Bool

    public init(id: UUID, title: String = "", isCompleted: Bool = false) {
      self.id = id
      self.title = title
      self.isCompleted = isCompleted
    }
  }

  public enum Action: BindableAction, Equatable, Sendable {
    case binding(BindingAction<State>)
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    BindingReducer()
  }
}
