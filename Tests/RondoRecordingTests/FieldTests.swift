// Y22: no field of a recording is forgotten. Lines are filled field by field, whichever fields there are.

import Foundation
import Rondo
import Testing

@testable import RondoRecording

@Suite struct FieldTests {
  /// A line of each kind, with every field filled.
  private static func lines() throws -> [String: RecordingLine] {
    func filled<Line: Decodable>(_: Line.Type) throws -> Line { try Line(from: Filling()) }
    return [
      "begin": .begin(try filled(RecordingLine.Begin.self)),
      "action": .action(try filled(RecordingLine.Action.self)),
      "commit": .commit(try filled(RecordingLine.Commit.self)),
      "effectStarted": .effectStarted(try filled(RecordingLine.EffectStart.self)),
      "effectWaits": .effectWaits(try filled(RecordingLine.EffectWait.self)),
      "effectResumed": .effectResumed(try filled(RecordingLine.EffectResumption.self)),
      "emission": .emission(try filled(RecordingLine.Emission.self)),
      "effectEnded": .effectEnded(try filled(RecordingLine.EffectEnd.self)),
      "drawn": .drawn(try filled(RecordingLine.Draw.self)),
      "issue": .issue(try filled(RecordingLine.Issue.self)),
      "frame": .frame(try filled(RecordingLine.Frame.self)),
      "advance": .advance(try filled(RecordingLine.Advance.self)),
      "receive": .receive(try filled(RecordingLine.Receive.self)),
      "tool": .tool(try filled(RecordingLine.Tool.self)),
      "end": .end(try filled(RecordingLine.End.self)),
      "unknown": .unknown(event: "later"),
    ]
  }

  // Y22
  @Test func everyKindOfLineIsHere() throws {
    let cases = try #require(caseNames(of: RecordingLine.self))
    #expect(try Set(Self.lines().keys) == Set(cases))
  }

  // Y22
  @Test func everyFieldIsFilled() throws {
    for (name, line) in try Self.lines() {
      guard let fields = Mirror(reflecting: line).children.first?.value else { continue }
      for field in Mirror(reflecting: fields).children {
        let isAbsent =
          Mirror(reflecting: field.value).displayStyle == .optional
          && Mirror(reflecting: field.value).children.isEmpty
        #expect(!isAbsent, "\(name).\(field.label ?? "")")
      }
    }
  }

  // Y22
  @Test func everyFieldIsWrittenInItsOrder() throws {
    for (name, line) in try Self.lines() {
      let text = String(decoding: LineText(line).bytes, as: UTF8.self)
      #expect(
        try text == inOrder(text) + "\n",
        "Write the field of '\(name)' in 'LineText', in the order of names.")
    }
  }

  // Y22
  @Test func everyFieldIsRead() throws {
    for (name, line) in try Self.lines() {
      let text = Data(LineText(line).bytes)
      #expect(try JSONDecoder().decode(RecordingLine.self, from: text) == line, "\(name)")
    }
  }
}

/// A line as an encoder writes it: the keys of each object in order.
func inOrder(_ line: some StringProtocol) throws -> String {
  let data = try RecordingCoder.decoder.decode(RecordedData.self, from: Data(line.utf8))
  return String(decoding: try RecordingCoder.encoder.encode(data), as: UTF8.self)
}

// MARK: - Values of any type

/// Gives a value to whatever asks for one, also where there might be none.
private struct Filling: Decoder {
  var codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The values of types that a filling does not go into.
  static let known: [any (Decodable & Sendable)] = [
    RecordingLine.EffectWait.Wait.clock, RecordingLine.EffectEnd.How.failed,
    RecordingLine.Tool.Deed.letGo,
    RecordedCause.scope(action: 3), RecordedData.string("text"),
    RecordedNode(type: "Number", kind: .struct, children: [.init("value", RecordedNode("3"))]),
    true, 3, 1.5, "text",
  ]

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let value = Self.known.lazy.compactMap({ $0 as? Value }).first { return value }
    return try Value(from: self)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields<Key>(filling: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements(filling: self) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw DecodingError.dataCorrupted(
      .init(codingPath: codingPath, debugDescription: "Add a value of its type to 'Filling.known'.")
    )
  }

  struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let filling: Filling
    var codingPath: [any CodingKey] { filling.codingPath }
    var allKeys: [Key] { [] }

    private func inside(_ key: Key) -> Filling { Filling(codingPath: codingPath + [key]) }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try inside(key).value(type)
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
      inside(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
      inside(key).unkeyedContainer()
    }
    func superDecoder() -> any Decoder { filling }
    func superDecoder(forKey key: Key) -> any Decoder { inside(key) }
  }

  /// One element.
  struct Elements: UnkeyedDecodingContainer {
    let filling: Filling
    var codingPath: [any CodingKey] { filling.codingPath }
    var count: Int? { 1 }
    var isAtEnd: Bool { currentIndex == 1 }
    var currentIndex = 0

    init(filling: Filling) { self.filling = filling }

    mutating func decodeNil() -> Bool { false }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      currentIndex += 1
      return try filling.value(type)
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedDecodingContainer<Nested> {
      currentIndex += 1
      return filling.container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
      currentIndex += 1
      return filling.unkeyedContainer()
    }
    mutating func superDecoder() -> any Decoder { filling }
  }
}
