#include "RondoConcurrencyShims.h"

#include <stdint.h>

// Exported by the Swift runtime since Swift 6.2. Weak: a runtime without it answers "cannot tell".
__attribute__((swiftcall, weak)) bool swift_task_isCurrentExecutorWithFlags(
    const void *object, const void *implementation, uint64_t flags);

bool rondo_isCurrentExecutor(const void *object, const void *implementation) {
  // No flags: the runtime answers, and never stops the program.
  return swift_task_isCurrentExecutorWithFlags != 0 &&
         swift_task_isCurrentExecutorWithFlags(object, implementation, 0);
}
