#include "mappers/qap/form.h"

#include <stdlib.h>
#include <string.h>

#include "common/numeric/gcd.h"

/* A matrix of the instance while it is converted. */
struct side {
  uint32_t n;
  int64_t *entry; /* without the diagonal */
  int64_t *diagonal;
  bool symmetric;
  uint32_t *class; /* of each row; interchangeable rows have the same class */
  uint64_t swaps;  /* pairs of rows with different classes */
  size_t entries;  /* number of entries that are not 0 */
};

static bool is_symmetric(const int64_t *m, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < i; j++)
      if (m[(size_t)i * n + j] != m[(size_t)j * n + i])
        return false;
  return true;
}

static enum status take_side(struct side *s, const int64_t *given, uint32_t n, struct arena *mem)
{
  *s = (struct side){.n = n,
                     .entry = arena_array(mem, (size_t)n * n, sizeof *s->entry),
                     .diagonal = arena_array(mem, n, sizeof *s->diagonal),
                     .symmetric = is_symmetric(given, n),
                     .class = arena_array(mem, n, sizeof *s->class)};
  if (arena_status(mem) != OK)
    return FAIL;
  memcpy(s->entry, given, (size_t)n * n * sizeof *given);
  for (uint32_t i = 0; i < n; i++) {
    s->diagonal[i] = given[(size_t)i * n + i];
    s->entry[(size_t)i * n + i] = 0;
  }
  return OK;
}

/* Makes the matrix symmetric: entry (i, j) becomes the sum of entries (i, j) and (j, i).  If the
 * other matrix is symmetric, the value depends only on these sums. */
static void add_transpose(struct side *s)
{
  const uint32_t n = s->n;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < i; j++) {
      int64_t *a = &s->entry[(size_t)i * n + j], *b = &s->entry[(size_t)j * n + i];
      *a = *b = *a + *b;
    }
}

/* Divides all entries and the diagonal by their greatest common divisor and returns it. */
static int64_t reduce(struct side *s)
{
  const size_t entries = (size_t)s->n * s->n;
  uint64_t divisor = 0;
  for (size_t i = 0; i < entries && divisor != 1; i++)
    divisor = gcd((uint64_t)llabs(s->entry[i]), divisor);
  for (uint32_t i = 0; i < s->n; i++)
    divisor = gcd((uint64_t)llabs(s->diagonal[i]), divisor);
  if (divisor <= 1)
    return 1;
  for (size_t i = 0; i < entries; i++)
    s->entry[i] /= (int64_t)divisor;
  for (uint32_t i = 0; i < s->n; i++)
    s->diagonal[i] /= (int64_t)divisor;
  return (int64_t)divisor;
}

static bool interchangeable(const struct side *s, uint32_t u, uint32_t v)
{
  const size_t n = s->n;
  const int64_t *m = s->entry;
  if (s->diagonal[u] != s->diagonal[v] || m[u * n + v] != m[v * n + u])
    return false;
  for (uint32_t k = 0; k < n; k++)
    if (k != u && k != v && (m[u * n + k] != m[v * n + k] || m[k * n + u] != m[k * n + v]))
      return false;
  return true;
}

static uint64_t row_sum(const struct side *s, uint32_t u)
{
  uint64_t sum = 0;
  for (uint32_t k = 0; k < s->n; k++)
    sum += (uint64_t)s->entry[(size_t)u * s->n + k];
  return sum;
}

