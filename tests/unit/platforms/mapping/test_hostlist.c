#include "platforms/mapping/hostlist.h"
#include "tests/unit/count.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void lists_expand_to_names(void **state)
{
  (void)state;
  static const struct {
    const char *text, *names; /* each name followed by a blank */
  } rows[] = {
      {"", ""},
      {" ,\n", ""},
      {"login1", "login1 "},
      {"a,b a\tc\r\nd", "a b a c d "},
      {"nid[001-003,070],login1", "nid001 nid002 nid003 nid070 login1 "},
      {"n[8-11]", "n8 n9 n10 n11 "},
      {"n[08-11]", "n08 n09 n10 n11 "},
      {"n[98-101]", "n98 n99 n100 n101 "},
      {"n[3,1-2,1]", "n3 n1 n2 n1 "},
      {"rack[0-1]n[00-02]", "rack0n00 rack0n01 rack0n02 rack1n00 rack1n01 rack1n02 "},
      {"[5-6][1,2]x-y", "51x-y 52x-y 61x-y 62x-y "},
      {"n[000000000000000001]", "n000000000000000001 "},
      {"n[999999999999999998-999999999999999999]", "n999999999999999998 n999999999999999999 "},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct hostlist l;
    struct err e;
    char names[256] = "";
    size_t n = 0;
    if (hostlist_parse(&l, rows[i].text, &e) != OK)
      fail_msg("'%s': %s", rows[i].text, e.text);
    for (size_t k = 0; k < l.count; k++)
      n += (size_t)snprintf(names + n, sizeof names - n, "%s ", l.name[k]);
    assert_string_equal(names, rows[i].names);
    hostlist_clear(&l);
  }
}

static void bad_lists_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text, *why;
  } rows[] = {
      {"n[1-3", "expected ',' or ']' after a number"},
      {"n[1-3]]", "']' without '['"},
      {"n]", "']' without '['"},
      {"n\x7f", "a character that is not printable ASCII"},
      {"n[]", "a bracket has numbers and ranges such as [0-3,7]"},
      {"n[1,]", "a bracket has numbers and ranges such as [0-3,7]"},
      {"n[-3]", "a bracket has numbers and ranges such as [0-3,7]"},
      {"n[1-]", "a bracket has numbers and ranges such as [0-3,7]"},
      {"n[a]", "a bracket has numbers and ranges such as [0-3,7]"},
      {"n[[1]]", "a bracket has numbers and ranges such as [0-3,7]"},
      {"n[1-9:2]", "expected ',' or ']' after a number"},
      {"n[1-2-3]", "expected ',' or ']' after a number"},
      {"n[1, 2]", "a bracket has numbers and ranges such as [0-3,7]"},
      {"n[3-1]", "range 3-1 ends before it begins"},
      {"n[0000000000000000001]", "a number has more than 18 digits"},
      {"n[0-999999999]", "the list has more than 1048576 names"},
      {"n[0-1048576]", "the list has more than 1048576 names"},
      {"n[0-999999999999999999,0-999999999999999999]", "the list has more than 1048576 names"},
      {"n[0-1023][0-1024]", "the list has more than 1048576 names"},
      {"n[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]", "the list has more than 1048576 names"},
      {"n[1][1][1][1][1][1][1][1][1]", "more than 8 brackets"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct hostlist l;
    struct err e = {.text = ""};
    char sentence[256];
    snprintf(sentence, sizeof sentence, "host list '%s': %s",
             strchr(rows[i].text, '\x7f') == NULL ? rows[i].text : "n?", rows[i].why);
    assert_int_equal(hostlist_parse(&l, rows[i].text, &e), FAIL);
    assert_string_equal(e.text, sentence);
    assert_true(l.count == 0 && l.name == NULL);
  }
}

static void limits_hold_for_a_list(void **state)
{
  (void)state;
  struct hostlist l;
  struct err e;
  char name[HOSTLIST_NAME_MAX + 2];
  assert_int_equal(hostlist_parse(&l, "n[0-1023][0-1023]", &e), OK);
  assert_int_equal(l.count, HOSTLIST_MOST);
  assert_string_equal(l.name[l.count - 1], "n10231023");
  hostlist_clear(&l);
  assert_int_equal(hostlist_parse(&l, "n[0-1048574],a,b", &e), FAIL);
  assert_string_equal(e.text, "host list 'b': the list has more than 1048576 names");
  memset(name, 'x', sizeof name);
  name[HOSTLIST_NAME_MAX] = '\0';
  assert_int_equal(hostlist_parse(&l, name, &e), OK);
  assert_string_equal(l.name[0], name);
  hostlist_clear(&l);
  name[HOSTLIST_NAME_MAX] = 'x';
  name[HOSTLIST_NAME_MAX + 1] = '\0';
  assert_int_equal(hostlist_parse(&l, name, &e), FAIL);
  assert_non_null(strstr(e.text, "a name has more than 127 bytes"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_expand_to_names),
      cmocka_unit_test(bad_lists_are_refused),
      cmocka_unit_test(limits_hold_for_a_list),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
