/* Every setting enters keys and printed commands, from which it can be parsed again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/mem.h"
#include "setup/settings.h"
#include "tests/unit/scratch.h"

/* Values that differ from the defaults.  The words come from the value if `word` is NULL. */
static const struct sample {
  const char *name, *text, *word;
} SAMPLES[] = {
    {"model", "cm02", NULL},
    {"engine", "simgrid", NULL},
    {"precision", "1e-10", NULL},
    {"maxmin-precision", "1e-06", NULL},
    {"compute-scale", "0.1", NULL},
    {"jitter", "0.25", NULL},
    {"overlay", "random,density=2",
     "random,density=2,seed=1,setup=1,segment=32768B,buffer=262144B,relay=1e-05s,"
     "copy=1000000000Bps"},
    {"effect", "noise:sd=2%", NULL},
    {"effect", "contention:curve=1:1,4:0.45", NULL},
    {"eager-threshold", "100", NULL},
    {"ranks-per-host", "2", NULL},
    {"hosts", "0-3,5", NULL},
    {"unpack-limit", "1KiB", "1024B"},
    {"recorded-speed", "2.5Gf", "2500000000f"},
    {"align", NULL, ""},
    {"partial", NULL, ""},
    {"cores", "4", NULL},
    {"node", "pack:1 core:2", NULL},
    {"names", "hosts of.txt", NULL},
    {"collective", "allreduce=rdb", NULL},
    {"collective", "bcast=binomial_tree", NULL},
    {"collectives", "tuned.tsv", NULL},
    {"background", "tasks:3", NULL},
    {"background", "flows:4,size=100kB,gap=1ms", NULL},
    {"job", "npb:ep.S.2,start=1s", NULL},
    {"job", "npb:cg.S.2,mapping=xyz,hosts=0-3,repeat", NULL},
};

static void write_file(void)
{
  scratch_write("tuned.tsv", "collective\tranks\tfrom_bytes\talgorithm\nbcast\t4\t0\tflattree\n");
}

/* The place of an option in struct settings. */
struct place {
  const char *name;
  const struct cli_option *row;
  size_t base;
};

static enum status find(const struct cli_option *row, size_t base, void *state, struct err *e)
{
  struct place *at = state;
  (void)e;
  if (strcmp(row->name, at->name) == 0)
    *at = (struct place){row->name, row, base};
  return OK;
}

static struct place place_of(const char *name)
{
  struct place at = {.name = name};
  struct err e;
  assert_int_equal(cli_option_each(job_settings_options, 0, find, &at, &e), OK);
  assert_non_null(at.row);
  return at;
}

/* The settings of samples; their texts are in @p text. */
static struct settings make(const struct sample *sample, size_t n, char text[][64])
{
  struct settings s = settings_defaults();
  struct err e;
  for (size_t i = 0; i < n; i++) {
    const struct place at = place_of(sample[i].name);
    snprintf(text[i], 64, "%s", sample[i].text == NULL ? "" : sample[i].text);
    if (cli_option_parse(at.row, (char *)&s + at.base, text[i], &e) != OK)
      fail_msg("--%s %s: %s", sample[i].name, sample[i].text, e.text);
  }
  return s;
}

static enum status has_sample(const struct cli_option *row, size_t base, void *state, struct err *e)
{
  size_t i = 0;
  (void)base;
  (void)state;
  (void)e;
  while (i < COUNT(SAMPLES) && strcmp(SAMPLES[i].name, row->name) != 0)
    i++;
  if (i == COUNT(SAMPLES))
    fail_msg("setting '%s' has no sample", row->name);
  return OK;
}

static void every_setting_has_a_sample(void **state)
{
  (void)state;
  struct err e;
  cli_option_each(job_settings_options, 0, has_sample, NULL, &e);
}

static char *print(const struct settings *s, const struct cli_option_style *style)
{
  struct err e;
  char *text = settings_text(s, style, &e);
  assert_non_null(text);
  return text;
}

static void assert_has(const char *text, const char *word, bool wanted)
{
  if ((strstr(text, word) != NULL) != wanted)
    fail_msg("'%s' %s '%s'", text, wanted ? "lacks" : "has", word);
}

