// GTK 4, and what of it is a macro, which Swift does not see.

#ifndef GTK_COUNTER_SHIM_H
#define GTK_COUNTER_SHIM_H

#include <glib-unix.h>
#include <gtk/gtk.h>

static inline GtkWindow *cgtk_window(GtkWidget *widget) { return GTK_WINDOW(widget); }
static inline GtkBox *cgtk_box(GtkWidget *widget) { return GTK_BOX(widget); }
static inline GtkLabel *cgtk_label(GtkWidget *widget) { return GTK_LABEL(widget); }
static inline GtkButton *cgtk_button(GtkWidget *widget) { return GTK_BUTTON(widget); }

/// Calls a function when a button is clicked.
static inline void cgtk_on_click(GtkWidget *button, void (*run)(void *data)) {
  g_signal_connect_swapped(button, "clicked", G_CALLBACK(run), NULL);
}

#endif
