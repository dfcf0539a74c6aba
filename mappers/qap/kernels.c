#include "mappers/qap/kernels.h"

#include <string.h>

/* A sanitizer is not ready when the loader chooses among clones. */
#if defined(__x86_64__) && !defined(HAICHI_SANITIZED)
#define KERNEL static __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define KERNEL static
#endif

/* The @p count facilities of which something is not 0. */
struct some {
  uint32_t n, count;
  const uint32_t *skip, *facility;
};

#define ENTRY int32_t
#define WORD uint32_t
#define ENTRY_MIN INT32_MIN
#define ENTRY_MAX INT32_MAX
#define NAME(name) name##_32
#include "mappers/qap/kernels_loops.h"

#undef ENTRY
#undef WORD
#undef ENTRY_MIN
#undef ENTRY_MAX
#undef NAME
#define ENTRY int64_t
#define WORD uint64_t
#define ENTRY_MIN INT64_MIN
#define ENTRY_MAX INT64_MAX
#define NAME(name) name##_64
#include "mappers/qap/kernels_loops.h"
