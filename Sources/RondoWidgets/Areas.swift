// Rows and columns that share a room.

import RondoStage

/// A part of a room, with its extent and its content.
///
/// ```swift
/// Node.rows(in: size) {
///   Area(.fixed(1)) { _ in Node.text("Tasks") }
///   Area(.flexible(minimum: 1)) { state.list.view(state.tasks, in: $0) { … } }
///   Area(.fixed(1)) { state.keys.helpLine(in: $0) }
/// }
/// ```
public struct Area {
  /// The extent of a part, in rows or columns.
  public struct Extent: Hashable, Sendable {
    var minimum: Int
    var maximum: Int
    var weight: Int

    /// Exactly so much.
    public static func fixed(_ count: Int) -> Extent {
      let count = bounded(count)
      return Extent(minimum: count, maximum: count, weight: 0)
    }

    /// A share of what is left.
    ///
    /// - Parameters:
    ///   - weight: The size of the share, compared with the others.
    ///   - minimum: The least that it takes.
    ///   - maximum: The most that it takes.
    public static func flexible(
      _ weight: Int = 1, minimum: Int = 0, maximum: Int = .max
    ) -> Extent {
      let minimum = bounded(minimum)
      return Extent(
        minimum: minimum, maximum: max(minimum, bounded(maximum)), weight: max(1, bounded(weight)))
    }

    /// No room is larger, and products of two such numbers are not too large.
    private static func bounded(_ count: Int) -> Int { min(max(0, count), 1 << 16) }
  }

  let extent: Extent
  let content: (TerminalSize) -> Node

  /// A part of a room.
  ///
  /// - Parameters:
  ///   - extent: The rows or columns that it takes.
  ///   - content: Makes the node in it, with the room that it has. Nothing outside of that room is
  ///     seen.
  public init(_ extent: Extent = .flexible(), content: @escaping (TerminalSize) -> some View) {
    self.extent = extent
    self.content = { content($0).node }
  }
}

extension Area.Extent {
  /// Divides a length.
  ///
  /// What is left by the fixed parts is shared by weight. A part whose share is too small or too
  /// large for it has its least or its most, and the others share the rest. Cells that are left
  /// over by rounding go to the first ones. Where there is less than all parts need at least, the
  /// first ones get what they need.
  static func divide(_ length: Int, among extents: [Area.Extent]) -> [Int] {
    var lengths = extents.map(\.minimum)
    guard lengths.reduce(0, +) < length else {
      var left = max(0, length)
      return lengths.map { minimum in
        defer { left -= min(left, minimum) }
        return min(left, minimum)
      }
    }
    var open = extents.indices.filter { extents[$0].minimum < extents[$0].maximum }
    var space = length
    for index in extents.indices where !open.contains(index) { space -= lengths[index] }
    while !open.isEmpty {
      let total = open.reduce(0) { $0 + extents[$1].weight }
      // The cells that a part needs beyond its share, and those that it leaves of it, times the
      // total.
      func lack(_ index: Int) -> Int {
        extents[index].minimum * total - space * extents[index].weight
      }
      func excess(_ index: Int) -> Int {
        space * extents[index].weight - extents[index].maximum * total
      }
      let low = open.filter { lack($0) > 0 }
      let high = open.filter { excess($0) > 0 }
      guard !low.isEmpty || !high.isEmpty else {
        var spare = space - open.reduce(0) { $0 + space * extents[$1].weight / total }
        for index in open {
          lengths[index] = space * extents[index].weight / total + (spare > 0 ? 1 : 0)
          spare -= 1
        }
        break
      }
      let isTight = low.reduce(0) { $0 + lack($1) } >= high.reduce(0) { $0 + excess($1) }
      for index in isTight ? low : high {
        lengths[index] = isTight ? extents[index].minimum : extents[index].maximum
        space -= lengths[index]
        open.removeAll { $0 == index }
      }
    }
    return lengths
  }
}

extension Node {
  /// Parts of a room below one another, each as wide as the room.
  ///
  /// Where there is too little room the last parts get nothing: see ``Area/Extent``.
  public static func rows(in size: TerminalSize, @AreaBuilder _ areas: () -> [Area]) -> Node {
    let areas = areas()
    var y = 0
    return .group {
      zip(areas, Area.Extent.divide(size.height, among: areas.map(\.extent))).map { area, height in
        defer { y += height }
        return area.node(in: TerminalSize(width: max(0, size.width), height: height)).offset(
          y: Double(y))
      }
    }
  }

  /// Parts of a room beside one another, each as high as the room.
  ///
  /// Where there is too little room the last parts get nothing: see ``Area/Extent``.
  public static func columns(in size: TerminalSize, @AreaBuilder _ areas: () -> [Area]) -> Node {
    let areas = areas()
    var x = 0
    return .group {
      zip(areas, Area.Extent.divide(size.width, among: areas.map(\.extent))).map { area, width in
        defer { x += width }
        return area.node(in: TerminalSize(width: width, height: max(0, size.height))).offset(
          x: Double(x))
      }
    }
  }
}

extension Area {
  fileprivate func node(in size: TerminalSize) -> Node {
    size.width > 0 && size.height > 0 ? content(size).fitted(in: size) : .empty
  }
}

/// Lists the parts of a room. What is left out by an `if` takes no room.
@resultBuilder
public enum AreaBuilder {
  /// A part as a list of one.
  public static func buildExpression(_ area: Area) -> [Area] { [area] }
  /// The parts of all statements, in order.
  public static func buildBlock(_ parts: [Area]...) -> [Area] { parts.flatMap(\.self) }
  /// The parts of an `if`, or none.
  public static func buildOptional(_ part: [Area]?) -> [Area] { part ?? [] }
  /// The parts of the first branch.
  public static func buildEither(first part: [Area]) -> [Area] { part }
  /// The parts of the second branch.
  public static func buildEither(second part: [Area]) -> [Area] { part }
  /// The parts of a loop, in order.
  public static func buildArray(_ parts: [[Area]]) -> [Area] { parts.flatMap(\.self) }
}
