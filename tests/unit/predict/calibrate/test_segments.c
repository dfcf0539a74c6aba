#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "predict/calibrate/segments.h"
#include "tests/unit/count.h"

enum { MOST_POINTS = 140 };

/* A line that is valid from a size on. */
struct piece {
  double from, at_zero, slope;
};

struct model {
  struct piece piece[8];
  size_t pieces;
};

static double value(const struct model *m, double x)
{
  size_t k = 0;
  while (k + 1 < m->pieces && x >= m->piece[k + 1].from)
    k++;
  return m->piece[k].at_zero + m->piece[k].slope * x;
}

/* Normally distributed with standard deviation 1 (Box and Muller). */
static double normal(struct rng *r)
{
  const double u = 1 - rng_double(r), v = rng_double(r);
  return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

/* Six points per doubling of x, starting at 16. */
static size_t sample(const struct model *m, double noise, bool known, struct rng *r,
                     struct segments_point *point)
{
  size_t n = 0;
  for (double at = 4; n < MOST_POINTS && at < 22; at += 1.0 / 6) {
    const double x = floor(exp2(at + rng_double(r) / 6));
    if (n > 0 && x <= point[n - 1].x)
      continue;
    point[n++] = (struct segments_point){
        .x = x, .y = value(m, x) * (1 + noise * normal(r)), .error = known ? noise : NAN};
  }
  return n;
}

static const struct model STEPS = {
    {{0, 1e-6, 1e-9}, {300, 2e-6, 1e-9}, {5000, 2e-6, 2e-9}, {70000, 5e-5, 1e-9}}, 4};

static void steps_without_noise_are_found(void **state)
{
  (void)state;
  struct segments_point point[MOST_POINTS];
  struct segment s[SEGMENTS_MOST];
  struct rng r = rng_new(1, 0);
  struct err e;
  size_t count;
  const size_t n = sample(&STEPS, 0, true, &r, point);
  assert_int_equal(segments_fit(s, &count, point, n, 16, &e), OK);
  assert_int_equal(count, STEPS.pieces);
  for (size_t k = 0; k < count; k++) {
    const struct piece *p = &STEPS.piece[k];
    assert_int_equal(s[k].first, k == 0 ? 0 : s[k - 1].end);
    assert_true(point[s[k].first].x >= p->from);
    assert_true(k == 0 || point[s[k].first - 1].x < p->from);
    assert_true(fabs(s[k].at_zero / p->at_zero - 1) < 1e-9);
    assert_true(fabs(s[k].slope / p->slope - 1) < 1e-9);
    assert_true(s[k].error < 1e-12);
  }
  assert_int_equal(s[count - 1].end, n);
}

static void the_limit_of_segments_is_kept(void **state)
{
  (void)state;
  struct segments_point point[MOST_POINTS];
  struct segment s[SEGMENTS_MOST];
  struct rng r = rng_new(1, 0);
  struct err e;
  size_t count;
  const size_t n = sample(&STEPS, 0, true, &r, point);
  for (size_t most = 1; most < STEPS.pieces; most++) {
    assert_int_equal(segments_fit(s, &count, point, n, most, &e), OK);
    assert_int_equal(count, most);
  }
}

/* A model of one to six pieces.  Each step changes the value by a third or more, up or down. */
static struct model draw_model(struct rng *r)
{
  struct model m = {.pieces = 1 + rng_below(r, 6)};
  double from = 16, latency = 1e-7 * pow(1000, rng_double(r)),
         slope = 1e-10 * pow(100, rng_double(r));
  m.piece[0] = (struct piece){0, latency, slope};
  for (size_t k = 1; k < m.pieces; k++) {
    from *= 4 + 4 * rng_double(r);
    const double factor = rng_below(r, 3) == 0 ? 0.65 : 1.4 + rng_double(r);
    latency *= factor;
    slope *= factor * (0.95 + 0.1 * rng_double(r));
    m.piece[k] = (struct piece){from, latency, slope};
  }
  return m;
}

/* The largest relative difference from the model. */
static double largest_error(const struct model *m, const struct segment *s, size_t count,
                            const struct segments_point *point)
{
  double most = 0;
  for (size_t k = 0; k < count; k++)
    for (size_t i = s[k].first; i < s[k].end; i++) {
      const double fitted = s[k].at_zero + s[k].slope * point[i].x;
      most = fmax(most, fabs(fitted / value(m, point[i].x) - 1));
    }
  return most;
}

/* 100 random models each, with known and with unknown noise. */
static void random_models_are_recovered(void **state)
{
  (void)state;
  static const struct {
    double noise;
    bool known;
    double error; /* maximum over all points */
  } ROWS[] = {{0, true, 1e-5}, {0.003, true, 0.01}, {0.02, true, 0.05}, {0.02, false, 0.05}};
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    int counted = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
      struct segments_point point[MOST_POINTS];
      struct segment s[SEGMENTS_MOST];
      struct rng r = rng_new(seed, i);
      struct err e;
      size_t count;
      const struct model m = draw_model(&r);
      const size_t n = sample(&m, ROWS[i].noise, ROWS[i].known, &r, point);
      assert_int_equal(segments_fit(s, &count, point, n, 16, &e), OK);
      const double error = largest_error(&m, s, count, point);
      counted += count == m.pieces;
      if (error > ROWS[i].error)
        fail_msg("row %zu, seed %ju: an error of %g", i, (uintmax_t)seed, error);
    }
    if (counted < 98)
      fail_msg("row %zu: the number of steps is found for %d models of 100", i, counted);
  }
}

