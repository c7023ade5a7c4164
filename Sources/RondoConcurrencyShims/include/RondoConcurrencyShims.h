// Questions to the concurrency runtime and to Dispatch that Swift has no public function for.

#ifndef RONDO_CONCURRENCY_SHIMS_H
#define RONDO_CONCURRENCY_SHIMS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "RondoThreadState.h"

// Exported by the Swift runtime since Swift 6.2. Weak: it is null where a runtime lacks it.
__attribute__((swiftcall, weak)) extern bool swift_task_isCurrentExecutorWithFlags(
    const void *object, const void *implementation, uint64_t flags);

// Exported by the Swift runtime since Swift 5.7. Weak: it is null where a runtime lacks it.
__attribute__((swiftcall, weak)) extern uint64_t swift_task_getJobTaskId(void *job);

// Exported by the Swift runtime since Swift 5.5. Weak: it is null where a runtime lacks it.
__attribute__((swiftcall, weak)) extern void *swift_task_getCurrent(void);

// Exported by the Swift runtime since Swift 5.5. Weak: it is null where a runtime lacks it.
__attribute__((swiftcall, weak)) extern void swift_task_cancel(void *task);

/// The task that the calling code runs in; null where there is none, or where the runtime cannot tell.
static inline void *rondo_currentTask(void) {
  return swift_task_getCurrent != 0 ? swift_task_getCurrent() : 0;
}

/// Cancels a task, which has to live.
static inline void rondo_cancelTask(void *task) {
  if (swift_task_cancel != 0) swift_task_cancel(task);
}

/// Whether the calling code may run in a task.
///
/// @return true where the runtime cannot tell.
static inline bool rondo_isInTask(void) {
  return swift_task_getCurrent == 0 || swift_task_getCurrent() != 0;
}

/// The calling thread, as a number other than 0.
static inline unsigned long rondo_thread(void) { return (unsigned long)pthread_self(); }

/// The number of the task that a job is a piece of.
///
/// @return 0 where the runtime cannot tell.
static inline uint64_t rondo_taskNumber(void *job) {
  return swift_task_getJobTaskId != 0 ? swift_task_getJobTaskId(job) : 0;
}

/// Whether the calling thread runs code of a serial executor.
///
/// Inline, as all functions here, so that this target has no machine code of its own.
///
/// @param object The object of the executor: for an ordinary actor, the actor itself.
/// @param implementation The witness table of a custom executor; null for an ordinary actor.
/// @return false where the runtime cannot tell, so that the caller takes the way by a task.
static inline bool rondo_isCurrentExecutor(const void *object, const void *implementation) {
  // No flags: the runtime answers, and never stops the program.
  return swift_task_isCurrentExecutorWithFlags != 0 &&
         swift_task_isCurrentExecutorWithFlags(object, implementation, 0);
}

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

// Exported by libdispatch for the run loop of Foundation. Weak: they are null where it lacks them.
__attribute__((weak)) extern int _dispatch_get_main_queue_handle_4CF(void);
__attribute__((weak)) extern void _dispatch_main_queue_callback_4CF(void *message);

/// The descriptor of an event that is set while work waits on the main queue.
///
/// @return -1 where libdispatch has none.
static inline int rondo_mainQueueDescriptor(void) {
  return _dispatch_get_main_queue_handle_4CF != 0 && _dispatch_main_queue_callback_4CF != 0
             ? _dispatch_get_main_queue_handle_4CF()
             : -1;
}

/// Runs the work that waits on the main queue. Only the first thread of the process may do so.
static inline void rondo_runMainQueue(void) {
  if (_dispatch_main_queue_callback_4CF != 0) _dispatch_main_queue_callback_4CF(0);
}

/// Whether the calling thread is the one that the process began with.
static inline bool rondo_isFirstThread(void) { return syscall(SYS_gettid) == getpid(); }
#endif

#endif
