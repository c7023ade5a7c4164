// Text that a state may hold.

import Foundation

/// A text with its emphasis, as a value that can be compared.
///
/// ```swift
/// TextState("Delete ") + TextState(name).bold() + TextState("?")
/// ```
public struct TextState: Hashable, Sendable {
  /// An emphasis of a piece of text.
  public enum Emphasis: String, Hashable, Sendable, Codable {
    /// Bold text.
    case bold
    /// Italic text.
    case italic
    /// Underlined text.
    case underline
    /// Text that is struck through.
    case strikethrough
    /// Text whose characters are equally wide.
    case monospaced
  }

  /// A piece of the text with one set of emphases.
  public struct Run: Hashable, Sendable, Codable {
    /// The characters.
    public var text: String
    /// The ways in which they are set apart.
    public var emphasis: Set<Emphasis>
  }

  /// The pieces, in order.
  public private(set) var runs: [Run]

  /// A plain text.
  public init(_ content: some StringProtocol) {
    runs = [Run(text: String(content), emphasis: [])]
  }

  /// A plain text, which is not translated.
  public init(verbatim content: String) {
    self.init(content)
  }

  /// The text that a bundle has for a key, or the key itself if it has none.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - tableName: The table to look in, `Localizable` if there is no name.
  ///   - bundle: The bundle with the table, by default the main bundle.
  ///   - comment: The purpose of the text, for its translator. The running program does not use it.
  @_disfavoredOverload
  public init(
    _ key: String, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
  ) {
    self.init((bundle ?? .main).localizedString(forKey: key, value: nil, table: tableName))
  }

  /// Two texts, one after the other.
  public static func + (lhs: Self, rhs: Self) -> Self {
    var sum = lhs
    sum.runs += rhs.runs
    return sum
  }

  /// The same text in bold.
  public func bold() -> Self { emphasized(.bold) }
  /// The same text in italic.
  public func italic() -> Self { emphasized(.italic) }
  /// The same text, underlined.
  public func underline() -> Self { emphasized(.underline) }
  /// The same text, struck through.
  public func strikethrough() -> Self { emphasized(.strikethrough) }
  /// The same text with characters that are equally wide.
  public func monospaced() -> Self { emphasized(.monospaced) }

  private func emphasized(_ emphasis: Emphasis) -> Self {
    var text = self
    for index in text.runs.indices { text.runs[index].emphasis.insert(emphasis) }
    return text
  }
}

extension TextState: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension TextState: Codable {}

extension TextState: CustomStringConvertible {
  /// The text without its emphasis.
  public var description: String { runs.map(\.text).joined() }
}

extension TextState: CustomDumpRepresentable {
  /// A plain text is printed as one.
  public var customDumpValue: Any {
    runs.allSatisfy(\.emphasis.isEmpty) ? description : runs
  }
}

extension String {
  /// A text without its emphasis.
  public init(state: TextState) {
    self = state.description
  }
}
