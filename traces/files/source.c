#include "traces/files/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/files/lines.h"
#include "common/files/path.h"
#include "common/mem.h"
#include "traces/files/members.h"
#include "traces/files/merged.h"
#include "traces/files/text.h"
#include "traces/files/unpack.h"

struct source {
  char *path; /* as given; /dev/stdin for "-" */
  char *top;  /* file on disk that was opened first: path, or the index in this folder */
  struct spool *spool;
  struct members member; /* files of the archive, if it is one */
  char *folder;          /* base of names in the index: "" or ends in '/' */
  struct text *text;     /* one per rank, or the merged file alone */
  size_t count, capacity;
  uint32_t ranks;
  bool merged;
  uint32_t first; /* stream of rank 0 of a merged file */
};

uint32_t source_ranks(const struct source *s)
{
  return s->ranks;
}

const char *source_input(const struct source *s, size_t i)
{
  if (i == 0)
    return s->top;
  /* An archive or merged file is the only file on disk. */
  const bool alone = s->member.count > 0 || (s->merged && strcmp(s->text->name, s->top) == 0);
  return !alone && i <= s->count ? s->text[i - 1].name : NULL;
}

const char *source_file(const struct source *s, uint32_t rank)
{
  return s->text[s->merged ? 0 : rank].name;
}

bool source_numbered(const struct source *s)
{
  return s->merged;
}

uint64_t source_size(const struct source *s, uint32_t rank)
{
  return s->merged ? 0 : s->text[rank].size;
}

struct text_cursor source_start(struct source *s, uint32_t rank)
{
  return s->merged ? text_start_part(s->text, s->spool, s->first + rank)
                   : text_start(&s->text[rank], s->spool);
}

/* Appends a text and takes over its name.  A NULL name means that memory ran out. */
static enum status add_text(struct source *s, struct text t, struct err *e)
{
  if (t.name == NULL)
    return err_set(e, "out of memory");
  if (MEM_GROW(s->text, s->capacity, s->count + 1, e) != OK) {
    free(t.name);
    return FAIL;
  }
  s->text[s->count++] = t;
  return OK;
}

/* A line of an index, for error messages. */
struct place {
  const char *index;
  uint64_t line;
};

/* A name in an index is not the name of a file.  A trace of another format in a pipe is taken for
 * an index, because formats are recognised by content, which a pipe gives only once. */
static enum status refuse_name(const struct place *at, const char *name, bool there, struct err *e)
{
  struct stat st;
  const bool piped =
      strcmp(at->index, "/dev/stdin") == 0 || (stat(at->index, &st) == 0 && !S_ISREG(st.st_mode));
  return err_at(e, at->index, at->line, "%s'%.256s'%s%s", there ? "" : "there is no file ", name,
                there ? " is not a file" : "",
                piped ? "; foreign traces are not read from standard input or a pipe" : "");
}

/* Adds a file named by an index: a file of the archive, or a file relative to the index, or
 * relative to the current folder. */
static enum status find_file(struct source *s, const struct place *at, const char *name,
                             struct err *e)
{
  if (s->member.count > 0) {
    const struct member *m = members_find(&s->member, s->folder, name);
    if (m == NULL)
      m = members_find(&s->member, "", name);
    if (m == NULL)
      return err_at(e, at->index, at->line, "no file '%.256s' in the archive", name);
    return add_text(s, (struct text){mem_printf(e, "%s/%s", s->path, m->name), 0, m->stream, false},
                    e);
  }
  struct stat st;
  char *path = *name == '/' ? NULL : mem_printf(e, "%s%s", s->folder, name);
  bool there = path != NULL && stat(path, &st) == 0;
  if (!there) {
    free(path);
    path = mem_strdup(name, e);
    there = path != NULL && stat(path, &st) == 0;
  }
  if (there && S_ISREG(st.st_mode))
    return add_text(s, (struct text){path, (uint64_t)st.st_size, TEXT_IN_PLACE, false}, e);
  free(path);
  return refuse_name(at, name, there, e);
}

/* Reads one line of an index: a file name, with optional blanks around it. */
static enum status index_line(struct source *s, const struct place *at, char *text, size_t n,
                              struct err *e)
{
  while (n > 0 && strchr(" \t\r", text[n - 1]) != NULL && text[n - 1] != '\0')
    n--;
  text[n] = '\0';
  const char *name = text + strspn(text, " \t");
  if (strlen(text) != n)
    return err_at(e, at->index, at->line, "a NUL character");
  if (*name == '\0' || *name == '#')
    return err_at(e, at->index, at->line, "an index has no %s, only one file name a line",
                  *name == '#' ? "comments" : "blank lines");
  if (s->count == SOURCE_RANKS_MAX)
    return err_at(e, at->index, at->line, "more than %d ranks", SOURCE_RANKS_MAX);
  return find_file(s, at, name, e);
}

static enum status read_index(struct source *s, struct text *text, struct err *e)
{
  struct text_cursor c = text_start(text, s->spool);
  const struct lines_input in = {text_read, &c, text->name};
  struct lines l = {.room = 4096};
  enum status status;
  char *line;
  size_t n;
  while ((status = lines_next(&l, &in, &line, &n, e)) == OK && line != NULL) {
    const struct place at = {text->name, l.line};
    if ((status = index_line(s, &at, line, n, e)) != OK)
      break;
  }
  lines_clear(&l);
  s->ranks = (uint32_t)s->count;
  return status;
}

