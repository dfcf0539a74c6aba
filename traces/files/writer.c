#include "traces/files/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/files/outfile.h"
#include "common/files/temp.h"
#include "common/mem.h"
#include "traces/files/bytes.h"
#include "traces/files/print.h"

/* Lines of one rank that are not on disk yet.  No file stays open. */
struct page {
  struct action_text text;
  bool extended; /* the rank has an action that smpirun cannot replay */
};

struct writer {
  char *dir;
  struct temp temp;
  uint32_t ranks;
  size_t flush_at; /* size in bytes at which a page is written to disk */
  struct page *page;
};

/* Bytes of all pages together; minimum and maximum of one page. */
enum { PAGES_BYTES = 1 << 25, PAGE_MIN = 4096, PAGE_MAX = 65536 };

static const char EXTENDED[] = "# haichi: has actions that smpirun -replay of SimGrid 3.32 lacks\n";

static void rank_path(const struct writer *w, uint32_t rank, char *path, size_t size)
{
  snprintf(path, size, "%s/ranks/rank-%04" PRIu32 ".txt", w->temp.path, rank);
}

/* Frees the writer; removes the temporary folder unless it was committed. */
static void free_writer(struct writer *w)
{
  for (uint32_t r = 0; w->page != NULL && r < w->ranks; r++)
    free(w->page[r].text.text);
  free(w->page);
  free(w->dir);
  temp_abandon(&w->temp);
  free(w);
}

static enum status make_folders(struct writer *w, struct err *e)
{
  char ranks[4096];
  if (temp_check_folder(w->dir, e) != OK || temp_folder(&w->temp, w->dir, e) != OK)
    return FAIL;
  snprintf(ranks, sizeof ranks, "%s/ranks", w->temp.path);
  return mkdir(ranks, 0777) == 0 ? OK : err_errno(e, w->dir, "cannot create");
}

enum status writer_new(struct writer **out, const char *dir, uint32_t ranks, struct err *e)
{
  if (strlen(dir) > 2000)
    return err_set(e, "%.64s...: the name is too long", dir);
  if (*dir == '\0')
    return err_set(e, "'': no name for a folder");
  struct writer *w = mem_array(1, sizeof *w, e);
  if (w == NULL)
    return FAIL;
  w->ranks = ranks;
  const size_t share = PAGES_BYTES / (ranks == 0 ? 1 : ranks);
  w->flush_at = share < PAGE_MIN ? PAGE_MIN : share > PAGE_MAX ? PAGE_MAX : share;
  w->page = mem_array(ranks, sizeof *w->page, e);
  w->dir = mem_strdup(dir, e);
  if (w->page == NULL || w->dir == NULL) {
    free_writer(w);
    return FAIL;
  }
  size_t n = strlen(dir);
  while (n > 1 && dir[n - 1] == '/')
    w->dir[--n] = '\0';
  if (make_folders(w, e) != OK) {
    free_writer(w);
    return FAIL;
  }
  *out = w;
  return OK;
}

static enum status flush(struct writer *w, uint32_t rank, struct err *e)
{
  struct page *p = &w->page[rank];
  char path[4096];
  rank_path(w, rank, path, sizeof path);
  const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (fd < 0)
    return err_errno(e, w->dir, "cannot write");
  const bool written = bytes_write(fd, p->text.text, p->text.size);
  const bool closed = close(fd) == 0;
  p->text.size = 0;
  return written && closed ? OK : err_errno(e, w->dir, "cannot write");
}

enum status writer_put(struct writer *w, uint32_t rank, const struct action *a, struct err *e)
{
  struct page *p = &w->page[rank];
  p->extended |= action_is_extension(a);
  if (action_print(&p->text, (struct action_line){rank, w->ranks}, a, e) != OK)
    return FAIL;
  return p->text.size < w->flush_at ? OK : flush(w, rank, e);
}

bool writer_is_extended(const struct writer *w)
{
  bool extended = false;
  for (uint32_t r = 0; r < w->ranks; r++)
    extended |= w->page[r].extended;
  return extended;
}

/* --- commit ----------------------------------------------------------------------------------- */

/* Inserts the line EXTENDED at the top of a rank's file. */
static enum status mark_extended(struct writer *w, uint32_t rank, struct err *e)
{
  char path[4096], marked[4096];
  rank_path(w, rank, path, sizeof path);
  snprintf(marked, sizeof marked, "%s/marked", w->temp.path);
  FILE *from = fopen(path, "r"), *to = fopen(marked, "w");
  bool good = from != NULL && to != NULL && fputs(EXTENDED, to) >= 0;
  char buffer[65536];
  size_t n;
  while (good && (n = fread(buffer, 1, sizeof buffer, from)) > 0)
    good = fwrite(buffer, 1, n, to) == n;
  if (from != NULL && (ferror(from) | fclose(from)) != 0)
    good = false;
  if (to != NULL && fclose(to) != 0)
    good = false;
  if (!good || rename(marked, path) != 0)
    return err_errno(e, w->dir, "cannot write");
  return OK;
}

static enum status write_index(const struct writer *w, struct err *e)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/index.txt", w->temp.path);
  FILE *f = fopen(path, "w");
  if (f == NULL)
    return err_errno(e, w->dir, "cannot write");
  for (uint32_t r = 0; r < w->ranks; r++)
    fprintf(f, "ranks/rank-%04" PRIu32 ".txt\n", r);
  const enum status s = outfile_flush(f, w->dir, e);
  return fclose(f) != 0 && s == OK ? err_errno(e, w->dir, "cannot write") : s;
}

enum status writer_commit(struct writer *w, struct err *e)
{
  enum status s = OK;
  for (uint32_t r = 0; s == OK && r < w->ranks; r++) {
    s = flush(w, r, e);
    if (s == OK && w->page[r].extended)
      s = mark_extended(w, r, e);
  }
  if (s == OK)
    s = write_index(w, e);
  if (s == OK)
    s = temp_commit(&w->temp, w->dir, e);
  free_writer(w);
  return s;
}

void writer_abandon(struct writer *w)
{
  if (w != NULL)
    free_writer(w);
}
