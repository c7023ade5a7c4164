// Encoded values inside of a recording.

import Foundation

/// The encoded form of a value: any JSON.
public enum RecordedData: Equatable, Sendable {
  /// The value `null`.
  case null
  /// The value `true` or `false`.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A whole number that is too great for `integer`.
  case unsigned(UInt64)
  /// A number with a fraction.
  case number(Double)
  /// A number with more digits than `number` has.
  case decimal(Decimal)
  /// A text.
  case string(String)
  /// A list.
  case array([RecordedData])
  /// An object; the order of its members is not kept.
  case object([String: RecordedData])
}

extension RecordedData: Codable {
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      var object: [String: RecordedData] = [:]
      for key in container.allKeys {
        object[key.stringValue] = try container.decode(RecordedData.self, forKey: key)
      }
      self = .object(object)
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var array: [RecordedData] = []
      while !container.isAtEnd { array.append(try container.decode(RecordedData.self)) }
      self = .array(array)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self),
      value != 0 || (try? container.decode(Double.self))?.sign != .minus
    {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self), value > 0 {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      let decimal = try? container.decode(Decimal.self)
      let isExact = decimal == nil || decimal == Decimal(string: "\(value)")
      self = isExact ? .number(value) : .decimal(decimal ?? 0)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let object):
      var container = encoder.container(keyedBy: Key.self)
      for (key, value) in object { try container.encode(value, forKey: Key(stringValue: key)) }
    case .array(let array):
      var container = encoder.unkeyedContainer()
      for value in array { try container.encode(value) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .unsigned(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .decimal(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      case .null, .array, .object: try container.encodeNil()
      }
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) {
      return nil
    }
  }
}

extension RecordedData {
  /// The encoded form of a value.
  init(encoding value: some Encodable) throws {
    self = try RecordingCoder.decoder.decode(
      RecordedData.self, from: RecordingCoder.encoder.encode(value))
  }

  /// The value that this is the encoded form of.
  ///
  /// - Throws: `DecodingError` where it is that of another type.
  public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try RecordingCoder.decoder.decode(type, from: RecordingCoder.encoder.encode(self))
  }
}

/// The JSON of recordings.
enum RecordingCoder {
  static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }()

  static let decoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }()
}
