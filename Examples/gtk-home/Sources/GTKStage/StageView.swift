// A stage as a widget of GTK: trees go in, and the window's frame clock brings the frames.

import CGTK
import RondoStage

/// A stage as a widget: what differs between two trees moves on the window's frame clock.
///
/// ```swift
/// let view = StageView<Action>()
/// view.onAction = { store.send($0, animation: .default) }
/// subscription = store.subscribe { commit in
///   view.show(tree(commit.newState), transaction: commit.transaction)
/// }
/// ```
///
/// Lengths are points of the window. While nothing moves, no frame is asked for.
public final class StageView<Action: Equatable & Sendable> {
  /// Runs for a click.
  public var onAction: (Action) -> Void = { _ in }
  /// Runs when somebody has changed the text of a field, with the id of its control.
  public var onText: (String, String) -> Void = { _, _ in }
  /// Runs when the widget has another extent.
  public var onResize: (Size) -> Void = { _ in }

  let widget: UnsafeMutablePointer<GtkWidget>
  /// The instants at which frames were asked for by the clock, if somebody wants to know them.
  public private(set) var frameTimes: FrameTimes?

  private let stage = Stage()
  private let painter: Painter
  private let time: (() -> Duration)?
  private var origin: Int?
  private var last = Duration.zero
  private var frame: StageFrame?
  private var controls: [String: Widget] = [:]
  private var order: [(widget: Widget, appearance: Appearance)] = []
  /// The extent of the widget.
  public private(set) var size = Size.zero
  /// Whether GTK has drawn what is shown.
  public private(set) var isDrawn = false
  private var isTicking = false
  /// Whether the window has let go of the widget. What comes then is not shown any more.
  private var isGone = false

  /// A widget of GTK on the stage, and what it shows.
  private final class Widget {
    let pointer: UnsafeMutablePointer<GtkWidget>
    var control: Control<Action>

    init(_ pointer: UnsafeMutablePointer<GtkWidget>, _ control: Control<Action>) {
      self.pointer = pointer
      self.control = control
    }
  }

  /// An empty stage.
  ///
  /// - Parameters:
  ///   - measuresFrames: Whether to note how long each frame takes.
  ///   - time: The time since a beginning, for frames that are shown when ``refresh()`` says so; `nil`
  ///     for the frame clock of the window.
  public init(measuresFrames: Bool = false, time: (() -> Duration)? = nil) {
    self.time = time
    widget = StageWidget.make()
    painter = Painter(widget)
    if measuresFrames { frameTimes = FrameTimes() }
    StageWidget.attach(
      StageWidget.Handlers(
        draw: { [weak self] in self?.draw(on: $0) },
        allocate: { [weak self] in self?.allocate($0) },
        dispose: { [weak self] in self?.removeAll() }),
      to: widget)
  }

  /// The least extent. A window that is smaller scrolls.
  public var minimumSize = Size.zero {
    didSet {
      guard !isGone, minimumSize != oldValue else { return }
      gtk_widget_set_size_request(
        widget, Int32(minimumSize.width.rounded(.up)), Int32(minimumSize.height.rounded(.up)))
    }
  }

  /// Whether anything moves.
  public var isAnimating: Bool { stage.isAnimating }

  /// Shows a tree from now on, and frames while anything in it moves.
  public func show(_ tree: Node, transaction: Transaction = .current) {
    guard !isGone else { return }
    stage.commit(tree, transaction: transaction, at: now())
    refresh()
    guard stage.isAnimating, !isTicking, time == nil else { return }
    isTicking = true
    gtk_widget_add_tick_callback(
      widget, { _, _, data in Callback.of(data)?.run() == true ? 1 : 0 },
      Callback.data { [weak self] in self?.tick() ?? false },
      { Callback.release($0) })
  }

  /// Shows the frame of this instant.
  public func refresh() {
    guard !isGone else { return }
    let instant = now()
    frame = stage.frame(at: instant)
    if time != nil { stage.advance(to: instant) }
    updateControls()
    isDrawn = false
    gtk_widget_queue_allocate(widget)
    gtk_widget_queue_draw(widget)
  }

  /// Shows the frame of the clock.
  ///
  /// - Returns: Whether there are to be more.
  private func tick() -> Bool {
    let start = FrameTimes.ofThread
    let instant = now()
    refresh()
    stage.advance(to: instant)
    frameTimes?.addTick(at: instant, taking: FrameTimes.ofThread - start)
    isTicking = stage.isAnimating
    return isTicking
  }

  /// The time on the stage. It goes by the frames of the window, and never back.
  private func now() -> Duration {
    if let time { return time() }
    let clock = gtk_widget_get_frame_clock(widget)
    let reached = clock.map { gdk_frame_clock_get_frame_time($0) } ?? g_get_monotonic_time()
    if origin == nil, clock != nil { origin = reached }
    last = max(last, .microseconds(reached - (origin ?? reached)))
    return last
  }

