// Names of durable work, with the type of its input; and the check that they are registered.

import Rondo
import RondoScheduling

/// The name of an effect or a timer, with the type of its input.
///
/// A constant is written once, so that the compiler sees that an effect and its registration have the same name and the
/// same input:
///
/// ```swift
/// extension DurableName<Charge> {
///   static let charge = Self("charge")
/// }
///
/// return .durable(.charge, charge)
/// DurableEffect(.charge) { charge, key in … } then: { … }
/// ```
///
/// A text between quotation marks is a name, too.
public struct DurableName<Input: Codable & Sendable>: Hashable, Sendable,
  ExpressibleByStringLiteral
{
  /// The text of the name, which is stored.
  public let text: String

  /// A name. It is stored, so it stays the same.
  public init(_ text: String) {
    self.text = text
  }

  public init(stringLiteral text: String) {
    self.text = text
  }
}

/// A name that a feature uses.
struct UsedName: Sendable {
  var text: String
  var input: ObjectIdentifier
  var inputWords: String
}

extension DurableFeature {
  /// Lists the names that the reducer and its children use. One that is not registered is reported when the stores are
  /// made, and not when an action starts its work.
  ///
  /// ```swift
  /// DurableFeature("order", initialState: { _ in Order.State() }) { Order() } work: { … }
  ///   .uses(.charge, .reminder)
  /// ```
  ///
  /// - Parameter names: The names of effects and timers, all of them.
  public func uses<each Input>(_ names: repeat DurableName<each Input>) -> Self {
    var copy = self
    for name in repeat each names { copy.usedNames.append(UsedName(name)) }
    return copy
  }

  /// The mistakes in the names of the work, each in one line.
  var mistakes: [String] {
    var mistakes: [String] = []
    for (kind, names) in [
      ("effect", listed.effects.map(\.name)), ("timer", listed.timers.map(\.name)),
    ] {
      let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
        if name.isEmpty {
          mistakes.append(
            "\(kind == "effect" ? "An" : "A") \(kind) of '\(self.kind)' has an empty name. Give it one that stays the "
              + "same.")
        } else if count > 1 {
          mistakes.append(
            "\(count) \(kind)s of '\(self.kind)' have the name \"\(name)\", and only the last one is used. Give each "
              + "a name of its own.")
        }
      }
    }
    for name in usedNames {
      let inputs = [effects[name.text]?.input, timers[name.text]?.input].compactMap { $0 }
      if inputs.isEmpty {
        mistakes.append(
          "'\(kind)' uses the name \"\(name.text)\", and neither an effect nor a timer is registered under it. Add a "
            + "DurableEffect or a DurableTimer of this name.")
      } else if !inputs.contains(where: { $0.type == name.input }) {
        mistakes.append(
          "'\(kind)' uses the name \"\(name.text)\" with an input of type \(name.inputWords), and it is registered for "
            + "another type. Use one constant for both.")
      }
    }
    return mistakes
  }

  /// Reports what is wrong with the names of the work.
  func reportMistakes() {
    for mistake in mistakes {
      reportIssue(
        mistake, fileID: position.fileID, filePath: position.filePath, line: position.line,
        column: position.column)
    }
  }

  /// Throws where work that an action starts is registered, and would not be able to read its input.
  func check(_ request: DurableRequest) throws(UnreadableInput) {
    let input =
      switch request.kind {
      case .effect: effects[request.name]?.input
      case .timer: timers[request.name]?.input
      case .cancel, .reply: nil as WorkInput?
      }
    do {
      try input?.check(request)
    } catch {
      throw UnreadableInput(name: request.name, reason: "\(error)")
    }
  }
}

/// The error of a turn that starts work which cannot read its input.
struct UnreadableInput: Error, CustomStringConvertible {
  var name: String
  var reason: String

  var description: String {
    "it starts the work \"\(name)\" with an input that its registration cannot read: \(reason)"
  }
}

extension UsedName {
  fileprivate init<Input>(_ name: DurableName<Input>) {
    self.init(
      text: name.text, input: ObjectIdentifier(Input.self),
      inputWords: String(describing: Input.self))
  }
}
