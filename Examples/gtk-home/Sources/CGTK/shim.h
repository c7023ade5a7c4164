// GTK 4, and what of it is a macro or takes a list of arguments of any length.

#ifndef RONDO_CGTK_H
#define RONDO_CGTK_H

#include <glib-unix.h>
#include <gtk/gtk.h>

/// Lets the widgets of GTK itself be dark or light.
static inline void cgtk_prefer_dark(gboolean isDark) {
  g_object_set(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", isDark, NULL);
}

/// Keeps GTK's own cursor and transitions from moving, which go by the time of the wall.
static inline void cgtk_stand_still(void) {
  g_object_set(gtk_settings_get_default(), "gtk-cursor-blink", FALSE, "gtk-enable-animations",
               FALSE, NULL);
}

/// Names a widget for a screen reader.
static inline void cgtk_set_label(GtkWidget *widget, const char *label) {
  gtk_accessible_update_property(
      GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

/// The class of GTK's own widgets.
static inline GType cgtk_widget_type(void) { return GTK_TYPE_WIDGET; }

#endif
