// Counts the allocations of the process that links it.

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

/// Allocations so far, on all threads; 0 for ever where they cannot be counted.
int64_t allocation_count(void);

/// Bytes in use by allocations now; 0 where they cannot be counted.
int64_t allocated_bytes(void);

/// Does nothing. Whoever watches the process from outside sees where a measurement begins.
void measurement_begins(void);

/// Does nothing. Whoever watches the process from outside sees where a measurement ends.
void measurement_ends(void);

#endif
