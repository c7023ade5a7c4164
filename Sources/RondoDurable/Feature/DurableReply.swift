// Answers: what a reducer tells one who has asked.

import Foundation
import Rondo
import RondoScheduling

/// The address of one who waits for an answer: a part of the action that asks.
///
/// ```swift
/// enum Action: Codable {
///   case place(Order, DurableReply<Receipt>)
/// }
///
/// case .place(let order, let reply):
///   return .reply(reply, Receipt(order))
///
/// let receipt = try await orders["order-17"].ask(timeout: .seconds(5)) { .place(order, $0) }
/// ```
///
/// It encodes itself as a text, so it may be kept in the state, or be a part of the input of an effect, and be answered in
/// a later turn.
public struct DurableReply<Value: Codable & Sendable>: Hashable, Codable, Sendable {
  /// The id of the message that asks.
  public let id: String

  /// The address of who asks by a message. A test of a feature makes one.
  public init(id: String) {
    self.id = id
  }

  public init(from decoder: any Decoder) throws {
    id = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

extension Effect {
  /// Answers one who has asked. The answer is written with the turn, so it outlives the process; the first one counts.
  ///
  /// - Parameters:
  ///   - reply: Who has asked.
  ///   - value: The answer.
  public static func reply<Value>(
    _ reply: DurableReply<Value>, _ value: Value,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Self {
    do {
      let data = try DurableCoding.encode(value)
      return .request(DurableRequest(kind: .reply, name: "", id: reply.id, input: data))
    } catch {
      reportIssue(
        """
        The answer to "\(reply.id)" cannot be encoded: \(error). It is not given. Give it a value without numbers such \
        as infinity.
        """, fileID: fileID, filePath: filePath, line: line, column: column)
      return .none
    }
  }
}
