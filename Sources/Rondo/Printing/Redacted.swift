// Values that are kept out of what the library prints.

import RondoAnimation

/// Keeps a value out of recordings, messages and all other text that the library makes.
///
/// ```swift
/// struct State: Equatable {
///   @Redacted var password = ""
/// }
///
/// enum Action {
///   case passwordChanged(Redacted<String>)
/// }
/// ```
///
/// It is printed as `<redacted>`, by the library and by `print`, `dump` and mirrors. It is equal,
/// hashed, encoded and decoded as the value is; only a recording does not encode it.
@propertyWrapper
public struct Redacted<Value> {
  /// The value itself.
  public var wrappedValue: Value

  /// A value that is not to be printed.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// A value that is kept out of text, for members and payloads that cannot have a wrapper.
  public init(_ value: Value) {
    wrappedValue = value
  }
}

extension Redacted: Sendable where Value: Sendable {}
extension Redacted: Equatable where Value: Equatable {}
extension Redacted: Hashable where Value: Hashable {}

extension Redacted: Encodable where Value: Encodable {
  /// Encodes the value. In a recording it throws, so that nothing around the value is encoded either.
  public func encode(to encoder: any Encoder) throws {
    if RedactedEncoding.isRefused { throw RedactedEncoding.Refusal() }
    try wrappedValue.encode(to: encoder)
  }
}

extension Redacted: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    wrappedValue = try Value(from: decoder)
  }
}

extension Redacted: CustomDumpStringConvertible {
  public var customDumpDescription: String { redactedText }
}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { redactedText }
  public var debugDescription: String { redactedText }
}

extension Redacted: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The text in place of a redacted value.
package let redactedText = "<redacted>"

/// The refusal to encode redacted values, in recordings.
package enum RedactedEncoding {
  struct Refusal: Error {}

  private static var ofThread: ThreadLocal<Bool> { ThreadLocal(\.refusesRedacted) }

  static var isRefused: Bool { ofThread.current }

  /// Runs code in which redacted values cannot be encoded.
  package static func refused<Result>(_ body: () throws -> Result) rethrows -> Result {
    try ofThread.with(true, body)
  }
}
