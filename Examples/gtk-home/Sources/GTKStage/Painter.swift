// From the nodes of a frame to what GTK draws.

import CGTK
import RondoStage

/// Draws the nodes of a frame.
final class Painter {
  private struct TextKey: Hashable {
    var text: String
    var font: String
    var width: Int
  }

  /// Texts that are laid out, so that those which only move are not laid out again.
  private var layouts: [TextKey: OpaquePointer] = [:]
  private let widget: UnsafeMutablePointer<GtkWidget>

  init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

  /// Forgets the texts, because a typeface or the resolution has changed, or nothing is drawn any more.
  func forget() {
    for layout in layouts.values { g_object_unref(UnsafeMutableRawPointer(layout)) }
    layouts = [:]
  }

  func draw(_ frame: StageFrame, on snapshot: OpaquePointer, control: (any Shape) -> Bool) {
    if layouts.count > 2_000 { forget() }
    for node in frame.nodes {
      let appearance = node.appearance
      guard appearance.opacity > 0.001 else { continue }
      if case .group = node.content, appearance.background == nil { continue }
      let clips = push(node.clip, of: frame, on: snapshot)
      gtk_snapshot_save(snapshot)
      place(appearance, on: snapshot)
      if let background = appearance.background {
        fill(.rectangle, background, appearance, on: snapshot)
      }
      switch node.content {
      case .group: break
      case .text(let text): write(text, appearance, on: snapshot)
      case .shape(let shape):
        // The outline first: it takes the least time to find, and most nodes have one.
        let outline = outline(of: shape, in: appearance.size)
        if outline == nil, let shape = shape as? any TextShape {
          write(shape.text, appearance, on: snapshot)
        } else if outline != nil || !control(shape) {
          fill(
            outline ?? .rectangle, appearance.foreground ?? .gray, appearance, on: snapshot)
        }
      }
      gtk_snapshot_restore(snapshot)
      for _ in 0..<clips { gtk_snapshot_pop(snapshot) }
    }
  }

  private func place(_ appearance: Appearance, on snapshot: OpaquePointer) {
    guard appearance.rotation == 0, appearance.shear == 0 else {
      let transform = appearance.transform
      var matrix = graphene_matrix_t()
      graphene_matrix_init_from_2d(
        &matrix, Double(transform.a), Double(transform.b), Double(transform.c),
        Double(transform.d), Double(transform.tx), Double(transform.ty))
      return gtk_snapshot_transform_matrix(snapshot, &matrix)
    }
    var origin = graphene_point_t(
      x: Float(appearance.translation.x), y: Float(appearance.translation.y))
    gtk_snapshot_translate(snapshot, &origin)
    if appearance.scale != Point(x: 1, y: 1) {
      gtk_snapshot_scale(snapshot, Float(appearance.scale.x), Float(appearance.scale.y))
    }
  }

  private func write(_ text: String, _ appearance: Appearance, on snapshot: OpaquePointer) {
    guard !text.isEmpty else { return }
    var color = GdkRGBA(appearance.foreground ?? .gray, opacity: appearance.opacity)
    let layout = layout(
      of: TextKey(
        text: text, font: appearance.font ?? "Sans 11",
        width: text.count == Int(appearance.size.width) ? 0 : Int(appearance.size.width)))
    gtk_snapshot_append_layout(snapshot, layout, &color)
  }

  /// The text as Pango lays it out: as wide as its frame, and cut there.
  private func layout(of key: TextKey) -> OpaquePointer {
    if let layout = layouts[key] { return layout }
    let layout = gtk_widget_create_pango_layout(widget, key.text)!
    var font = key.font
    for (word, alignment) in [(" right", PANGO_ALIGN_RIGHT), (" centre", PANGO_ALIGN_CENTER)]
    where font.hasSuffix(word) {
      font.removeLast(word.count)
      pango_layout_set_alignment(layout, alignment)
    }
    let description = pango_font_description_from_string(font)
    pango_layout_set_font_description(layout, description)
    pango_font_description_free(description)
    // A new line in a text of somebody else's is shown as a sign.
    pango_layout_set_single_paragraph_mode(layout, 1)
    if key.width > 0 {
      pango_layout_set_width(layout, Int32(key.width) * PANGO_SCALE)
      pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    }
    layouts[key] = layout
    return layout
  }

  private func fill(
    _ outline: Outline, _ color: Color, _ appearance: Appearance, on snapshot: OpaquePointer
  ) {
    var color = GdkRGBA(color, opacity: appearance.opacity)
    var bounds = graphene_rect_t(
      origin: graphene_point_t(x: 0, y: 0),
      size: graphene_size_t(
        width: Float(appearance.size.width), height: Float(appearance.size.height)))
    guard case .rounded(let radius) = outline else {
      return gtk_snapshot_append_color(snapshot, &color, &bounds)
    }
    var clip = GskRoundedRect()
    gsk_rounded_rect_init_from_rect(&clip, &bounds, Float(radius))
    gtk_snapshot_push_rounded_clip(snapshot, &clip)
    gtk_snapshot_append_color(snapshot, &color, &bounds)
    gtk_snapshot_pop(snapshot)
  }

  /// An outline that GTK knows.
  private enum Outline {
    case rectangle
    /// The corners have a radius.
    case rounded(Double)

    var radius: Double {
      switch self {
      case .rectangle: 0
      case .rounded(let radius): radius
      }
    }
  }

  /// The outline of a shape; `nil` for a shape that has none here. Those are drawn as their frames.
  private func outline(of shape: any Shape, in size: Size) -> Outline? {
    switch shape {
    case let shape as RoundedRectangle: .rounded(shape.cornerRadius)
    case is Rectangle: .rectangle
    case is Capsule, is Circle, is Ellipse: .rounded(min(size.width, size.height) / 2)
    default: nil
    }
  }

  /// Hides what is outside of a clip and of those around it.
  ///
  /// - Returns: How many there are.
  private func push(_ clip: Int, of frame: StageFrame, on snapshot: OpaquePointer) -> Int {
    guard clip >= 0 else { return 0 }
    let outer = push(frame.clips[clip].outer, of: frame, on: snapshot)
    let rect = frame.clips[clip].appearance.frame
    var bounds = graphene_rect_t(
      origin: graphene_point_t(x: Float(rect.x), y: Float(rect.y)),
      size: graphene_size_t(width: Float(rect.width), height: Float(rect.height)))
    var rounded = GskRoundedRect()
    let size = Size(width: rect.width, height: rect.height)
    gsk_rounded_rect_init_from_rect(
      &rounded, &bounds, Float(outline(of: frame.clips[clip].shape, in: size)?.radius ?? 0))
    gtk_snapshot_push_rounded_clip(snapshot, &rounded)
    return outer + 1
  }
}

extension GdkRGBA {
  init(_ color: Color, opacity: Double) {
    func component(_ value: Double) -> Float { Float(min(max(value, 0), 1)) }
    self.init(
      red: component(color.red), green: component(color.green), blue: component(color.blue),
      alpha: component(opacity * color.alpha))
  }
}
