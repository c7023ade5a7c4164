// A frame of a screen in a recording.

extension RecordingLine {
  /// A frame that a screen of text has shown, as the difference from the frame before. The first
  /// frame, and one of another size than the one before, is the difference from an empty screen.
  public struct Frame: Decodable, Equatable, Sendable {
    /// The time of the frame, in seconds since the beginning.
    public var at: Double
    /// The number of columns of the screen.
    public var columns: Int
    /// The number of rows of the screen.
    public var rows: Int
    /// The cells that differ.
    public var cells: [Run]

    /// Cells side by side, in the same colours.
    public struct Run: Decodable, Equatable, Sendable {
      /// The row, from 0.
      public var row: Int
      /// The first column, from 0.
      public var column: Int
      /// The characters, one to a cell. A character of two cells has a run of its own.
      public var text: String
      /// Whether the only character takes two cells; `nil` where it does not.
      public var isWide: Bool?
      /// The colour of the characters as `#rrggbb`; `nil` for that of the screen.
      public var foreground: String?
      /// The colour behind them as `#rrggbb`; `nil` for that of the screen.
      public var background: String?

      private enum CodingKeys: String, CodingKey {
        case row, column, text, foreground, background
        case isWide = "wide"
      }

      /// A run of cells; each parameter is the property of its name.
      public init(
        row: Int, column: Int, text: String, isWide: Bool = false, foreground: String? = nil,
        background: String? = nil
      ) {
        self.row = row
        self.column = column
        self.text = text
        self.isWide = isWide ? true : nil
        self.foreground = foreground
        self.background = background
      }
    }

    /// A frame; each parameter is the property of its name.
    public init(at: Double, columns: Int, rows: Int, cells: [Run]) {
      self.at = at
      self.columns = columns
      self.rows = rows
      self.cells = cells
    }
  }
}