static void each_setting_is_printed(void **state)
{
  (void)state;
  const struct settings usual = settings_defaults();
  OWNED char *nothing = print(&usual, &cli_option_command);
  assert_string_equal(nothing, "");
  write_file();
  for (size_t i = 0; i < COUNT(SAMPLES); i++) {
    const struct cli_option *row = place_of(SAMPLES[i].name).row;
    const char *value = SAMPLES[i].word == NULL ? SAMPLES[i].text : SAMPLES[i].word;
    char text[1][64], word[256], option[256];
    const struct settings s = make(&SAMPLES[i], 1, text);
    OWNED char *command = print(&s, &cli_option_command);
    OWNED char *key = print(&s, &cli_option_key);
    OWNED char *whole = print(&s, &cli_option_whole_key);
    const bool quoted = strchr(value, ' ') != NULL;
    snprintf(word, sizeof word, "%s%s%s", row->name, *value == '\0' ? "" : "=", value);
    snprintf(option, sizeof option,
             *value == '\0' ? "--%s"
             : quoted       ? "--%s '%s'"
                            : "--%s %s",
             row->name, value);
    assert_string_equal(command, option);
    assert_has(key, word, row->key <= OPTION_KEY_ALWAYS);
    assert_has(whole, word, row->key != OPTION_KEY_NEVER);
  }
}

/* Copies all values of an option from one record to another by their texts. */
struct copy {
  const struct settings *from;
  struct settings to;
  char *text[COUNT(SAMPLES) + 1];
  size_t texts;
};

static enum status copy_option(const struct cli_option *row, size_t base, void *state,
                               struct err *e)
{
  struct copy *c = state;
  const struct settings usual = settings_defaults();
  const char *from = (const char *)c->from + base;
  if (!cli_option_differs(row, from, (const char *)&usual + base))
    return OK;
  for (size_t i = 0;; i++) {
    char **text = &c->text[c->texts];
    assert_true(c->texts <= COUNT(SAMPLES));
    if (cli_option_value(text, row, from, i, e) != OK)
      return FAIL;
    if (*text == NULL)
      return OK;
    c->texts++;
    if (cli_option_parse(row, (char *)&c->to + base, *text, e) != OK)
      return FAIL;
  }
}

static void all_settings_together_are_parsed_again(void **state)
{
  (void)state;
  char text[COUNT(SAMPLES)][64];
  struct err e;
  write_file();
  const struct settings s = make(SAMPLES, COUNT(SAMPLES), text);
  OWNED char *key = print(&s, &cli_option_whole_key);
  OWNED char *rest = print(&s, &cli_option_rest);
  struct copy c = {.from = &s, .to = settings_defaults()};
  assert_int_equal(cli_option_each(job_settings_options, 0, copy_option, &c, &e), OK);
  assert_int_equal(c.texts, COUNT(SAMPLES));
  OWNED char *again = print(&c.to, &cli_option_whole_key);
  OWNED char *rest_again = print(&c.to, &cli_option_rest);
  assert_string_equal(again, key);
  assert_string_equal(rest_again, rest);
  assert_string_equal(rest, "unpack-limit 1024B\n");
  for (size_t i = 0; i < c.texts; i++)
    free(c.text[i]);
}

/* A collective that is given its default algorithm does not follow a file. */
static void the_default_beside_a_file_is_a_setting(void **state)
{
  (void)state;
  static const struct sample ROWS[] = {{"collectives", "tuned.tsv", NULL},
                                       {"collective", "bcast=default", NULL}};
  char text[2][64], other[1][64];
  write_file();
  const struct settings with = make(ROWS, 2, text), alone = make(&ROWS[1], 1, other);
  OWNED char *both = print(&with, &cli_option_command);
  OWNED char *one = print(&alone, &cli_option_command);
  assert_string_equal(both, "--collective bcast=default --collectives tuned.tsv");
  assert_string_equal(one, "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_setting_has_a_sample),
      IN_FOLDER(each_setting_is_printed),
      IN_FOLDER(all_settings_together_are_parsed_again),
      IN_FOLDER(the_default_beside_a_file_is_a_setting),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