/* Assigns classes: compares each row with the first row of each class that has the same sum. */
static enum status classify(struct side *s, struct err *e)
{
  ARENA(mem, e);
  uint64_t *sum = arena_array(&mem, s->n, sizeof *sum);
  uint32_t *leader = arena_array(&mem, s->n, sizeof *leader);
  uint32_t *members = arena_array(&mem, s->n, sizeof *members), classes = 0;
  if (arena_status(&mem) != OK)
    return FAIL;
  for (uint32_t u = 0; u < s->n; u++) {
    uint32_t c = 0;
    sum[u] = row_sum(s, u);
    while (c < classes && (sum[leader[c]] != sum[u] || !interchangeable(s, leader[c], u)))
      c++;
    if (c == classes)
      leader[classes++] = u;
    s->class[u] = c;
    s->swaps += u - members[c]++;
  }
  const size_t entries = (size_t)s->n * s->n;
  for (size_t i = 0; i < entries; i++)
    s->entries += s->entry[i] != 0;
  return OK;
}

/* The largest difference of two entries, the diagonal's zeros included. */
static uint64_t span(const struct side *s)
{
  int64_t low = 0, high = 0;
  for (size_t i = 0; i < (size_t)s->n * s->n; i++) {
    low = s->entry[i] < low ? s->entry[i] : low;
    high = s->entry[i] > high ? s->entry[i] : high;
  }
  return (uint64_t)(high - low);
}

/* The largest sum of the absolute flows of two facilities, in both directions. */
static uint64_t two_rows(const struct side *s)
{
  uint64_t first = 0, second = 0;
  for (uint32_t u = 0; u < s->n; u++) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < s->n; k++)
      sum += (uint64_t)llabs(s->entry[(size_t)u * s->n + k]) +
             (s->symmetric ? 0 : (uint64_t)llabs(s->entry[(size_t)k * s->n + u]));
    if (sum > first) {
      second = first;
      first = sum;
    } else if (sum > second)
      second = sum;
  }
  return first + second;
}

static uint64_t spread(const int64_t *v, uint32_t n)
{
  int64_t low = v[0], high = v[0];
  for (uint32_t i = 1; i < n; i++) {
    low = v[i] < low ? v[i] : low;
    high = v[i] > high ? v[i] : high;
  }
  return (uint64_t)(high - low);
}

/* True if changes of value fit in 32 bits.  A swap (u, v) changes the value by a sum of (flow[u][k]
 * - flow[v][k]) * (difference of two distances) and by a product of differences of the
 * diagonals. */
static bool fits_32_bits(const struct side *flow, const struct side *distance)
{
  uint64_t sums, selves;
  return !__builtin_mul_overflow(two_rows(flow), span(distance), &sums) &&
         !__builtin_mul_overflow(spread(flow->diagonal, flow->n),
                                 spread(distance->diagonal, flow->n), &selves) &&
         sums < INT32_MAX / 2 && selves < INT32_MAX / 2;
}

/* Orders the facilities by class. */
static void sort_facilities(struct form *f, const struct side *flow)
{
  const uint32_t n = f->n;
  uint32_t at = 0;
  for (uint32_t c = 0; at < n; c++) {
    const uint32_t begin = at;
    for (uint32_t u = 0; u < n; u++)
      if (flow->class[u] == c)
        f->order[at++] = u;
    for (uint32_t i = begin; i < at; i++)
      f->skip[i] = at;
  }
}

/* Copies the side, or its transpose, in the form's order and width.  NULL order: keeps the
 * order. */
static void *copy_side(const struct form *f, const struct side *s, const uint32_t *order,
                       bool transpose, struct arena *mem)
{
  const size_t n = f->n;
  void *copy = arena_array(mem, n * n, f->wide ? sizeof(int64_t) : sizeof(int32_t));
  for (size_t i = 0; copy != NULL && i < n * n; i++) {
    const size_t row = transpose ? i % n : i / n, column = transpose ? i / n : i % n;
    const size_t u = order == NULL ? row : order[row], v = order == NULL ? column : order[column];
    if (f->wide)
      ((int64_t *)copy)[i] = s->entry[u * n + v];
    else
      ((int32_t *)copy)[i] = (int32_t)s->entry[u * n + v];
  }
  return copy;
}