/* Both parameters of a line are positive for any points. */
static void both_parameters_of_a_line_are_positive(void **state)
{
  (void)state;
  static const double Y[][6] = {{5, 5, 5, 5, 5, 5},          /* flat */
                                {6, 5, 4, 3, 2, 1},          /* falling */
                                {1, 10, 100, 1e3, 1e4, 1e5}, /* convex */
                                {1, 1e5, 1, 1e5, 1, 1e5}};
  static const double X[][6] = {{1, 2, 3, 4, 5, 6}, {0, 1, 2, 4, 8, 1e9}};
  struct err e;
  for (size_t i = 0; i < COUNT(Y) * COUNT(X); i++) {
    struct segments_point point[6];
    struct segment s[SEGMENTS_MOST];
    size_t count;
    for (size_t k = 0; k < 6; k++)
      point[k] = (struct segments_point){X[i % COUNT(X)][k], Y[i / COUNT(X)][k], 0};
    assert_int_equal(segments_fit(s, &count, point, 6, 16, &e), OK);
    for (size_t k = 0; k < count; k++) {
      assert_true(s[k].at_zero > 0 && s[k].slope > 0);
      assert_true(isfinite(s[k].at_zero) && isfinite(s[k].slope) && isfinite(s[k].error));
    }
  }
}

/* A segment that no line fits does not hide other segments. */
static void a_bad_segment_hides_no_other(void **state)
{
  (void)state;
  struct segments_point point[MOST_POINTS];
  struct segment s[SEGMENTS_MOST];
  struct rng r = rng_new(1, 0);
  struct err e;
  size_t count;
  const size_t n = sample(&STEPS, 0.001, true, &r, point);
  for (size_t i = n - 6; i < n; i++)
    point[i].y *= 1 + 0.8 * rng_double(&r);
  assert_int_equal(segments_fit(s, &count, point, n, 16, &e), OK);
  assert_true(count >= STEPS.pieces);
  for (size_t k = 1; k < STEPS.pieces; k++) {
    assert_true(point[s[k].first].x >= STEPS.piece[k].from);
    assert_true(point[s[k].first - 1].x < STEPS.piece[k].from);
  }
}

static void too_few_and_too_many_are_refused(void **state)
{
  (void)state;
  static struct segments_point point[SEGMENTS_POINTS + 1];
  struct segment s[SEGMENTS_MOST];
  struct err e;
  size_t count;
  for (size_t i = 0; i < COUNT(point); i++)
    point[i] = (struct segments_point){(double)i, 1 + (double)i, 0};
  assert_int_equal(segments_fit(s, &count, point, 0, 16, &e), FAIL);
  assert_int_equal(segments_fit(s, &count, point, 2, 16, &e), FAIL);
  assert_string_equal(e.text, "2 sizes are too few for a line, which needs 3");
  assert_int_equal(segments_fit(s, &count, point, SEGMENTS_POINTS + 1, 16, &e), FAIL);
  assert_string_equal(e.text, "4097 sizes are above the maximum of 4096");
  assert_int_equal(segments_fit(s, &count, point, 3, 16, &e), OK);
  assert_int_equal(count, 1);
  assert_true(fabs(s[0].at_zero - 1) < 1e-9 && fabs(s[0].slope - 1) < 1e-9);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_without_noise_are_found),
      cmocka_unit_test(the_limit_of_segments_is_kept),
      cmocka_unit_test(random_models_are_recovered),
      cmocka_unit_test(both_parameters_of_a_line_are_positive),
      cmocka_unit_test(a_bad_segment_hides_no_other),
      cmocka_unit_test(too_few_and_too_many_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
