#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tasks/cost.h"
#include "tasks/files/files.h"
#include "tests/unit/scratch.h"

static enum status load(struct tasknet *n, const char *text, struct err *e)
{
  const struct scratch_file f = scratch_file(text, strlen(text));
  const enum status s = tasknet_load(n, f.path, e);
  scratch_close(&f);
  return s;
}

/* The same workflow in all formats: a writes 100 bytes for b and c, and 7 for c only; b writes
 * 20 for d; d follows c without data.  Prints the streams in order as "from>to to:volume". */
static void print(const struct tasknet *n, char *out, size_t size)
{
  size_t at = 0;
  for (uint32_t s = 0; s < n->streams; s++) {
    const struct tasknet_stream *stream = &n->stream[s];
    at += (size_t)snprintf(out + at, size - at, "%s>",
                           tasknet_name(n, n->producer[stream->from].array));
    for (uint32_t c = 0; c < stream->consumers; c++)
      at += (size_t)snprintf(out + at, size - at, "%s%s", c == 0 ? "" : " ",
                             tasknet_name(n, n->consumer[stream->to + c].array));
    at += (size_t)snprintf(out + at, size - at, ":%g ", tasknet_stream_volume(n, s));
  }
}

static void workflows_of_all_formats_give_the_same_network(void **state)
{
  (void)state;
  static const struct {
    const char *text, *streams;
    double compute; /* of b */
  } cases[] = {
      {"{\"workflow\": {\"specification\": {\"tasks\": [\n"
       "{\"id\": \"a\", \"name\": \"x\", \"children\": [\"b\", \"c\"], \"outputFiles\": [\"f\", "
       "\"g\"]},\n"
       "{\"id\": \"b\", \"name\": \"y\", \"parents\": [\"a\"], \"inputFiles\": [\"f\", \"h\"],\n"
       "  \"outputFiles\": [\"h\"]},\n"
       "{\"id\": \"c\", \"name\": \"z\", \"parents\": [\"x\"], \"inputFiles\": [\"f\", \"g\", "
       "\"f\"]},\n"
       "{\"id\": \"d\", \"parents\": [\"b\", \"c\"], \"inputFiles\": [\"h\", \"given\"]}],\n"
       "\"files\": [{\"id\": \"f\", \"sizeInBytes\": 100}, {\"id\": \"g\", \"sizeInBytes\": 7},\n"
       "  {\"id\": \"h\", \"sizeInBytes\": 20}, {\"id\": \"given\", \"sizeInBytes\": 9}]},\n"
       "\"execution\": {\"machines\": [{\"nodeName\": \"m\", \"cpu\": {\"speedInMHz\": 2000}}],\n"
       "\"tasks\": [{\"id\": \"a\", \"runtimeInSeconds\": 0, \"machines\": [\"m\"]},\n"
       "{\"id\": \"b\", \"runtimeInSeconds\": 1.5, \"machines\": [\"m\"]},\n"
       "{\"id\": \"c\", \"runtimeInSeconds\": 2}, {\"id\": \"d\", \"runtimeInSeconds\": 0}]}}}",
       "a>c:7 a>b c:100 b>d:20 c>d:0 ", 3e9},
      {"{\"workflow\": {\"machines\": [{\"nodeName\": \"m\", \"cpu\": {\"speed\": 3000}}], "
       "\"jobs\": [\n"
       "{\"name\": \"a\", \"runtime\": 1, \"parents\": [], \"files\": [\n"
       "  {\"link\": \"output\", \"name\": \"f\", \"size\": 100},\n"
       "  {\"link\": \"output\", \"name\": \"g\", \"size\": 7}]},\n"
       "{\"name\": \"b\", \"runtime\": 2, \"machine\": \"m\", \"parents\": [\"a\"], \"files\": [\n"
       "  {\"link\": \"input\", \"name\": \"f\", \"size\": 100},\n"
       "  {\"link\": \"output\", \"name\": \"h\", \"size\": 20}]},\n"
       "{\"name\": \"c\", \"runtime\": 3, \"parents\": [\"a\"], \"files\": [\n"
       "  {\"link\": \"input\", \"name\": \"f\"}, {\"link\": \"input\", \"name\": \"g\"}]},\n"
       "{\"name\": \"d\", \"runtime\": 4, \"parents\": [\"b\", \"c\"],\n"
       "  \"files\": [{\"link\": \"input\", \"name\": \"h\"}]}]}}",
       "a>c:7 a>b c:100 b>d:20 c>d:0 ", 6e9},
      {"<?xml version='1.0'?><!-- <x> --><adag name='t'>\n"
       "<job id='a' runtime='1'><uses file='f' link='output' size='100'/>"
       "<uses file='g' link='output' size='7'/></job>\n"
       "<job id='b' runtime='2'><uses name='f' link='input' size='100'/>"
       "<uses file='h' link='output' size='20'/></job>\n"
       "<job id='c' runtime='3'><uses file='f' link='input'/><uses file='g' link='input'/></job>\n"
       "<job id='d' runtime='4'><uses file='h' link='input'/></job>\n"
       "<child ref='d'><parent ref='c'/><parent ref='b'/></child></adag>",
       "a>c:7 a>b c:100 b>d:20 c>d:0 ", 2 * 4.2e9},
      {"// made by hand\ndigraph G {\n node [shape=box];\n rankdir = LR;\n"
       " a [size=\"1e9\"]; b [size=\"5\", label=\"x y\"]\n c; /* d\n comes */ d [size=2];\n"
       " a -> b [size=100];\n a -> c [size=107]; # both\n b -> d [size=\"20\"]\n c -> d\n}\n",
       "a>b:100 a>c:107 b>d:20 c>d:0 ", 5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tasknet n;
    struct err e = {""};
    char text[256];
    if (load(&n, cases[i].text, &e) != OK)
      fail_msg("case %zu: %s", i, e.text);
    print(&n, text, sizeof text);
    assert_string_equal(text, cases[i].streams);
    assert_int_equal(n.elements, 4);
    assert_true(n.array[1].cost.compute == cases[i].compute);
    assert_true(n.array[0].cost.out == (i < 3 ? 107 : 207));
    tasknet_clear(&n);
  }
}

/* Files listed twice, SimGrid's reading of inout, strict graphs, and names that are keywords. */
static void uses_and_edges_count_once(void **state)
{
  (void)state;
  static const struct {
    const char *text, *streams;
  } cases[] = {
      {"<adag><job id='a' runtime='1'><uses file='f' link='output' size='100'/>"
       "<uses file='f' link='output' size='100'/></job>"
       "<job id='b' runtime='1'><uses file='f' link='input' size='100'/></job></adag>",
       "a>b:100 "},
      {"<adag><job id='a' runtime='1'><uses file='f' link='inout' size='100'/></job>"
       "<job id='b' runtime='1'><uses file='f' link='inout' size='100'/></job>"
       "<child ref='b'><parent ref='a'/></child></adag>",
       "a>b:0 "},
      {"{\"workflow\": {\"tasks\": [{\"id\": \"a\", \"runtime\": 1, \"files\": [\n"
       "{\"link\": \"output\", \"name\": \"f\", \"size\": 3}, "
       "{\"link\": \"output\", \"name\": \"f\", \"size\": 3}]},\n"
       "{\"id\": \"b\", \"files\": [{\"link\": \"input\", \"name\": \"f\"}]}]}}",
       "a>b:3 "},
      {"digraph {a->b[size=10]; a->b[size=20]}", "a>b:30 "},
      {"strict digraph {a->b[size=10]; a->b[size=20]}", "a>b:20 "},
      {"STRICT Digraph {\"node\" -> \"edge\" [size=5]; NODE [size=3]}", "node>edge:5 "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tasknet n;
    struct err e = {""};
    char text[256];
    if (load(&n, cases[i].text, &e) != OK)
      fail_msg("case %zu: %s", i, e.text);
    print(&n, text, sizeof text);
    assert_string_equal(text, cases[i].streams);
    assert_int_equal(n.elements, 2);
    tasknet_clear(&n);
  }
}

static void bad_files_are_refused_with_the_line(void **state)
{
  (void)state;
  static const struct {
    const char *text, *error;
  } cases[] = {
      {"{\n\"workflow\": }", ":2: column 13: "},
      {"{}", ":1: no workflow of WfCommons"},
      {"{\"workflow\": {\"tasks\": [\n{}]}}", ":1: a task without id and name"},
      {"{\"workflow\": {\"tasks\": [\n{\"id\": \"a\", \"parents\": [\"q\"]}]}}",
       ":2: 'q': there is no such task"},
      {"{\"workflow\": {\"tasks\": [\n{\"id\": \"a\"},\n{\"id\": \"a\"}]}}",
       ":2: there are two tasks 'a'"},
      {"{\"workflow\": {\"tasks\": [\n{\"id\": \"a\", \"runtime\": -1}]}}", ":2: 'a': a time"},
      {"{\"workflow\": {\"tasks\": [\n{\"id\": \"a\", \"runtime\": \"1\"}]}}", ":2: 'a': a time"},
      {"{\"workflow\": {\"tasks\": [\n{\"id\": \"a\", \"inputFiles\": [3]}]}}",
       ":2: 'a': a file without a name"},
      {"{\"workflow\": {\"tasks\": [{\"id\": \"a\", \"runtime\": 1, \"parents\": [\"b\"]},\n"
       "{\"id\": \"b\", \"parents\": [\"a\"]}]}}",
       "in a cycle: "},
      {"{\"workflow\": {\n\"tasks\": [{\"id\": \"a\"}]}}", ":2: no task has a run time"},
      {"{\"workflow\": {\"tasks\": [\n{\"id\": \"a\", \"runtime\": 1, \"parents\": {}}]}}",
       ":2: 'a': parents is no array"},
      {"digraph {\n\"\xff\" [size=3]; }", ":2: a word that is not UTF-8"},
      {"{\"workflow\": {\"tasks\": []}}", "a network without tasks"},
      {"<adag>\n<job id='a' runtime='x'/></adag>", ":2: runtime: 'x'"},
      {"<adag>\n<job/></adag>", ":2: an element lacks the attribute 'id'"},
      {"<adag><job id='a'/>\n<child ref='b'/></adag>", ":2: there is no job 'b'"},
      {"<adag><job id='a'/>\n<job id='a'/></adag>", ":2: there are two tasks 'a'"},
      {"<adag>\n<job id='a'>\n</adag>", ":3: "},
      {"<adag><job id='a'/><job id='b'/>\n<child ref='a'><parent ref='b'/></child>"
       "<child ref='b'><parent ref='a'/></child></adag>",
       ":1: the tasks wait for each other in a cycle"},
      {"// no graph\ngraph {}", ":2: expected 'digraph' and found 'g'"},
      {"digraph {\n a -> }", ":2: expected a name and found '}'"},
      {"digraph {\n a [size=x]", ":2: size: 'x'"},
      {"digraph G\n a", ":2: expected '{' and found 'a'"},
      {"digraph {\n\"a", ":2: a quoted word that is too long or has no end"},
      {"digraph { subgraph x { a }\n}", ":1: subgraphs are not supported"},
      {"digraph { a }\n}", ":2: expected the end of the file"},
      {"digraph { a\n", ":2: expected a name and found 'the end of the file'"},
      {"digraph { a -> b\n b -> a }", ":1: the tasks wait for each other in a cycle"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tasknet n;
    struct err e = {""};
    assert_int_equal(load(&n, cases[i].text, &e), FAIL);
    if (strstr(e.text, cases[i].error) == NULL)
      fail_msg("case %zu: '%s' lacks '%s'", i, e.text, cases[i].error);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(workflows_of_all_formats_give_the_same_network),
      cmocka_unit_test(uses_and_edges_count_once),
      cmocka_unit_test(bad_files_are_refused_with_the_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
