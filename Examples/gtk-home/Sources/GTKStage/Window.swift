// A window with a stage in it, its shortcuts, and its picture.

import CGTK
import RondoStage

/// A window of GTK with a stage in it.
public final class Window {
  /// Whether it has been closed.
  public private(set) var isClosed = false

  private let window: UnsafeMutablePointer<GtkWidget>

  /// A window with a header bar around a stage. It is seen once ``present()`` has been called.
  public init(_ title: String, _ view: StageView<some Any>, size: Size) {
    window = gtk_window_new()
    gtk_window_set_title(cast(window), title)
    gtk_window_set_titlebar(cast(window), gtk_header_bar_new())
    gtk_window_set_default_size(cast(window), Int32(size.width), Int32(size.height))
    let scrolled = gtk_scrolled_window_new()!
    gtk_scrolled_window_set_child(OpaquePointer(scrolled), view.widget)
    gtk_window_set_child(cast(window), scrolled)
    connect(window, "destroy") { [weak self] in self?.isClosed = true }
  }

  /// Shows the window.
  public func present() { gtk_window_present(cast(window)) }

  /// Closes the window.
  public func close() { if !isClosed { gtk_window_destroy(cast(window)) } }

  /// Puts a button into the header bar.
  public func addButton(icon: String, label: String, _ run: @escaping () -> Void) {
    let button = gtk_button_new_from_icon_name(icon)!
    gtk_widget_set_tooltip_text(button, label)
    cgtk_set_label(button, label)
    connect(button, "clicked", run)
    gtk_header_bar_pack_start(OpaquePointer(gtk_window_get_titlebar(cast(window))), button)
  }

  /// Lets the widgets of GTK be dark or light.
  public func setDark(_ isDark: Bool) { cgtk_prefer_dark(isDark ? 1 : 0) }

  /// Runs a closure for a shortcut such as `<Control>r`, wherever the focus is.
  public func addShortcut(_ keys: String, _ run: @escaping () -> Void) {
    let controller = gtk_shortcut_controller_new()!
    gtk_shortcut_controller_set_scope(controller, GTK_SHORTCUT_SCOPE_GLOBAL)
    let action = gtk_callback_action_new(
      { _, _, data in Callback.of(data)?.run() == true ? 1 : 0 },
      Callback.data {
        run()
        return true
      },
      { Callback.release($0) })
    gtk_shortcut_controller_add_shortcut(
      controller,
      gtk_shortcut_new(gtk_shortcut_trigger_parse_string(keys), action))
    gtk_widget_add_controller(window, controller)
  }

  /// Writes what the window shows as a PNG file.
  ///
  /// - Returns: Whether the file has been written.
  public func savePicture(to path: String) -> Bool {
    guard let renderer = gtk_native_get_renderer(OpaquePointer(window)) else { return false }
    let paintable = gtk_widget_paintable_new(window)
    defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
    let snapshot = gtk_snapshot_new()
    gdk_paintable_snapshot(
      paintable, snapshot, Double(gdk_paintable_get_intrinsic_width(paintable)),
      Double(gdk_paintable_get_intrinsic_height(paintable)))
    guard let node = gtk_snapshot_free_to_node(snapshot) else { return false }
    defer { gsk_render_node_unref(node) }
    guard let texture = gsk_renderer_render_texture(renderer, node, nil) else { return false }
    defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
    return gdk_texture_save_to_png(texture, path) != 0
  }
}