  // MARK: - Drawing

  private func draw(on snapshot: OpaquePointer) {
    let start = FrameTimes.ofThread
    guard let frame else { return }
    painter.draw(frame, on: snapshot) { shape in
      guard let control = shape as? Control<Action> else { return false }
      if let widget = controls[control.id] {
        // The place is that of the allocation.
        gtk_snapshot_restore(snapshot)
        gtk_snapshot_save(snapshot)
        gtk_widget_snapshot_child(self.widget, widget.pointer, snapshot)
      }
      return true
    }
    isDrawn = true
    frameTimes?.addDrawing(taking: FrameTimes.ofThread - start)
  }

  private func allocate(_ size: Size) {
    for (child, appearance) in order {
      let rect = appearance.frame
      var extent = (width: Int32(rect.width), height: Int32(rect.height))
      var minimum: Int32 = 0
      gtk_widget_measure(child.pointer, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, nil, nil, nil)
      extent.width = max(extent.width, minimum)
      gtk_widget_measure(
        child.pointer, GTK_ORIENTATION_VERTICAL, extent.width, &minimum, nil, nil, nil)
      extent.height = max(extent.height, minimum)
      var origin = graphene_point_t(x: Float(rect.x), y: Float(rect.y))
      gtk_widget_allocate(
        child.pointer, extent.width, extent.height, -1, gsk_transform_translate(nil, &origin))
    }
    guard size != self.size else { return }
    self.size = size
    // Another tree may be shown for it, and GTK takes none in the middle of a layout.
    Task { onResize(size) }
  }

  // MARK: - Controls

  /// Makes the widgets of the controls that have come, and lets go of those that have gone.
  private func updateControls() {
    order = []
    var gone = controls
    for node in frame?.nodes ?? [] {
      guard case .shape(let shape) = node.content, let control = shape as? Control<Action>,
        gone[control.id] != nil || controls[control.id] == nil
      else { continue }
      let widget = controls[control.id] ?? make(control)
      gone[control.id] = nil
      update(widget, to: control)
      gtk_widget_set_opacity(widget.pointer, node.opacity)
      order.append((widget, node.appearance))
    }
    for (id, widget) in gone {
      gtk_widget_unparent(widget.pointer)
      controls[id] = nil
    }
  }

  private func make(_ control: Control<Action>) -> Widget {
    let pointer: UnsafeMutablePointer<GtkWidget>
    switch control.kind {
    case .button(let title): pointer = gtk_button_new_with_label(title)
    case .area:
      pointer = gtk_button_new()
      gtk_widget_add_css_class(pointer, "flat")
    case .field(let text, let placeholder):
      pointer = gtk_entry_new()
      gtk_editable_set_text(OpaquePointer(pointer), text)
      gtk_entry_set_placeholder_text(cast(pointer), placeholder)
    }
    gtk_widget_set_name(pointer, control.id)
    let widget = Widget(pointer, control)
    controls[control.id] = widget
    gtk_widget_set_parent(pointer, self.widget)
    if case .field = control.kind {
      connect(pointer, "changed") { [weak self, weak widget] in
        guard let self, let widget, case .field(let old, _) = widget.control.kind else { return }
        let text = String(cString: gtk_editable_get_text(OpaquePointer(pointer)))
        if text != old { onText(widget.control.id, text) }
      }
    } else {
      connect(pointer, "clicked") { [weak self, weak widget] in
        if let action = widget?.control.action { self?.onAction(action) }
      }
    }
    cgtk_set_label(pointer, control.label)
    return widget
  }

  private func update(_ widget: Widget, to control: Control<Action>) {
    let old = widget.control
    widget.control = control
    if (gtk_widget_get_sensitive(widget.pointer) != 0) != control.isEnabled {
      gtk_widget_set_sensitive(widget.pointer, control.isEnabled ? 1 : 0)
    }
    guard old.kind != control.kind else { return }
    switch control.kind {
    case .button(let title): gtk_button_set_label(cast(widget.pointer), title)
    case .area: break
    case .field(let text, let placeholder):
      gtk_entry_set_placeholder_text(cast(widget.pointer), placeholder)
      // A text that was typed is there already; setting it again would move the cursor.
      if String(cString: gtk_editable_get_text(OpaquePointer(widget.pointer))) != text {
        gtk_editable_set_text(OpaquePointer(widget.pointer), text)
      }
    }
    cgtk_set_label(widget.pointer, control.label)
  }

  /// Puts the focus into a control.
  public func focus(_ id: String) {
    if let widget = controls[id] { gtk_widget_grab_focus(widget.pointer) }
  }

  private func removeAll() {
    isGone = true
    for widget in controls.values { gtk_widget_unparent(widget.pointer) }
    controls = [:]
    order = []
    painter.forget()
  }
}

extension Control {
  fileprivate nonisolated var label: String {
    switch kind {
    case .button(let text), .area(let text), .field(_, placeholder: let text): text
    }
  }
}
