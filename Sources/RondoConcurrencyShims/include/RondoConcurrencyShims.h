// Questions to the concurrency runtime that Swift has no public function for.

#ifndef RONDO_CONCURRENCY_SHIMS_H
#define RONDO_CONCURRENCY_SHIMS_H

#include <stdbool.h>
#include <stdint.h>

// Exported by the Swift runtime since Swift 6.2. Weak: it is null where a runtime lacks it.
__attribute__((swiftcall, weak)) extern bool swift_task_isCurrentExecutorWithFlags(
    const void *object, const void *implementation, uint64_t flags);

// Exported by the Swift runtime since Swift 5.7. Weak: it is null where a runtime lacks it.
__attribute__((swiftcall, weak)) extern uint64_t swift_task_getJobTaskId(void *job);

// Exported by the Swift runtime since Swift 5.5. Weak: its address is null where a runtime lacks it.
extern void *swift_task_enqueueGlobal_hook __attribute__((weak));

/// The place of the function that the runtime calls instead of giving a job to its concurrent pool.
///
/// @return null where the runtime has none.
static inline void **rondo_enqueueGlobalHook(void) { return &swift_task_enqueueGlobal_hook; }

/// The number of the task that a job is a piece of.
///
/// @return 0 where the runtime cannot tell.
static inline uint64_t rondo_taskNumber(void *job) {
  return swift_task_getJobTaskId != 0 ? swift_task_getJobTaskId(job) : 0;
}

/// Whether the calling thread runs code of a serial executor.
///
/// Inline, so that this target has no machine code of its own, and no debugging information in
/// another format than that of Swift.
///
/// @param object The object of the executor: for an ordinary actor, the actor itself.
/// @param implementation The witness table of a custom executor; null for an ordinary actor.
/// @return false where the runtime cannot tell, so that the caller takes the way by a task.
static inline bool rondo_isCurrentExecutor(const void *object, const void *implementation) {
  // No flags: the runtime answers, and never stops the program.
  return swift_task_isCurrentExecutorWithFlags != 0 &&
         swift_task_isCurrentExecutorWithFlags(object, implementation, 0);
}

#endif
