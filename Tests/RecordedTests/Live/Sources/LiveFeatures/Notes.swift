// Notes: a view's task that is cancelled from outside, identifiers and dates, also in texts and reckoned,
// a member that a test cannot set, and a range.

import Foundation
import Rondo

public struct Notes: Reducer {
  public struct Note: Equatable, Sendable {
    let id: UUID
    let key: String
    let text: String
    let date: Date
    let due: Date
  }

  public struct State: Equatable, Sendable {
    var notes: [Note] = []
    public var seconds = 0
    private(set) var total = 0
    var shown = 0..<0

    public init() {}

    init(notes: [Note], seconds: Int, total: Int, shown: Range<Int>) {
      self.notes = notes
      self.seconds = seconds
      self.total = total
      self.shown = shown
    }

    /// Counts a note.
    fileprivate mutating func count() {
      total += 1
      shown = 0..<total
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
      // The identifiers do not stand in the order in which they are made.
      let key = uuid().uuidString
      let now = date.now
      let note = Note(
        id: uuid(), key: "note-\(key)", text: text, date: now, due: now.addingTimeInterval(1_800))
      state.notes.insert(note, at: 0)
      state.count()
      return .run { [clock, date, uuid] send in
        // An identifier that nobody sees.
        _ = uuid()
        try await clock.sleep(for: .milliseconds(15))
        let (id, key, now) = (uuid(), uuid().uuidString.lowercased(), date.now)
        await send(
          .copied(
            Note(
              id: id, key: key, text: "\(text)'", date: now, due: now.addingTimeInterval(-60))))
      }
    case .copied(let note): state.notes.append(note)
    }
    return .none
  }
}
