// Reads an index by the library of the toolchain, which is loaded when it is first needed.

#define _GNU_SOURCE
#include "IndexReading.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The functions of the library, under their own names without `indexstore_`.

typedef struct {
  const char *data;
  size_t length;
} Text;

typedef bool (*EachName)(void *context, Text name);
typedef bool (*EachItem)(void *context, void *item);

static void *(*store_create)(const char *path, void **error);
static bool (*store_units_apply_f)(void *store, unsigned sorted, void *context, EachName);
static bool (*store_get_unit_modification_time)(
    void *store, const char *unit, int64_t *seconds, int64_t *nanoseconds, void **error);
static void *(*unit_reader_create)(void *store, const char *unit, void **error);
static void (*unit_reader_dispose)(void *reader);
static bool (*unit_reader_has_main_file)(void *reader);
static Text (*unit_reader_get_main_file)(void *reader);
static bool (*unit_reader_dependencies_apply_f)(void *reader, void *context, EachItem);
static int (*unit_dependency_get_kind)(void *dependency);
static Text (*unit_dependency_get_name)(void *dependency);
static Text (*unit_dependency_get_filepath)(void *dependency);
static void *(*record_reader_create)(void *store, const char *record, void **error);
static void (*record_reader_dispose)(void *reader);
static bool (*record_reader_occurrences_apply_f)(void *reader, void *context, EachItem);
static void *(*occurrence_get_symbol)(void *occurrence);
static uint64_t (*occurrence_get_roles)(void *occurrence);
static void (*occurrence_get_line_col)(void *occurrence, unsigned *line, unsigned *column);
static Text (*symbol_get_usr)(void *symbol);
static Text (*symbol_get_name)(void *symbol);

enum { dependencyIsRecord = 2 };
enum { roleDeclaration = 1 << 0, roleDefinition = 1 << 1, roleReference = 1 << 2 };

/// Loads the library from the toolchain whose Swift runtime the process uses.
static bool load(void) {
  static void *library;
  if (library) return true;
  void *runtime = dlsym(RTLD_DEFAULT, "swift_retain");
  Dl_info info;
  if (!runtime || !dladdr(runtime, &info)) return false;
  // `usr/lib/swift/linux/libswiftCore.so`
  const char *folder = strstr(info.dli_fname, "/swift/linux/");
  if (!folder) return false;
  char path[4096];
  snprintf(path, sizeof path, "%.*s/libIndexStore.so", (int)(folder - info.dli_fname),
           info.dli_fname);
  library = dlopen(path, RTLD_NOW);
  if (!library) return false;
  bool isComplete = true;
#define LOAD(name)                                                     \
  *(void **)&name = dlsym(library, "indexstore_" #name);               \
  isComplete = isComplete && name
  LOAD(store_create);
  LOAD(store_units_apply_f);
  LOAD(store_get_unit_modification_time);
  LOAD(unit_reader_create);
  LOAD(unit_reader_dispose);
  LOAD(unit_reader_has_main_file);
  LOAD(unit_reader_get_main_file);
  LOAD(unit_reader_dependencies_apply_f);
  LOAD(unit_dependency_get_kind);
  LOAD(unit_dependency_get_name);
  LOAD(unit_dependency_get_filepath);
  LOAD(record_reader_create);
  LOAD(record_reader_dispose);
  LOAD(record_reader_occurrences_apply_f);
  LOAD(occurrence_get_symbol);
  LOAD(occurrence_get_roles);
  LOAD(occurrence_get_line_col);
  LOAD(symbol_get_usr);
  LOAD(symbol_get_name);
#undef LOAD
  return isComplete;
}

void *index_open(const char *path) {
  return load() ? store_create(path, NULL) : NULL;
}

/// A copy of a text that ends with a zero. To be freed.
static char *copied(Text text) { return strndup(text.data ? text.data : "", text.length); }

static bool isSame(Text left, Text right) {
  return left.length == right.length && memcmp(left.data, right.data, left.length) == 0;
}

// MARK: Files

typedef struct {
  void *index;
  void *context;
  void (*body)(void *context, const char *path, const char *record, int64_t time);
  /// The file that is being looked at.
  Text file;
  int64_t time;
} Files;

static bool didFindDependency(void *context, void *dependency) {
  Files *files = context;
  if (unit_dependency_get_kind(dependency) != dependencyIsRecord ||
      !isSame(unit_dependency_get_filepath(dependency), files->file))
    return true;
  char *path = copied(files->file), *record = copied(unit_dependency_get_name(dependency));
  files->body(files->context, path, record, files->time);
  free(path);
  free(record);
  return true;
}

static bool didFindUnit(void *context, Text name) {
  Files *files = context;
  char *unit = copied(name);
  void *reader = unit_reader_create(files->index, unit, NULL);
  int64_t seconds = 0, nanoseconds = 0;
  if (reader && unit_reader_has_main_file(reader) &&
      !store_get_unit_modification_time(files->index, unit, &seconds, &nanoseconds, NULL)) {
    files->file = unit_reader_get_main_file(reader);
    files->time = seconds * 1000000000 + nanoseconds;
    unit_reader_dependencies_apply_f(reader, files, didFindDependency);
  }
  if (reader) unit_reader_dispose(reader);
  free(unit);
  return true;
}

void index_eachFile(
    void *index, void *context,
    void (*body)(void *context, const char *path, const char *record, int64_t time)) {
  Files files = {.index = index, .context = context, .body = body};
  store_units_apply_f(index, 0, &files, didFindUnit);
}

// MARK: Places

typedef struct {
  void *context;
  void (*body)(
      void *context, const char *symbol, const char *name, bool isDeclared, unsigned line);
} Places;

static bool didFindPlace(void *context, void *occurrence) {
  Places *places = context;
  uint64_t roles = occurrence_get_roles(occurrence);
  bool isDeclared = roles & (roleDeclaration | roleDefinition);
  if (!isDeclared && !(roles & roleReference)) return true;
  void *symbol = occurrence_get_symbol(occurrence);
  char *identity = copied(symbol_get_usr(symbol)), *name = copied(symbol_get_name(symbol));
  unsigned line = 0, column = 0;
  occurrence_get_line_col(occurrence, &line, &column);
  places->body(places->context, identity, name, isDeclared, line);
  free(identity);
  free(name);
  return true;
}

void index_eachPlace(
    void *index, const char *record, void *context,
    void (*body)(
        void *context, const char *symbol, const char *name, bool isDeclared, unsigned line)) {
  void *reader = record_reader_create(index, record, NULL);
  if (!reader) return;
  Places places = {.context = context, .body = body};
  record_reader_occurrences_apply_f(reader, &places, didFindPlace);
  record_reader_dispose(reader);
}
