#include "mappers/qap/kernels.h"

#include <string.h>

/* Builds with a sanitizer have no clones: the loader selects a clone before the sanitizer is
 * ready. */
#if defined(__x86_64__) && !defined(HAICHI_SANITIZED) && !defined(__SANITIZE_THREAD__)
#define KERNEL static __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define KERNEL static
#endif

/* Entries processed together; the stride is a multiple. */
#define LANES TABLES_LANES

/* The dimensions of a table and the @p count facilities with an x other than 0. */
struct shape {
  uint32_t n, stride, count;
  const uint32_t *skip, *facility;
};

/* Facility u moves to the location of facility v. */
struct move {
  uint32_t u, v;
};

static struct shape shape_of(const struct tables *t)
{
  return (struct shape){
      .n = t->form->n, .stride = t->stride, .skip = t->form->skip, .facility = t->some};
}

/* The first column to process in row u: skip[u] rounded down to whole lanes, or the stride if the
 * row has no swaps.  Entries below skip[u] are garbage. */
static inline uint32_t shape_begin(const struct shape *s, uint32_t u)
{
  return s->skip[u] == s->n ? s->stride : s->skip[u] / LANES * LANES;
}

#define ENTRY      int32_t
#define WORD       uint32_t
#define ENTRY_MIN  INT32_MIN
#define ENTRY_MAX  INT32_MAX
#define NAME(name) name##_32
#include "mappers/qap/kernels_loops.h"

#undef ENTRY
#undef WORD
#undef ENTRY_MIN
#undef ENTRY_MAX
#undef NAME
#define ENTRY      int64_t
#define WORD       uint64_t
#define ENTRY_MIN  INT64_MIN
#define ENTRY_MAX  INT64_MAX
#define NAME(name) name##_64
#include "mappers/qap/kernels_loops.h"
