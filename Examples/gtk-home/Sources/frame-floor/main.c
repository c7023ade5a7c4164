// A floor for 'gtk-home --moving': the same nodes, moved and drawn in C by GTK alone.
//
//   frame-floor COUNT

#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_FRAMES = 4096 };

typedef struct {
  GtkWidget parent;
} FloorWidget;
typedef struct {
  GtkWidgetClass parent;
} FloorWidgetClass;
G_DEFINE_TYPE(FloorWidget, floor_widget, GTK_TYPE_WIDGET)

static int node_count;
static double part;
static double start = -1;
static double last_total = -1;
static gboolean is_done;
static double distances[MOST_FRAMES], drawings[MOST_FRAMES], totals[MOST_FRAMES];
static int frame_count, drawing_count;
static double last_frame;

/// Milliseconds of processor time.
static double processor_time(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

/// Draws each node on its way from one place to another.
static void draw(GtkWidget *widget, GtkSnapshot *snapshot) {
  double before = processor_time(CLOCK_THREAD_CPUTIME_ID);
  for (int node = 0; node < node_count; node++) {
    int other = node_count - 1 - node;
    double x = 10 + 20 * (node % 40 + (other % 40 - node % 40) * part);
    double y = 10 + 20 * (node / 40 + (other / 40 - node / 40) * part);
    GdkRGBA color = {0.5 + 0.5 * part, 0.7 - 0.16 * part, 1 - 0.64 * part, 1 - 0.4 * part};
    graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, 12 + 4 * part, 12);
    GskRoundedRect rounded;
    gsk_rounded_rect_init_from_rect(&rounded, &bounds, 3);
    gtk_snapshot_save(snapshot);
    gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT(x, y));
    gtk_snapshot_push_rounded_clip(snapshot, &rounded);
    gtk_snapshot_append_color(snapshot, &color, &bounds);
    gtk_snapshot_pop(snapshot);
    gtk_snapshot_restore(snapshot);
  }
  if (drawing_count < MOST_FRAMES) {
    drawings[drawing_count++] = processor_time(CLOCK_THREAD_CPUTIME_ID) - before;
  }
}

static void floor_widget_class_init(FloorWidgetClass *class) {
  GTK_WIDGET_CLASS(class)->snapshot = draw;
}

static void floor_widget_init(FloorWidget *widget) {}

/// Moves the nodes for five seconds, there and back twice a second.
static gboolean tick(GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  double now = gdk_frame_clock_get_frame_time(clock) / 1e3;
  if (start < 0) start = now;
  double turns = (now - start) / 500;
  double way = turns - (int)turns;
  way = way * way * (3 - 2 * way);
  part = (int)turns % 2 ? 1 - way : way;
  double total = processor_time(CLOCK_PROCESS_CPUTIME_ID);
  if (last_total >= 0 && frame_count < MOST_FRAMES) {
    distances[frame_count] = now - last_frame;
    totals[frame_count++] = total - last_total;
  }
  last_total = total;
  last_frame = now;
  is_done = now - start > 5000;
  gtk_widget_queue_draw(widget);
  return is_done ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static int compare(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return difference < 0 ? -1 : difference > 0;
}

static void print(const char *name, double *times, int count) {
  if (count == 0) return;
  qsort(times, count, sizeof *times, compare);
  printf("%s: median %.2f ms, 95 %% %.2f ms, longest %.2f ms of %d\n", name, times[count / 2],
         times[(int)(count * 0.95)], times[count - 1], count);
}

int main(int count, char **arguments) {
  node_count = count == 2 ? atoi(arguments[1]) : 0;
  if (node_count < 1 || node_count > 100000) {
    fputs("frame-floor: give it a number of nodes from 1 to 100000\n", stderr);
    return 64;
  }
  if (!gtk_init_check()) {
    fputs("frame-floor: there is no display\n", stderr);
    return 69;
  }
  GtkWidget *window = gtk_window_new();
  gtk_window_set_title(GTK_WINDOW(window), "floor");
  gtk_window_set_titlebar(GTK_WINDOW(window), gtk_header_bar_new());
  gtk_window_set_default_size(GTK_WINDOW(window), 820, 620);
  GtkWidget *widget = g_object_new(floor_widget_get_type(), NULL);
  gtk_window_set_child(GTK_WINDOW(window), widget);
  gtk_widget_add_tick_callback(widget, tick, NULL, NULL);
  gtk_window_present(GTK_WINDOW(window));
  while (!is_done) g_main_context_iteration(NULL, TRUE);
  printf("%d nodes without Rondo, %d frames\n", node_count, frame_count);
  print("from one frame to the next", distances, frame_count);
  print("processor time of handing it to GTK", drawings, drawing_count);
  print("processor time of all of it, with GTK's drawing", totals, frame_count);
  return 0;
}
