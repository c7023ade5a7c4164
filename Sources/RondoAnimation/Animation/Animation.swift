// How a change of a value is spread over time, as a value that can be described and compared.

public struct Animation: Hashable, Sendable {
  indirect enum Form: Hashable, Sendable {
    case `default`
  }

  var form: Form

  public static let `default` = Animation(form: .default)
}

extension Animation: CustomStringConvertible {
  public var description: String { ".default" }
}
