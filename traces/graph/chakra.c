/* Chakra execution traces: the files NAME.0.et, NAME.1.et, ... of a set, one for each rank. */
#include "traces/graph/chakra.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/files/path.h"
#include "common/mem.h"
#include "common/num.h"
#include "traces/files/source.h"
#include "traces/graph/graph_trace.h"

#define ENDING ".et"

struct chakra {
  struct graph_trace graph;
  char *prefix;              /* "FOLDER/NAME" */
  char **file;               /* by rank */
  char *json;                /* file with process groups, or NULL */
  struct chakra_names names; /* in this file */
  uint64_t unpack_limit;
  struct chakra_doubts *doubts; /* by rank, of the ranks read */
  struct chakra_groups groups;
  char note[512];
};

/* --- the set of files ------------------------------------------------------------------------- */

/* Splits "NAME.RANK.et": the length of NAME, and the rank. */
static bool split_name(const char *text, size_t *length, uint32_t *rank)
{
  char digits[16];
  const size_t n = strlen(text);
  if (!path_ends_with(text, ENDING))
    return false;
  const char *end = text + n - strlen(ENDING), *dot = memrchr(text, '.', (size_t)(end - text));
  if (dot == NULL || dot == text || end - dot < 2 || end - dot > 9 ||
      (dot[1] == '0' && end - dot > 2))
    return false;
  memcpy(digits, dot + 1, (size_t)(end - dot - 1));
  digits[end - dot - 1] = '\0';
  *length = (size_t)(dot - text);
  return num_short(digits, rank);
}

/* True if the folder has files of Chakra and no index of SMPI's format. */
static bool folder_has_files(const char *path)
{
  DIR *d = opendir(path);
  bool has = false, index = false;
  const struct dirent *x;
  if (d == NULL)
    return false;
  while ((x = readdir(d)) != NULL) {
    has = has || path_ends_with(x->d_name, ENDING);
    index = index || strcmp(x->d_name, "index.txt") == 0;
  }
  closedir(d);
  return has && !index;
}

static bool is_prefix(const char *path)
{
  char first[4096];
  return access(path, F_OK) != 0 &&
         snprintf(first, sizeof first, "%s.0" ENDING, path) < (int)sizeof first &&
         access(first, F_OK) == 0;
}

static bool sniff(const char *path)
{
  return path_is_folder(path) ? folder_has_files(path)
                              : path_ends_with(path, ENDING) || is_prefix(path);
}

/* Finds the name of the set in a folder. */
static enum status find_name(const char *folder, char **prefix, struct err *e)
{
  DIR *d = opendir(folder);
  const struct dirent *x;
  size_t length;
  uint32_t rank;
  enum status s = OK;
  *prefix = NULL;
  if (d == NULL)
    return err_errno(e, folder, "cannot open");
  while (s == OK && (x = readdir(d)) != NULL) {
    if (!path_ends_with(x->d_name, ENDING))
      continue;
    char *name = NULL;
    if (!split_name(x->d_name, &length, &rank))
      s = err_set(e, "%s: the name of the file %.128s is not NAME.RANK" ENDING, folder, x->d_name);
    else if ((name = mem_printf(e, "%s/%.*s", folder, (int)length, x->d_name)) == NULL)
      s = FAIL;
    else if (*prefix != NULL && strcmp(*prefix, name) != 0)
      s = err_set(e, "%s: two sets of files, %.128s and %.128s", folder, *prefix, name);
    if (s == OK && *prefix == NULL)
      *prefix = name;
    else
      free(name);
  }
  closedir(d);
  if (s != OK) {
    free(*prefix);
    *prefix = NULL;
  }
  return s;
}

static enum status find_prefix(const char *path, char **prefix, struct err *e)
{
  size_t length;
  uint32_t rank;
  if (path_is_folder(path))
    return find_name(path, prefix, e);
  if (!path_ends_with(path, ENDING))
    *prefix = mem_strdup(path, e);
  else if (split_name(path, &length, &rank))
    *prefix = mem_printf(e, "%.*s", (int)length, path);
  else
    return err_set(
        e, "%s: one rank alone; a trace is a set of files NAME.0" ENDING ", NAME.1" ENDING ", ...",
        path);
  return *prefix == NULL ? FAIL : OK;
}

/* The highest rank with a file of the set. */
static enum status last_rank(const char *prefix, uint32_t *last, struct err *e)
{
  const char *name = path_name(prefix);
  char *folder = mem_printf(e, "%.*s.", path_folder(prefix), prefix);
  DIR *d = folder == NULL ? NULL : opendir(folder);
  const struct dirent *x;
  size_t length;
  uint32_t rank;
  *last = 0;
  free(folder);
  if (d == NULL)
    return folder == NULL ? FAIL : err_errno(e, prefix, "cannot open its folder");
  while ((x = readdir(d)) != NULL)
    if (split_name(x->d_name, &length, &rank) && length == strlen(name) &&
        memcmp(x->d_name, name, length) == 0 && rank > *last)
      *last = rank;
  closedir(d);
  return OK;
}

