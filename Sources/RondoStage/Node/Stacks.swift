// Texts, stacks, lists and buttons under the names that they have in SwiftUI. Each is a node.

import Foundation

/// A text: `Node.text` under the name that it has in SwiftUI.
public struct Text: View {
  public let body: Node

  /// A text, of one line or several.
  public init(_ content: some StringProtocol) { body = .text(String(content)) }

  /// A text that is taken as it is, as every text is here.
  public init(verbatim content: String) { body = .text(content) }
}

/// Several views in the place of one, with modifiers around all of them.
public struct Group: View {
  public let body: [Node]

  /// Several views.
  public init(@NodeBuilder content: () -> [Node]) { body = content() }
}

/// A view for each element of some data: `Node.forEach` under the name that it has in SwiftUI.
///
/// In a builder the views are children of what is around, and a stack lays out each of them.
public struct ForEach: View {
  public let body: [Node]

  /// A view for each element, known by its id.
  public init<Data: Sequence>(
    _ data: Data, @NodeBuilder content: (Data.Element) -> [Node]
  ) where Data.Element: Identifiable {
    body = Node.forEach(data, content)
  }

  /// A view for each element, known by a part of it.
  public init<Data: Sequence>(
    _ data: Data, id: KeyPath<Data.Element, some Hashable>,
    @NodeBuilder content: (Data.Element) -> [Node]
  ) {
    body = Node.forEach(data, id: id, content)
  }

  /// A view for each number of a range.
  public init(_ data: Range<Int>, @NodeBuilder content: (Int) -> [Node]) {
    body = Node.forEach(data, id: \.self, content)
  }

  /// Says for each of the views how it comes and goes.
  public func transition(_ transition: AnyTransition) -> [Node] { body.transition(transition) }

  /// Says for each of the views how it comes and goes.
  public func transition(_ transition: some Transition) -> [Node] { body.transition(transition) }

  /// Lets the views come, go and change one after another, see ``Swift/Array/stagger(_:)``.
  public func stagger(_ interval: Double) -> [Node] { body.stagger(interval) }
}

/// A label that does something when it is tapped, see ``Stage/tap(at:instant:)``.
public struct Button: View {
  public let body: Node

  /// A button.
  ///
  /// - Parameters:
  ///   - action: What to do.
  ///   - label: What it looks like.
  public init(action: @escaping () -> Void, @NodeBuilder label: () -> Node) {
    body = label().onTapGesture(perform: action)
  }

  /// A button with a title.
  public init(_ title: some StringProtocol, action: @escaping () -> Void) {
    self.init(action: action) { Text(title) }
  }
}

// MARK: - Stacks

/// Views over one another.
///
/// A stack knows the extents of its children beforehand: of texts, of nodes with a frame, and of other stacks.
/// Another child is as large as one cell if it is a shape, and as nothing else.
public struct ZStack: View {
  public let body: Node

  /// Views over one another, the last one on top.
  ///
  /// - Parameters:
  ///   - alignment: The point of each child that is in the same place.
  ///   - content: The children.
  public init(alignment: Alignment = .center, @NodeBuilder content: () -> [Node]) {
    let children = content()
    let size = children.reduce(into: Size.zero) { size, child in
      size.width = max(size.width, child.naturalSize.width)
      size.height = max(size.height, child.naturalSize.height)
    }
    let placed = children.map { child in
      child.offset(
        x: (size.width - child.naturalSize.width) * alignment.horizontal.part,
        y: (size.height - child.naturalSize.height) * alignment.vertical.part)
    }
    body = Node(.group(placed)).frame(width: size.width, height: size.height)
  }
}

/// Views below one another.
///
/// A stack knows the extents of its children beforehand, as a ``ZStack`` does.
public struct VStack: View {
  public let body: Node

  /// Views below one another.
  ///
  /// - Parameters:
  ///   - alignment: Where children stand that are narrower than the widest.
  ///   - spacing: Empty rows between two of them; `nil` for none.
  ///   - content: The children.
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @NodeBuilder content: () -> [Node]
  ) {
    body = stack(content(), along: \.height, spacing: spacing) { child, size, y in
      child.offset(x: (size.width - child.naturalSize.width) * alignment.part, y: y)
    }
  }
}

/// Views beside one another.
///
/// A stack knows the extents of its children beforehand, as a ``ZStack`` does.
public struct HStack: View {
  public let body: Node

  /// Views beside one another.
  ///
  /// - Parameters:
  ///   - alignment: Where children stand that are lower than the highest.
  ///   - spacing: Empty columns between two of them; `nil` for none.
  ///   - content: The children.
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
    @NodeBuilder content: () -> [Node]
  ) {
    body = stack(content(), along: \.width, spacing: spacing) { child, size, x in
      child.offset(x: x, y: (size.height - child.naturalSize.height) * alignment.part)
    }
  }
}

/// Children in a row along one extent, each put where `place` says in a room as large as all of them.
private func stack(
  _ children: [Node], along extent: WritableKeyPath<Size, Double>, spacing: CGFloat?,
  place: (_ child: Node, _ room: Size, _ start: Double) -> Node
) -> Node {
  var room = children.reduce(into: Size.zero) { room, child in
    room.width = max(room.width, child.naturalSize.width)
    room.height = max(room.height, child.naturalSize.height)
  }
  let gap = Double(spacing ?? 0)
  room[keyPath: extent] =
    children.reduce(0) { $0 + $1.naturalSize[keyPath: extent] }
    + gap * Double(max(children.count - 1, 0))
  var start = 0.0
  let placed = children.map { child in
    defer { start += child.naturalSize[keyPath: extent] + gap }
    return place(child, room, start)
  }
  return Node(.group(placed)).frame(width: room.width, height: room.height)
}

/// The place of something in a row that is wider than it.
public struct HorizontalAlignment: Hashable, Sendable {
  /// The part of the free room that is on its left.
  let part: Double

  /// At the left.
  public static let leading = HorizontalAlignment(part: 0)
  /// In the middle.
  public static let center = HorizontalAlignment(part: 0.5)
  /// At the right.
  public static let trailing = HorizontalAlignment(part: 1)
}

/// The place of something in a column that is higher than it.
public struct VerticalAlignment: Hashable, Sendable {
  /// The part of the free room that is above it.
  let part: Double

  /// At the top.
  public static let top = VerticalAlignment(part: 0)
  /// In the middle.
  public static let center = VerticalAlignment(part: 0.5)
  /// At the bottom.
  public static let bottom = VerticalAlignment(part: 1)
}

/// The place of something in a room that is larger than it.
public struct Alignment: Hashable, Sendable {
  /// The place from left to right.
  public var horizontal: HorizontalAlignment
  /// The place from top to bottom.
  public var vertical: VerticalAlignment

  /// An alignment in both directions.
  public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
    (self.horizontal, self.vertical) = (horizontal, vertical)
  }

  /// In the middle.
  public static let center = Alignment(horizontal: .center, vertical: .center)
  /// In the middle of the left side.
  public static let leading = Alignment(horizontal: .leading, vertical: .center)
  /// In the middle of the right side.
  public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
  /// In the middle of the top.
  public static let top = Alignment(horizontal: .center, vertical: .top)
  /// In the middle of the bottom.
  public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
  /// In the corner at the top left.
  public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
  /// In the corner at the top right.
  public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
  /// In the corner at the bottom left.
  public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
  /// In the corner at the bottom right.
  public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)
}