/* Splits the merged file, the only text, by rank. */
static enum status split(struct source *s, struct err *e)
{
  struct text_cursor c = text_start(s->text, s->spool);
  const struct lines_input in = {text_read, &c, s->text->name};
  s->merged = true;
  return merged_split(&in, s->spool, &s->first, &s->ranks, e);
}

/* True for a merged file: the first line that is not blank or a comment has at least two words, of
 * which the first is a number. */
static enum status looks_merged(struct source *s, struct text *text, bool *merged, struct err *e)
{
  struct text_cursor c = text_start(text, s->spool);
  const struct lines_input in = {text_read, &c, text->name};
  struct lines l = {.room = 4096};
  char *line;
  size_t n = 0, skip = 0;
  enum status status;
  while ((status = lines_next(&l, &in, &line, &n, e)) == OK && line != NULL) {
    line[n] = '\0';
    skip = strspn(line, " \t\r");
    if (line[skip] != '\0' && line[skip] != '#')
      break;
  }
  if (status == OK && line == NULL)
    status = err_set(e, "%s: the trace is empty", text->name);
  if (status == OK) {
    const size_t digits = strspn(line + skip, "0123456789");
    const char *rest = line + skip + digits;
    const size_t blanks = strspn(rest, " \t\r");
    *merged = digits > 0 && blanks > 0 && rest[blanks] != '\0';
  }
  lines_clear(&l);
  return status;
}

/* Reads the first text of the trace, an index or a merged file, and takes over @p text. */
static enum status read_top(struct source *s, struct text *text, struct err *e)
{
  bool merged;
  if (looks_merged(s, text, &merged, e) != OK) {
    free(text->name);
    return FAIL;
  }
  if (merged)
    return add_text(s, *text, e) == OK ? split(s, e) : FAIL;
  enum status status = read_index(s, text, e);
  free(text->name);
  /* As in smpirun, an index of one line names a merged file. */
  return status == OK && s->ranks == 1 ? split(s, e) : status;
}

static enum status open_archive(struct source *s, struct unpack *u, struct text *text,
                                struct err *e)
{
  const struct member *top;
  if (members_load(&s->member, u, s->path, s->spool, e) != OK ||
      members_top(&s->member, &top, s->path, e) != OK)
    return FAIL;
  free(text->name);
  *text = (struct text){mem_printf(e, "%s/%s", s->path, top->name), 0, top->stream, false};
  s->folder = mem_printf(e, "%.*s", path_folder(top->name), top->name);
  return text->name == NULL || s->folder == NULL ? FAIL : OK;
}

/* Copies an uncompressed text to the spool: a pipe can be read only once. */
static enum status copy_plain(struct source *s, struct unpack *u, struct text *text, struct err *e)
{
  const char *name;
  if (unpack_next(u, &name, e) != OK)
    return FAIL;
  return unpack_copy(u, s->spool, &text->stream, e);
}

static enum status open_file(struct source *s, struct text *text, struct err *e)
{
  struct stat st;
  if (stat(text->name, &st) != 0 || access(text->name, R_OK) != 0)
    return err_errno(e, text->name, "cannot open");
  if (S_ISDIR(st.st_mode))
    return err_set(e, "%s: a folder where a file should be", text->name);
  struct unpack *u = NULL;
  if (unpack_file(&u, text->name, e) != OK)
    return FAIL;
  enum status status;
  if (unpack_form(u) == UNPACK_ARCHIVE)
    status = open_archive(s, u, text, e);
  else if ((s->folder = mem_printf(e, "%.*s", path_folder(text->name), text->name)) == NULL)
    status = FAIL;
  else if (unpack_form(u) == UNPACK_PLAIN && !S_ISREG(st.st_mode))
    status = copy_plain(s, u, text, e);
  else
    status = text_unpack(text, s->spool, u, e);
  unpack_free(u);
  return status;
}

static enum status open_path(struct source *s, struct err *e)
{
  struct stat st;
  struct text text = {.stream = TEXT_IN_PLACE};
  if (stat(s->path, &st) != 0)
    return err_errno(e, s->path, "cannot open");
  const bool folder = S_ISDIR(st.st_mode);
  const size_t n = strlen(s->path);
  const bool slash = n > 0 && s->path[n - 1] == '/';
  text.name =
      mem_printf(e, "%s%s%s", s->path, folder && !slash ? "/" : "", folder ? "index.txt" : "");
  s->top = text.name == NULL ? NULL : mem_strdup(text.name, e);
  if (s->top == NULL) {
    free(text.name);
    return FAIL;
  }
  enum status status = OK;
  if (folder && stat(text.name, &st) != 0)
    status = err_set(e, "%s: no index.txt in this folder", s->path);
  if (status == OK)
    status = open_file(s, &text, e);
  if (status == OK)
    return read_top(s, &text, e);
  free(text.name);
  return FAIL;
}

enum status source_open(struct source **out, const char *path, uint64_t unpack_limit, struct err *e)
{
  struct source *s = mem_array(1, sizeof *s, e);
  if (s == NULL)
    return FAIL;
  if ((s->path = mem_strdup(strcmp(path, "-") == 0 ? "/dev/stdin" : path, e)) == NULL ||
      spool_new(&s->spool, path, unpack_limit, e) != OK || open_path(s, e) != OK) {
    source_free(s);
    return FAIL;
  }
  *out = s;
  return OK;
}

void source_free(struct source *s)
{
  if (s == NULL)
    return;
  for (size_t i = 0; i < s->count; i++)
    free(s->text[i].name);
  free(s->text);
  members_clear(&s->member);
  spool_free(s->spool);
  free(s->folder);
  free(s->top);
  free(s->path);
  free(s);
}
