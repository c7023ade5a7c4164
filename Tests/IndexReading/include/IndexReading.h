// The index that the compiler writes beside its objects: where each symbol is declared and named.

#ifndef INDEX_READING_H
#define INDEX_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Opens an index with the library that the toolchain brings for it.
///
/// @return null where there is no index, or where the toolchain that the process runs with lacks the
/// library.
void *index_open(const char *path);

/// Calls a function with every file that was compiled.
///
/// @param body Takes the path of the file, the name of the record of its symbols, and the time when the
/// record was chosen, in nanoseconds. A file that was compiled for several uses comes several times.
void index_eachFile(
    void *index, void *context,
    void (*body)(void *context, const char *path, const char *record, int64_t time));

/// Calls a function with every place in a record where a symbol is declared or named.
///
/// @param body Takes the identity of the symbol, its name, whether it is declared here or only named, and
/// the line.
void index_eachPlace(
    void *index, const char *record, void *context,
    void (*body)(
        void *context, const char *symbol, const char *name, bool isDeclared, unsigned line));

#endif