static enum status list_files(struct chakra *t, struct err *e)
{
  uint32_t last;
  if (last_rank(t->prefix, &last, e) != OK)
    return FAIL;
  if (last >= SOURCE_RANKS_MAX)
    return err_set(e, "%s.%" PRIu32 ENDING ": more than %d ranks", t->prefix, last,
                   SOURCE_RANKS_MAX);
  for (uint32_t r = 0; r <= last; r++) { /* checked before the array for all ranks is allocated */
    char *name = mem_printf(e, "%s.%" PRIu32 ENDING, t->prefix, r);
    const bool there = name != NULL && access(name, F_OK) == 0;
    if (name != NULL && !there)
      err_set(e, "%s: no such file, but there is one of rank %" PRIu32, name, last);
    free(name);
    if (!there)
      return FAIL;
  }
  if ((t->file = mem_array((size_t)last + 3, sizeof *t->file, e)) == NULL)
    return FAIL;
  for (uint32_t r = 0; r <= last; r++)
    if ((t->file[r] = mem_printf(e, "%s.%" PRIu32 ENDING, t->prefix, r)) == NULL)
      return FAIL;
  t->graph.trace.ranks = t->groups.ranks = last + 1;
  return OK;
}

/* Reads NAME.json beside the files, if it exists: it has process groups. */
static enum status read_json(struct chakra *t, struct err *e)
{
  char *name = mem_printf(e, "%s.json", t->prefix);
  if (name == NULL)
    return FAIL;
  if (access(name, F_OK) != 0) {
    free(name);
    return OK;
  }
  t->json = t->file[t->graph.trace.ranks] = name;
  return chakra_load_groups(&t->names, &t->groups, t->json, e);
}

/* --- a rank ----------------------------------------------------------------------------------- */

static enum status load(struct trace *trace, uint32_t rank, struct graph *out, struct err *e)
{
  struct chakra *t = (struct chakra *)trace;
  struct chakra_names names = {.set = &t->names};
  struct bytes file;
  if (bytes_open(&file, t->file[rank], t->unpack_limit, e) != OK)
    return FAIL;
  const struct chakra_rank from = {&file, rank, &t->groups, &names};
  const enum status s = chakra_read_rank(&from, out, &t->doubts[rank], e);
  bytes_close(&file);
  chakra_names_clear(&names);
  return s;
}

/* --- the format ------------------------------------------------------------------------------- */

static void close_chakra(struct trace *trace)
{
  struct chakra *t = (struct chakra *)trace;
  graph_trace_clear(&t->graph);
  chakra_names_clear(&t->names);
  chakra_groups_clear(&t->groups);
  for (uint32_t r = 0; t->file != NULL && t->file[r] != NULL; r++)
    free(t->file[r]);
  free(t->file);
  free(t->prefix);
  free(t->doubts);
}

static enum status open_chakra(struct trace *trace, uint64_t unpack_limit, struct err *e)
{
  struct chakra *t = (struct chakra *)trace;
  t->unpack_limit = unpack_limit;
  if (find_prefix(trace->name, &t->prefix, e) != OK || list_files(t, e) != OK ||
      read_json(t, e) != OK || graph_trace_init(&t->graph, e) != OK)
    return FAIL;
  t->doubts = mem_array(trace->ranks, sizeof *t->doubts, e);
  return t->doubts == NULL ? FAIL : OK;
}

/* The list of files ends with the JSON file, if it exists; the array has an entry for it. */
static const char *input(const struct trace *trace, size_t i)
{
  const struct chakra *t = (const struct chakra *)trace;
  return i < t->graph.trace.ranks + (t->json != NULL) ? t->file[i] : NULL;
}

static const char *file_of(const struct trace *t, uint32_t rank)
{
  return ((const struct chakra *)t)->file[rank];
}

static const char *note(struct trace *trace, size_t i)
{
  static const char *const TEXT[] = {
      "dependences on nodes that are not in the files are dropped",
      "control dependences are dropped, as they form cycles: only data dependences state an order",
      "collectives do not name their root: the first member of the group is the root"};
  struct chakra *t = (struct chakra *)trace;
  uint64_t sum[] = {0, 0, 0};
  size_t k = 0;
  for (uint32_t r = 0; r < trace->ranks; r++) {
    sum[0] += t->doubts[r].dropped;
    sum[1] += t->doubts[r].control;
    sum[2] += t->doubts[r].roots;
  }
  while (k < 3 && (sum[k] == 0 || i-- > 0))
    k++;
  if (k == 3)
    return NULL;
  snprintf(t->note, sizeof t->note, "%s: %" PRIu64 " %s", trace->name, sum[k], TEXT[k]);
  return t->note;
}

const struct trace_format trace_chakra = {
    .name = "Chakra",
    .bytes = sizeof(struct chakra),
    .sniff = sniff,
    .open = open_chakra,
    .close = close_chakra,
    .next = graph_trace_next,
    .rewind = graph_trace_rewind,
    .file = file_of,
    .input = input,
    .graph = load,
    .note = note,
};