static void copy_sides(struct form *f, const struct side *flow, const struct side *distance,
                       struct arena *mem)
{
  f->flow = copy_side(f, flow, f->order, false, mem);
  f->distance = copy_side(f, distance, NULL, false, mem);
  f->back_flow = f->two ? copy_side(f, flow, f->order, true, mem) : f->flow;
  f->back_distance = f->two ? copy_side(f, distance, NULL, true, mem) : f->distance;
}

static void list_partners(struct form *f, const struct side *flow)
{
  const size_t n = f->n;
  size_t at = 0;
  for (uint32_t u = 0; u < n; u++) {
    const size_t i = f->order[u];
    for (uint32_t v = 0; v < n; v++) {
      const size_t j = f->order[v];
      if (flow->entry[i * n + j] != 0 || flow->entry[j * n + i] != 0)
        f->partner[at++] = v;
    }
    f->first[u + 1] = at;
  }
}

static void copy_diagonals(struct form *f, const struct side *flow, const struct side *distance)
{
  for (uint32_t u = 0; u < f->n; u++) {
    f->self[u] = flow->diagonal[f->order[u]];
    f->place[u] = distance->diagonal[u];
    f->region[u] = distance->class[u];
  }
}

static enum status fill(struct form *f, const struct side *flow, const struct side *distance,
                        struct arena *mem)
{
  const size_t n = f->n;
  f->swaps = flow->swaps;
  f->wide = !fits_32_bits(flow, distance);
  f->order = arena_array(mem, n, sizeof *f->order);
  f->skip = arena_array(mem, n, sizeof *f->skip);
  f->first = arena_array(mem, n + 1, sizeof *f->first);
  f->partner = arena_array(mem, flow->entries * (f->two ? 2 : 1), sizeof *f->partner);
  f->self = arena_array(mem, n, sizeof *f->self);
  f->place = arena_array(mem, n, sizeof *f->place);
  f->region = arena_array(mem, n, sizeof *f->region);
  if (arena_status(mem) != OK)
    return FAIL;
  sort_facilities(f, flow);
  copy_sides(f, flow, distance, mem);
  list_partners(f, flow);
  copy_diagonals(f, flow, distance);
  return arena_status(mem);
}

/* True if @p a should be the flow: it has fewer swaps to try, or equally many and more zeros, which
 * save time. */
static bool better_flow(const struct side *a, const struct side *b)
{
  return a->swaps != b->swaps ? a->swaps < b->swaps : a->entries < b->entries;
}

static void make_symmetric(struct form *f, struct side *flow, struct side *distance)
{
  f->two = !flow->symmetric && !distance->symmetric;
  if (f->two)
    return;
  add_transpose(flow->symmetric && !distance->symmetric ? distance : flow);
  flow->symmetric = distance->symmetric = true;
}

static enum status build(struct form *f, struct side *flow, struct side *distance,
                         struct arena *mem)
{
  make_symmetric(f, flow, distance);
  const int64_t divisor = reduce(flow);
  f->scale = divisor * reduce(distance);
  if (classify(flow, mem->e) != OK || classify(distance, mem->e) != OK)
    return FAIL;
  f->inverted = better_flow(distance, flow);
  return f->inverted ? fill(f, distance, flow, mem) : fill(f, flow, distance, mem);
}

enum status form_new(struct form **out, const struct qap *q, struct arena *mem)
{
  ARENA(room, mem->e);
  struct side flow, distance;
  struct form *f = arena_array(mem, 1, sizeof *f);
  if (f == NULL || take_side(&flow, q->flow, q->n, &room) != OK ||
      take_side(&distance, q->distance, q->n, &room) != OK)
    return FAIL;
  f->n = q->n;
  *out = f;
  return build(f, &flow, &distance, mem);
}

void form_assignment(const struct form *f, const uint32_t *location, uint32_t *at)
{
  for (uint32_t u = 0; u < f->n; u++)
    if (f->inverted)
      at[location[u]] = f->order[u];
    else
      at[f->order[u]] = location[u];
}
