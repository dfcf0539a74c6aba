#include "sim/tasknet/record.h"

#include <stdlib.h>

#include "tests/unit/tasks/build.h"

static const struct build_array ARRAYS[] = {
    {"a\"b", 1, TASKNET_A, {2, 0, 0, 1}}, {"c", 3, TASKNET_A, {1, 0, 0, 1}}, {.name = NULL}};

/* Host 1 waits for c[0], then runs c[1], which takes no time; host 2 has no task. */
static const uint32_t HOST[] = {0, 1, 1, 0};
static const double START[] = {0, 3, 4.5, 2}, END[] = {2, 4.5, 4.5, 6};
static const uint32_t PLACE[] = {0, 0, 1, 1};

struct recorded {
  struct tasknet net;
  struct platform *platform;
  uint32_t host[4];
  double start[4], end[4];
  struct abstract_run run;
  struct record record;
};

static void recorded_new(struct recorded *x)
{
  static const struct platform_params PARAMS;
  struct err e = {""};
  *x = (struct recorded){.net = build(ARRAYS, NULL)};
  memcpy(x->host, HOST, sizeof HOST);
  memcpy(x->start, START, sizeof START);
  memcpy(x->end, END, sizeof END);
  x->run =
      (struct abstract_run){.host = x->host, .start = x->start, .end = x->end, .makespan_s = 6};
  if (platform_from_spec(&x->platform, "torus:3", &PARAMS, &e) != OK ||
      record_new(&x->record, &x->net, x->platform, &x->run, PLACE, &e) != OK)
    fail_msg("%s", e.text);
}

static void recorded_clear(struct recorded *x)
{
  record_clear(&x->record);
  platform_free(x->platform);
  tasknet_clear(&x->net);
}

static void host_name(const struct recorded *x, uint32_t h, char *name)
{
  char buffer[PLATFORM_NAME_SIZE];
  snprintf(name, PLATFORM_NAME_SIZE, "%s",
           platform_host_name(x->platform, h, buffer, sizeof buffer));
}

static void tables_have_hosts_and_dates(void **state)
{
  (void)state;
  struct recorded x;
  struct err e = {""};
  char a[PLATFORM_NAME_SIZE], b[PLATFORM_NAME_SIZE], c[PLATFORM_NAME_SIZE], expected[2048];
  char *text = NULL;
  size_t size;
  recorded_new(&x);
  FILE *f = open_memstream(&text, &size);
  assert_int_equal(record_print_tasks(&x.record, f, &e), OK);
  record_print_hosts(&x.record, f);
  fclose(f);
  host_name(&x, 0, a);
  host_name(&x, 1, b);
  host_name(&x, 2, c);
  snprintf(expected, sizeof expected,
           "task\thost\torder\tstart_s\tend_s\twait_s\n"
           "a\"b\t%s\t0\t0\t2\t0\nc[0]\t%s\t0\t3\t4.5\t3\nc[1]\t%s\t1\t4.5\t4.5\t0\n"
           "c[2]\t%s\t1\t2\t6\t0\n"
           "host\ttasks\tbusy_s\twait_s\tend_s\tuse\n"
           "%s\t2\t6\t0\t6\t1\n%s\t2\t1.5\t3\t4.5\t0.25\n%s\t0\t0\t0\t0\t0\n",
           a, b, b, a, a, b, c);
  assert_string_equal(text, expected);
  free(text);
  recorded_clear(&x);
}

static char *timeline(struct recorded *x, const char *format)
{
  struct err e = {""};
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  assert_int_equal(
      record_print_timeline(&x->record, registry_get(&timeline_formats, format, &e), f, &e), OK);
  fclose(f);
  return text;
}

/* In order of time; intervals of length 0 are omitted, and quotes in names are replaced. */
static void timelines_are_in_order(void **state)
{
  (void)state;
  struct recorded x;
  recorded_new(&x);
  char *csv = timeline(&x, "csv"), *chrome = timeline(&x, "chrome"), *paje = timeline(&x, "paje");
  char a[PLATFORM_NAME_SIZE], b[PLATFORM_NAME_SIZE], c[PLATFORM_NAME_SIZE], text[1024];
  host_name(&x, 0, a);
  host_name(&x, 1, b);
  host_name(&x, 2, c);
  snprintf(text, sizeof text,
           "host,start_s,end_s,state\n%s,0,2,a_b\n%s,0,3,wait\n%s,3,4.5,c\n%s,2,6,c\n", a, b, b, a);
  assert_string_equal(csv, text);
  assert_non_null(strstr(chrome, "\"args\":{\"name\":\"hosts\"}"));
  snprintf(text, sizeof text, "\"args\":{\"name\":\"%s\"}", c);
  assert_non_null(strstr(chrome, text));
  assert_non_null(strstr(chrome, "\"ts\":0.000,\"dur\":2000000.000,\"name\":\"a_b\"}"));
  assert_non_null(strstr(paje, "0 R 0 \"host\"\n"));
  snprintf(text, sizeof text, "3 0 r2 R 0 \"%s\"\n", c);
  assert_non_null(strstr(paje, text));
  assert_non_null(strstr(paje, "2 s0 S \"a_b\""));
  assert_non_null(strstr(paje, "2 s2 S \"c\""));
  assert_null(strstr(paje, "2 s3 S"));
  free(csv);
  free(chrome);
  free(paje);
  recorded_clear(&x);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_have_hosts_and_dates),
                                     cmocka_unit_test(timelines_are_in_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
