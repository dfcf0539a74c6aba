/** @file parsed.h
 *  A parsed C text and its communicating symbols, for tests.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "predict/instrument/comm.h"
#include "predict/instrument/source/parse.h"

struct parsed {
  struct tree tree;
  struct comm comm;
};

/** One line, so that the text itself begins at line 2. */
#define PARSED_MPI                                                                                 \
  "int MPI_Barrier(int), MPI_Send(void *, int), MPI_Allreduce(void *, int), printf(const char *, " \
  "...);\n"

/** Parses PARSED_MPI and @p text; fails the test on syntax errors.  The caller ends it with
 *  parsed_close(). */
static inline void parsed_open(struct parsed *p, const char *text)
{
  char path[] = "/tmp/parsed-XXXXXX.c";
  const char *const source = path;
  const struct parse_job job = {.source = &source, .sources = 1};
  struct messages said = {0};
  struct err e = {.text = ""};
  const int fd = mkstemps(path, 2);
  assert_true(fd >= 0);
  FILE *f = fdopen(fd, "w");
  assert_non_null(f);
  fputs(PARSED_MPI, f);
  fputs(text, f);
  fclose(f);
  *p = (struct parsed){.comm = {.reaches = NULL}};
  const enum status s = parse_sources(&p->tree, &job, &said, &e);
  unlink(path);
  if (s != OK || comm_find(&p->comm, &p->tree, &e) != OK)
    fail_msg("%s", e.text);
  messages_clear(&said);
}

static inline void parsed_close(struct parsed *p)
{
  comm_clear(&p->comm);
  tree_clear(&p->tree);
}

/** The symbol with this name, which must exist. */
static inline uint32_t parsed_symbol(const struct parsed *p, const char *name)
{
  for (uint32_t i = 0; i < p->tree.symbols; i++)
    if (strcmp(p->tree.symbol[i].name, name) == 0)
      return i;
  fail_msg("no symbol %s", name);
  return TREE_NONE;
}
