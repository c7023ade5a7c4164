// The causes of cancellations in a recording.

/// The cause that an effect was cancelled by.
///
/// As JSON: `{"action":9}`, `{"action":9,"scope":true}`, `{"effect":4}`, `"task"` or `"host"`.
public enum RecordedCause: Equatable, Sendable {
  /// An action whose effects cancel an id.
  case action(Int)
  /// An action that has removed the state of the feature which the effect belongs to.
  case scope(action: Int)
  /// An effect: its closure has cancelled an id, or an operator has had enough of it.
  case effect(Int)
  /// The task of a `send`, or other code that cancels.
  case task
  /// The host, at its end.
  case host
}

extension RecordedCause: Decodable {
  private enum CodingKeys: CodingKey {
    case action, effect, scope
  }

  public init(from decoder: any Decoder) throws {
    if let word = try? decoder.singleValueContainer().decode(String.self) {
      switch word {
      case "host": self = .host
      case "task": self = .task
      default: throw UnknownCause(word: word)
      }
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let effect = try container.decodeIfPresent(Int.self, forKey: .effect) {
      self = .effect(effect)
    } else {
      let action = try container.decode(Int.self, forKey: .action)
      let isScope = try container.decodeIfPresent(Bool.self, forKey: .scope) ?? false
      self = isScope ? .scope(action: action) : .action(action)
    }
  }
}

/// A word for a cause that this version does not know.
private struct UnknownCause: Error, CustomStringConvertible {
  let word: String

  var description: String { "the cause '\(word.prefix(40))' at by is not known" }
}
