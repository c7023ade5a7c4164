// Notes: a view's task that is cancelled from outside, identifiers and dates.

import Foundation
import Rondo

public struct Notes: Reducer {
  public struct Note: Equatable, Sendable {
    let id: UUID
    let text: String
    let date: Date
  }

  public struct State: Equatable, Sendable {
    var notes: [Note] = []
    public var seconds = 0

    public init() {}

    init(notes: [Note], seconds: Int) {
      self.notes = notes
      self.seconds = seconds
    }
  }

  public enum Action: Equatable, Sendable {
    case task
    case ticked
    case added(String)
    case copied(Note)
  }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.date) var date
  @Dependency(\.uuid) var uuid

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .task:
      return .run { [clock] send in
        while true {
          try await clock.sleep(for: .milliseconds(40))
          await send(.ticked)
        }
      }
    case .ticked: state.seconds += 1
    case .added(let text):
      state.notes.insert(Note(id: uuid(), text: text, date: date.now), at: 0)
      return .run { [clock, date, uuid] send in
        try await clock.sleep(for: .milliseconds(15))
        await send(.copied(Note(id: uuid(), text: "\(text)'", date: date.now)))
      }
    case .copied(let note): state.notes.append(note)
    }
    return .none
  }
}
