// The class of widgets that stages are drawn on, as GTK's type system knows it.

import CGTK
import RondoStage

/// The class of GTK behind a ``StageView``.
enum StageWidget {
  /// The functions of a widget that GTK calls.
  final class Handlers {
    let draw: (OpaquePointer) -> Void
    let allocate: (Size) -> Void
    let dispose: () -> Void

    init(
      draw: @escaping (OpaquePointer) -> Void,
      allocate: @escaping (Size) -> Void,
      dispose: @escaping () -> Void
    ) {
      self.draw = draw
      self.allocate = allocate
      self.dispose = dispose
    }
  }

  static func make() -> UnsafeMutablePointer<GtkWidget> {
    let object = g_object_new_with_properties(type, 0, nil, nil)!
    return cast(object)
  }

  static func attach(_ handlers: Handlers, to widget: UnsafeMutablePointer<GtkWidget>) {
    g_object_set_data_full(
      cast(widget), key, Unmanaged.passRetained(handlers).toOpaque()
    ) { data in
      data.map { Unmanaged<Handlers>.fromOpaque($0).release() }
    }
  }

  private static let key = "rondo-stage"

  private static func handlers(
    of widget: UnsafeMutablePointer<GtkWidget>
  ) -> Handlers? {
    g_object_get_data(cast(widget), key)
      .map { Unmanaged<Handlers>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let type: GType = g_type_register_static_simple(
    cgtk_widget_type(), "RondoStageWidget", guint(MemoryLayout<GtkWidgetClass>.size),
    { pointer, _ in
      guard let pointer else { return }
      let widget = pointer.assumingMemoryBound(to: GtkWidgetClass.self)
      widget.pointee.snapshot = { widget, snapshot in
        guard let widget, let snapshot else { return }
        StageWidget.handlers(of: widget)?.draw(snapshot)
      }
      widget.pointee.size_allocate = { widget, width, height, _ in
        guard let widget else { return }
        StageWidget.handlers(of: widget)?
          .allocate(Size(width: Double(width), height: Double(height)))
      }
      let object = pointer.assumingMemoryBound(to: GObjectClass.self)
      StageWidget.disposeOfParent = object.pointee.dispose
      object.pointee.dispose = { object in
        guard let object else { return }
        StageWidget.handlers(of: cast(object))?.dispose()
        StageWidget.disposeOfParent?(object)
      }
    },
    guint(MemoryLayout<GtkWidget>.size), nil, GTypeFlags(rawValue: 0))

  private static var disposeOfParent: (@convention(c) (UnsafeMutablePointer<GObject>?) -> Void)?
}
