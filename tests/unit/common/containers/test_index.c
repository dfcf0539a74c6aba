#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "common/containers/index.h"
#include "common/numeric/rng.h"

enum { KEYS = 3000 };

/* A hash of 7 values, so that most keys collide. */
static uint64_t poor_hash(uint64_t key)
{
  return key % 7;
}

static bool same(const void *keys, uint32_t number, const void *key)
{
  return ((const uint64_t *)keys)[number] == *(const uint64_t *)key;
}

static uint64_t poor_hash_of(const void *keys, uint32_t number)
{
  return poor_hash(((const uint64_t *)keys)[number]);
}

static uint64_t hash_of(const void *keys, uint32_t number)
{
  return index_mix(((const uint64_t *)keys)[number]);
}

static void check(uint64_t (*hash)(uint64_t), index_hash *of, uint32_t most)
{
  static uint64_t keys[KEYS];
  struct index x = {0};
  struct err e;
  struct rng rng = rng_new(1, 0);
  for (uint32_t i = 0; i < most; i++) {
    keys[i] = rng_below(&rng, UINT64_MAX / KEYS) * KEYS + i; /* all different */
    assert_int_equal(index_find(&x, hash(keys[i]), same, keys, &keys[i]), INDEX_NONE);
    assert_int_equal(index_reserve(&x, i, of, keys, &e), OK);
    index_add(&x, hash(keys[i]), i);
    assert_true(x.room >= 2 * ((size_t)i + 1));
    for (uint32_t k = i < 20 ? 0 : i - 20; k <= i; k++)
      assert_int_equal(index_find(&x, hash(keys[k]), same, keys, &keys[k]), k);
  }
  for (uint32_t i = 0; i < most; i++)
    assert_int_equal(index_find(&x, hash(keys[i]), same, keys, &keys[i]), i);
  index_clear(&x);
  assert_int_equal(index_find(&x, hash(keys[0]), same, keys, &keys[0]), INDEX_NONE);
}

static void every_key_has_its_number(void **state)
{
  (void)state;
  check(index_mix, hash_of, KEYS);
}

static void keys_with_equal_hashes_are_distinguished(void **state)
{
  (void)state;
  check(poor_hash, poor_hash_of, 300);
}

/* Rebuilding after some keys were removed. */
static void a_table_is_rebuilt(void **state)
{
  (void)state;
  uint64_t keys[100], others[50];
  struct index x = {0};
  struct err e;
  for (uint64_t i = 0; i < 100; i++)
    keys[i] = i * i;
  assert_int_equal(index_build(&x, 100, 100, hash_of, keys, &e), OK);
  for (uint32_t i = 0; i < 50; i++)
    others[i] = keys[2 * i + 1];
  assert_int_equal(index_build(&x, 50, 60, hash_of, others, &e), OK);
  for (uint32_t i = 0; i < 100; i++)
    assert_int_equal(index_find(&x, index_mix(keys[i]), same, others, &keys[i]),
                     i % 2 == 1 ? i / 2 : INDEX_NONE);
  index_clear(&x);
}

static void equal_strings_are_refused(void **state)
{
  (void)state;
  char *strings[] = {(char[]){"b"}, (char[]){"a"}, (char[]){"c"}, (char[]){"a"}};
  struct index x = {0};
  struct err e;
  assert_int_equal(index_strings(&x, strings, 3, "switches", &e), OK);
  for (uint32_t i = 0; i < 3; i++)
    assert_int_equal(index_find_string(&x, strings, strings[i]), i);
  assert_int_equal(index_find_string(&x, strings, "d"), INDEX_NONE);
  index_clear(&x);
  assert_int_equal(index_strings(&x, strings, 4, "switches", &e), FAIL);
  assert_string_equal(e.text, "two switches are named 'a'");
  index_clear(&x);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_key_has_its_number),
      cmocka_unit_test(keys_with_equal_hashes_are_distinguished),
      cmocka_unit_test(a_table_is_rebuilt),
      cmocka_unit_test(equal_strings_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
