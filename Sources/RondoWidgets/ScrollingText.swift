// A text that is longer than the screen.

import RondoStage

/// A text that is longer than the screen, and scrolls.
///
/// ```swift
/// struct State { var help = ScrollingText.State(manual) }
/// enum Action { case help(ScrollingText.Action) }
///
/// Scope(state: \.help, action: \.help) { ScrollingText() }
///
/// KeyMap { Forward(ScrollingText.Action.init) { .help($0) } }
/// state.help.view(in: size)
/// ```
///
/// Lines that are wider than the screen are wrapped at spaces.
public struct ScrollingText: Reducer, Sendable {
  /// A text, and the part of it that is seen.
  public struct State: Hashable, Sendable {
    /// The text.
    public var text: String { didSet { wrap() } }

    /// The room that the text is shown in. Set it when the terminal gets another size, so that the
    /// end of the text is where scrolling ends.
    public var size: TerminalSize { didSet { if size != oldValue { wrap() } } }

    /// The first line that is seen, of ``lines``.
    public private(set) var top = 0

    /// The text as it is wrapped, in a room of ``size``.
    public private(set) var lines: [String] = []

    /// A text, from its beginning.
    public init(_ text: String = "", size: TerminalSize = .standard) {
      self.text = text
      self.size = size
      wrap()
    }
  }

  /// An action of a text that scrolls.
  public enum Action: Hashable, Sendable, CasePathable {
    /// The text scrolls.
    case scroll(ScrollMove)

    /// The action of an event; `nil` if the event moves nothing. See ``ScrollMove``.
    public init?(_ event: TerminalEvent) {
      guard let move = ScrollMove(event) else { return nil }
      self = .scroll(move)
    }

    /// The case paths of the actions.
    public struct AllCasePaths: Sendable {
      /// The path to `scroll`.
      public var scroll: AnyCasePath<Action, ScrollMove> {
        AnyCasePath(embed: { .scroll($0) }) { if case .scroll(let move) = $0 { move } else { nil } }
      }
    }

    public static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  /// The reducer of a text that scrolls.
  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .scroll(let move): state.scroll(move)
    }
    return .none
  }
}

extension ScrollingText.State {
  /// Whether the end of the text is seen.
  public var isAtEnd: Bool { top >= places - 1 }

  /// The number of places that the first line of the screen can have.
  private var places: Int { max(1, lines.count - max(1, size.height) + 1) }

  fileprivate mutating func scroll(_ move: ScrollMove) {
    top = move.moved(top, page: size.height, count: places)
  }

  private mutating func wrap() {
    lines = text.wrapped(to: Self.width(in: size))
    top = min(top, places - 1)
  }

  /// The cells of a line, beside the bar at the right and a gap.
  private static func width(in size: TerminalSize) -> Int { max(1, size.width - 2) }

  /// The part of the text that is seen, with a bar at the right if there is more.
  ///
  /// In another room than ``size`` the text is wrapped anew. Its end stays where it was scrolled to
  /// the end.
  public func view(in size: TerminalSize) -> Node {
    var state = self
    state.size = size
    if isAtEnd, top > 0 { state.top = state.places - 1 }
    let shown = state.lines[state.top...].prefix(max(0, size.height))
    return Node.group {
      Node.text(shown.joined(separator: "\n"))
      Node.scrollbar(top: state.top, shown: shown.count, of: state.lines.count)
        .offset(x: Double(size.width - 1))
    }
    .fitted(in: size)
  }
}

// The lines are made of the text and would only repeat it where a state is printed.
extension ScrollingText.State: CustomDumpReflectable {
  public var customDumpMirror: Mirror {
    Mirror(self, children: ["text": text, "size": size, "top": top], displayStyle: .struct)
  }
}
