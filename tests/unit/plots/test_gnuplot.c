#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "plots/gnuplot.h"
#include "tests/unit/count.h"

static void labels_of_files(void **state)
{
  (void)state;
  static const struct {
    const char *path, *label;
  } ROWS[] = {
      {"cg.A.64.tar.zst", "cg.A.64"},
      {"/a/b.txt/cg.A.64.txt.gz", "cg.A.64"},
      {"/a/cg.A.64/index.txt", "cg.A.64"},
      {"a/cg.A.64///", "cg.A.64"},
      {"index.txt", "index"},
      {"/index.txt", "index"},
      {"/", "/"},
      {"", ""},
      {".zst", ".zst"},
      {"npb:cg.C.512@10", "cg.C.512@10"},
      {"xyz.links.tsv", "xyz.links"},
      {"\xc3\xa9\xe9\xe2\x82\xac\xf0\x9f\x98\x80\x80.gz", "\xc3\xa9?\xe2\x82\xac\xf0\x9f\x98\x80?"},
      {"\xe0\x9f\xbf\xed\xa0\x80\xf0\x8f\xbf\xbf\xf4\x90\x80\x80", "??????????????"},
      {"\xe0\xa0\x80\xed\x9f\xbf\xf4\x8f\xbf\xbf", "\xe0\xa0\x80\xed\x9f\xbf\xf4\x8f\xbf\xbf"},
      {"0123456789012345678901\xc3\xa9 5678901234567890123456789",
       "0123456789012345678901...8901234567890123456789"},
      {"012345678901234567890\xc3\xa9 45678901234567890123456789",
       "012345678901234567890?...8901234567890123456789"},
      {"0123456789012345678901234567890123456789012345678.tar",
       "0123456789012345678901...7890123456789012345678"},
  };
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    char label[GNUPLOT_LABEL_SIZE];
    gnuplot_file_label(label, ROWS[i].path);
    assert_string_equal(label, ROWS[i].label);
  }
}

static void long_labels_lose_their_middle(void **state)
{
  (void)state;
  static const char LONG[] = "anneal:steps=1000000,restarts=10,objective=hop-bytes,a=1";
  char label[GNUPLOT_LABEL_SIZE];
  gnuplot_label(label, LONG + 8);
  assert_string_equal(label, LONG + 8);
  gnuplot_label(label, LONG + 7);
  assert_string_equal(label, "steps=1000000,restarts...bjective=hop-bytes,a=1");
}

/* DejaVu Sans takes 158 pixels for the first label at 20 pixels. */
static void names_fit(void **state)
{
  (void)state;
  char label[GNUPLOT_LABEL_SIZE] = "wan-A-B_DOWN";
  assert_true(gnuplot_width(label) >= 158);
  gnuplot_fit(label, gnuplot_width(label));
  assert_string_equal(label, "wan-A-B_DOWN");
  for (size_t pixels = 200; pixels >= 30; pixels--) {
    snprintf(label, sizeof label, "montage-chameleon-2mass-0\xc3\xa9 5d-001");
    gnuplot_fit(label, pixels);
    assert_true(gnuplot_width(label) <= pixels);
    assert_non_null(strstr(label, "..."));
  }
  snprintf(label, sizeof label, "montage-chameleon-2mass-005d-001");
  gnuplot_fit(label, 200);
  assert_string_equal(label, "montage...05d-001");
  snprintf(label, sizeof label, "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW");
  gnuplot_fit(label, 48 * 18 - 1);
  assert_true(strlen(label) < sizeof label);
}

static void text_cannot_leave_its_quotes(void **state)
{
  (void)state;
  char text[128];
  FILE *f = fmemopen(text, sizeof text, "w");
  gnuplot_text(f, "name", "it's `date` \n@x \"y\" \t-\x7f ]]> ]>");
  fclose(f);
  assert_string_equal(text, "name = 'it''s `date` ?@x \"y\" ?-? ]]? ]>'\n");
}

static void a_legend_flows(void **state)
{
  (void)state;
  char text[1024] = "";
  FILE *f = fmemopen(text, sizeof text, "w");
  struct gnuplot_key k = {.f = f};
  gnuplot_key_add(&k, "0123456789", 7);
  gnuplot_key_add(&k, "0123456789012345678901234", 8);
  gnuplot_key_add(&k, "ilil", 9);
  gnuplot_key_break(&k);
  gnuplot_key_add(&k, "last", 1);
  gnuplot_key_end(&k);
  fclose(f);
  assert_string_equal(
      text, "key_1 = '0123456789'\nkey_series_1 = 7\nkey_x_1 = 10.\nkey_row_1 = 1\n"
            "key_2 = '0123456789012345678901234'\nkey_series_2 = 8\nkey_x_2 = 168.\nkey_row_2 = 1\n"
            "key_3 = 'ilil'\nkey_series_3 = 9\nkey_x_3 = 506.\nkey_row_3 = 1\n"
            "key_4 = 'last'\nkey_series_4 = 1\nkey_x_4 = 10.\nkey_row_4 = 2\n"
            "key_count = 4\nkey_rows = 2\n");
  static const char *const PAIRS[] = {"0123456789012345678901234567890", "MMMMMMMMMMMMMMM",
                                      "ééééééééééééééééé"};
  for (size_t i = 0; i < COUNT(PAIRS); i++) { /* too wide to share a line */
    f = fmemopen(text, sizeof text, "w");
    k = (struct gnuplot_key){.f = f};
    gnuplot_key_add(&k, PAIRS[i], 1);
    gnuplot_key_add(&k, "0123456789012345678901234567890", 2);
    gnuplot_key_end(&k);
    fclose(f);
    assert_int_equal(k.rows, 2);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(labels_of_files), cmocka_unit_test(long_labels_lose_their_middle),
      cmocka_unit_test(names_fit),       cmocka_unit_test(text_cannot_leave_its_quotes),
      cmocka_unit_test(a_legend_flows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
