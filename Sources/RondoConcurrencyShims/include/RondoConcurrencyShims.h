// One question to the concurrency runtime that Swift has no public function for.

#ifndef RONDO_CONCURRENCY_SHIMS_H
#define RONDO_CONCURRENCY_SHIMS_H

#include <stdbool.h>

/// Whether the calling thread runs code of a serial executor.
///
/// @param object The object of the executor: for an ordinary actor, the actor itself.
/// @param implementation The witness table of a custom executor; null for an ordinary actor.
/// @return false where the runtime cannot tell, so that the caller takes the way by a task.
bool rondo_isCurrentExecutor(const void *object, const void *implementation);

#endif
