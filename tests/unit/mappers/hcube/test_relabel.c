#include "mappers/hcube/relabel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"

#define MOST 5

/* Values of a relabelling, recounted. */
struct values {
  uint64_t equal, differ;
};

static struct values value_of(const struct relabelling *r, uint32_t bits,
                              const struct relabel_arc *arc, size_t arcs)
{
  struct values v = {0, 0};
  for (size_t i = 0; i < arcs; i++) {
    const uint32_t off = arc[i].a ^ relabel_apply(r, bits, arc[i].b);
    v.equal += off == 0 ? arc[i].weight : 0;
    v.differ += arc[i].weight * (uint32_t)__builtin_popcount(off);
  }
  return v;
}

/* The best values of all bits! * 2^bits relabellings. */
static void look_at_all(struct relabelling *r, uint32_t depth, uint32_t bits,
                        const struct relabel_arc *arc, size_t arcs, struct values *best)
{
  if (depth < bits) {
    for (uint32_t p = 0; p < bits; p++) {
      bool used = false;
      for (uint32_t i = 0; i < depth; i++)
        used |= r->from[i] == p;
      r->from[depth] = (uint8_t)p;
      if (!used)
        look_at_all(r, depth + 1, bits, arc, arcs, best);
    }
    return;
  }
  for (r->flip = 0; r->flip < 1u << bits; r->flip++) {
    const struct values v = value_of(r, bits, arc, arcs);
    best->equal = v.equal > best->equal ? v.equal : best->equal;
    best->differ = v.differ < best->differ ? v.differ : best->differ;
  }
}

static void check(uint32_t bits, const struct relabel_arc *arc, size_t arcs)
{
  struct relabel_scratch s = {0};
  struct relabelling r, all = {.exact = true};
  struct values best = {0, UINT64_MAX};
  struct err e;
  look_at_all(&all, 0, bits, arc, arcs, &best);
  assert_int_equal(relabel_most_equal(arc, arcs, bits, &s, &r, &e), OK);
  relabel_scratch_clear(&s);
  assert_true(r.exact);
  assert_int_equal(r.value, best.equal);
  assert_int_equal(value_of(&r, bits, arc, arcs).equal, r.value);
  relabel_least_bits(arc, arcs, bits, &r);
  assert_int_equal(r.value, best.differ);
  assert_int_equal(value_of(&r, bits, arc, arcs).differ, r.value);
}

static void relabellings_are_the_best_of_all(void **state)
{
  (void)state;
  struct rng r = rng_new(1, 0);
  for (uint32_t i = 0; i < 400; i++) {
    struct relabel_arc arc[1 << 2 * MOST];
    const uint32_t bits = i % (MOST + 1), chance = (uint32_t[]){30, 100, 400, 1000}[i % 4];
    size_t arcs = 0;
    for (uint32_t a = 0; a < 1u << bits; a++)
      for (uint32_t b = 0; b < 1u << bits; b++)
        if (rng_below(&r, 1000) < chance || a + b == 0)
          arc[arcs++] = (struct relabel_arc){a, b, 1 + rng_below(&r, 1 + i % 3)};
    check(bits, arc, arcs);
  }
}

/* A hidden relabelling of a cube is found although half of the arcs are random. */
static void hidden_relabellings_are_found(void **state)
{
  (void)state;
  struct rng r = rng_new(2, 0);
  for (uint32_t bits = 6; bits <= 13; bits++) {
    const uint32_t n = 1u << (bits < 10 ? bits : 10);
    struct relabel_arc *arc = calloc(2 * n, sizeof *arc);
    struct relabel_scratch s = {0};
    struct relabelling hidden = {.flip = (uint32_t)rng_below(&r, 1u << bits)}, found;
    struct err e;
    uint32_t from[RELABEL_MAX_BITS];
    assert_non_null(arc);
    for (uint32_t i = 0; i < bits; i++)
      from[i] = i;
    rng_shuffle(&r, from, bits);
    for (uint32_t i = 0; i < bits; i++)
      hidden.from[i] = (uint8_t)from[i];
    for (uint32_t i = 0; i < n; i++) {
      arc[i] = (struct relabel_arc){relabel_apply(&hidden, bits, i), i, 1};
      arc[n + i] = (struct relabel_arc){(uint32_t)rng_below(&r, 1u << bits), i, 1};
      if (arc[n + i].a == arc[i].a)
        arc[n + i].a ^= 1;
    }
    assert_int_equal(relabel_most_equal(arc, 2 * n, bits, &s, &found, &e), OK);
    assert_true(found.value >= n);
    for (uint32_t i = 0; i < n; i++)
      assert_int_equal(relabel_apply(&found, bits, i), arc[i].a);
    relabel_scratch_clear(&s);
    free(arc);
  }
}

/* Horiike's example, once with the arc of his solution and once with the arc as printed. */
static void the_paper_s_example(void **state)
{
  (void)state;
  struct relabel_arc arc[] = {{1, 6, 1}, {3, 7, 1}, {2, 2, 1}, {4, 0, 1}};
  static const uint32_t want[] = {3, 2};
  for (uint32_t i = 0; i < 2; i++) {
    struct relabel_scratch s = {0};
    struct relabelling r = {.from = {0, 1, 2}};
    struct err e;
    assert_int_equal(value_of(&r, 3, arc, 4).equal, 1);
    assert_int_equal(relabel_most_equal(arc, 4, 3, &s, &r, &e), OK);
    assert_int_equal(r.value, want[i]);
    r = (struct relabelling){.from = {1, 0, 2},
                             .flip = 4}; /* the paper's: exchange bits 0, 1; invert bit 2 */
    assert_int_equal(value_of(&r, 3, arc, 4).equal, want[i]);
    relabel_scratch_clear(&s);
    check(3, arc, 4);
    arc[1].b = 5;
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relabellings_are_the_best_of_all),
      cmocka_unit_test(hidden_relabellings_are_found),
      cmocka_unit_test(the_paper_s_example),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
