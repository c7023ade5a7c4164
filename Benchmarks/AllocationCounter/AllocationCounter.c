// Stands in front of the C library's allocator and counts.

#include "AllocationCounter.h"

#if defined(__linux__) && defined(__GLIBC__)

#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_llong count;

static void count_one(void) {
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
  count_one();
  return __libc_malloc(size);
}

void *calloc(size_t members, size_t size) {
  count_one();
  return __libc_calloc(members, size);
}

void *realloc(void *pointer, size_t size) {
  count_one();
  return __libc_realloc(pointer, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
  count_one();
  *pointer = __libc_memalign(alignment, size);
  return *pointer == NULL ? 12 : 0;
}

int64_t allocation_count(void) {
  return atomic_load_explicit(&count, memory_order_relaxed);
}

int64_t allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}

#else

int64_t allocation_count(void) { return 0; }
int64_t allocated_bytes(void) { return 0; }

#endif

// The barriers keep the compiler from making one function of the two, or none.
__attribute__((noinline)) void measurement_begins(void) { __asm__ volatile("" ::: "memory"); }

__attribute__((noinline)) void measurement_ends(void) { __asm__ volatile("nop" ::: "memory"); }
