// A widget of GTK at a place of the stage.

import RondoStage

/// A widget of GTK, in the place and with the opacity that the stage gives it.
///
/// ```swift
/// Control(id: "solo", .button("Solo"), action: Action.soloTapped)
///   .frame(x: 16, y: 400, width: 120, height: 36)
/// ```
///
/// The widget is GTK's own: it has the focus, follows the keyboard and the style, and is known to screen
/// readers. It lives for as long as a control with its id is on the stage.
public nonisolated struct Control<Action: Equatable & Sendable>: Shape {
  public typealias AnimatableData = EmptyAnimatableData

  /// The kind of a widget.
  public enum Kind: Equatable, Sendable {
    /// A button with a title.
    case button(String)
    /// A button without a look of its own, over something that the stage draws. The label is for
    /// screen readers.
    case area(String)
    /// A field with a text that can be changed, and what it says while there is none.
    case field(String, placeholder: String)
  }

  /// The control, among all on the stage.
  public let id: String
  public let kind: Kind
  /// The action of a click; `nil` for a field.
  public let action: Action?
  /// Whether it can be used.
  public var isEnabled: Bool

  /// A control.
  public init(id: String, _ kind: Kind, action: Action? = nil, isEnabled: Bool = true) {
    self.id = id
    self.kind = kind
    self.action = action
    self.isEnabled = isEnabled
  }
}

/// A shape that is a text, which may be another one in every frame: a number that rolls.
public nonisolated protocol TextShape: Shape {
  /// The text at this moment.
  var text: String { get }
}

/// A whole number that rolls to its new value.
public nonisolated struct RollingNumber: TextShape {
  public var animatableData: Double
  /// Text behind the number.
  public var suffix: String

  /// A number.
  public init(_ number: Int, suffix: String = "") {
    animatableData = Double(number)
    self.suffix = suffix
  }

  public var text: String {
    let number = animatableData.rounded()
    return (abs(number) < 1e15 ? "\(Int(number))" : "\(number)") + suffix
  }
}
