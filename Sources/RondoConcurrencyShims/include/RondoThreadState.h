// What a thread knows: values that code further down the stack needs without being handed them.

#ifndef RONDO_THREAD_STATE_H
#define RONDO_THREAD_STATE_H

#include <stdbool.h>
#include <stdint.h>

/// What one thread knows. All of it is 0 on a thread that has set nothing, and belongs to code that is at work there.
///
/// A field of an object does not keep it alive; the code that has set the field does.
struct RondoThreadState {
  /// The storage of the transaction in force.
  void *_Nullable transaction;

  /// Says whether a machine is at work here that does not live on the main actor, and has effects: 1, or the address of the
  /// machine whose effect begins its work outside of the lock.
  uintptr_t machineAtWork;
  /// The loop that lets effects without a store begin.
  void *_Nullable beginningLoop;
  /// The number of pieces of effects, under ids of their own, that are beginning inside of one another.
  uintptr_t pieceDepth;
  /// The journal of the machine whose reducer runs.
  void *_Nullable journal;
  /// The address of the source of time and chance of the durable store whose reducer runs.
  uintptr_t turnSource;
  /// The test store, or another host of timelines, of which a method is at work.
  void *_Nullable timelineHost;

  /// The reads of the closure that observes.
  void *_Nullable trackedReads;
  /// The prepared forms of the reducers that a wrapper calls.
  void *_Nullable preparations;
  /// Whether the reducer of a presented child runs.
  bool isPresented;
  /// The numbers that a test store gives to new elements of stacks.
  void *_Nullable stackNumbers;
  /// The names of the case paths that a key path passes through.
  void *_Nullable caseNames;

  /// Whether a dependency is only asked for because a part of it is overridden.
  bool isOverriding;
  /// The notes of the code that asks for the default value of a dependency.
  void *_Nullable dependencyNotes;
  /// Whether redacted values cannot be encoded.
  bool refusesRedacted;
  /// Whether code has used memory outside of its state since an explorer has set this to false.
  bool hasUsedHiddenMemory;

  /// The handing over of a shared value by its key.
  void *_Nullable handover;
  /// The shared value that is being loaded.
  void *_Nullable sharedLoading;
  /// The loading and saving of the shared value whose change began first of those in progress.
  void *_Nullable sharedSaving;
  /// Whether a shared value is being saved to user defaults.
  bool isWritingAppStorage;
  /// The values that two compared states show for shared values.
  void *_Nullable sharedComparison;
  /// The number of changes of shared values.
  uintptr_t sharedMutations;
};

extern _Thread_local struct RondoThreadState rondo_stateOfThread;

/// What the calling thread knows.
static inline struct RondoThreadState *_Nonnull rondo_threadState(void) { return &rondo_stateOfThread; }

#endif
