#include "campaign/remote/submission.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/files/cleanup.h"
#include "common/files/linefile.h"
#include "common/files/outfile.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "common/num.h"

void submission_clear(struct submission *s)
{
  free(s->path);
  free(s->item);
  *s = (struct submission){0};
}

/* --- new submissions -------------------------------------------------------------------------- */

/* Creates the folder with the lowest free number.  mkdir() is atomic, on NFS too: two
 * processes never get the same number. */
static enum status make_numbered(char **out, const char *above, struct err *e)
{
  for (uint32_t n = 1;; n++) {
    char *path = mem_printf(e, "%s/%" PRIu32, above, n);
    if (path == NULL)
      return FAIL;
    if (mkdir(path, 0777) == 0) {
      *out = path;
      return OK;
    }
    const enum status s = errno == EEXIST ? OK : err_errno(e, path, "cannot create");
    free(path);
    if (s != OK)
      return FAIL;
  }
}

enum status submission_new(struct submission *s, const char *folder, struct err *e)
{
  OWNED char *whole = realpath(folder, NULL);
  *s = (struct submission){0};
  if (whole == NULL)
    return err_errno(e, folder, "cannot open");
  OWNED char *above = mem_printf(e, "%s/on", whole);
  if (above == NULL || outfile_folder(above, e) != OK)
    return FAIL;
  return make_numbered(&s->path, above, e);
}

enum status submission_add(struct submission *s, const struct submission_item *item, struct err *e)
{
  if (MEM_GROW(s->item, s->room, s->items + 1, e) != OK)
    return FAIL;
  s->item[s->items++] = *item;
  if (item->task > s->tasks)
    s->tasks = item->task;
  return OK;
}

/* --- writing ---------------------------------------------------------------------------------- */

static void print_tasks(const void *arg, FILE *f)
{
  const struct submission *s = arg;
  for (size_t i = 0; i < s->items; i++)
    fprintf(f, "%" PRIu32 "\t%zu\t%zu\t%s\n", s->item[i].task, s->item[i].subject, s->item[i].item,
            s->item[i].key);
}

static void print_words(const void *arg, FILE *f)
{
  const struct submission_words *w = arg;
  for (size_t i = 0; i < w->count; i++) {
    fputs(w->word[i], f);
    fputc('\0', f);
  }
}

/* Prints a path as a format of the shell's printf: letters, digits and "./_-" unchanged, other
 * bytes as octal numbers.  No byte can then end the word, be expanded, or begin a line that a
 * scheduler interprets. */
static void print_bytes(const char *path, FILE *f)
{
  static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./_-";
  for (const unsigned char *p = (const unsigned char *)path; *p != '\0'; p++)
    if (strchr(PLAIN, *p) != NULL)
      fputc(*p, f);
    else
      fprintf(f, "\\%03o", *p);
}

struct script {
  const char *program, *folder;
};

/* $() removes newlines at the end of a path, so a dot is appended to the path and removed later. */
static void print_script(const void *arg, FILE *f)
{
  const struct script *s = arg;
  fputs("#!/bin/sh\n# One task of a haichi campaign; its number is the first argument, or in the\n"
        "# environment of the scheduler.\nprogram=$(printf '",
        f);
  print_bytes(s->program, f);
  fputs(".')\nfolder=$(printf '", f);
  print_bytes(s->folder, f);
  fputs(".')\n"
        "task=${1:-${SLURM_ARRAY_TASK_ID:-${PBS_ARRAY_INDEX:-${PBS_ARRAYID:-"
        "${SGE_TASK_ID:-${LSB_JOBINDEX-}}}}}}\n"
        "exec >\"${folder%.}/log.$task\" 2>&1\n"
        "exec \"${program%.}\" compare --run-task \"${folder%.}\" \"$task\"\n",
        f);
}

static enum status write_file(const struct submission *s, const char *name,
                              void (*print)(const void *arg, FILE *f), const void *arg,
                              struct err *e)
{
  struct outfile o;
  OWNED char *path = mem_printf(e, "%s/%s", s->path, name);
  if (path == NULL || outfile_open(&o, path, e) != OK)
    return FAIL;
  o.durable = true;
  print(arg, o.f);
  return outfile_commit(&o, e);
}

enum status submission_write(const struct submission *s, const struct submission_words *words,
                             const char *program, struct err *e)
{
  const struct script script = {program, s->path};
  if (words->word[0][0] == '\0')
    return err_set(e, "the working directory of this command was removed: tasks cannot enter it");
  if (write_file(s, "words", print_words, words, e) != OK ||
      write_file(s, "tasks", print_tasks, s, e) != OK)
    return FAIL;
  return write_file(s, "script", print_script, &script, e);
}

struct job {
  const char *backend, *id;
};

static void print_job(const void *arg, FILE *f)
{
  const struct job *j = arg;
  fprintf(f, "%s\t%s\n", j->backend, j->id);
}

enum status submission_set_job(const struct submission *s, const char *backend, const char *id,
                               struct err *e)
{
  return write_file(s, "job", print_job, &(struct job){backend, id}, e);
}

/* --- reading ---------------------------------------------------------------------------------- */

static enum status take_line(struct submission *s, const struct linefile *in, uint32_t task,
                             struct err *e)
{
  struct submission_item item = {0};
  uint64_t number[3] = {0};
  struct err why = {""};
  char *rest = in->text;
  enum status status = OK;
  for (size_t i = 0; i < 3 && status == OK; i++) {
    const char *word = strsep(&rest, "\t");
    status = num_u64(word, UINT32_MAX, &number[i], &why);
    if (rest == NULL)
      status = err_set(&why, "expected task, subject, item and key");
  }
  if (status == OK && (strlen(rest) >= sizeof item.key || number[0] == 0))
    status = err_set(&why, "expected the number of a task and a key, not '%.80s'", rest);
  if (status != OK)
    return err_at(e, in->path, in->line, "%s", why.text);
  item.task = (uint32_t)number[0];
  item.subject = (size_t)number[1];
  item.item = (size_t)number[2];
  snprintf(item.key, sizeof item.key, "%s", rest);
  return task == 0 || task == item.task ? submission_add(s, &item, e) : OK;
}

static enum status read_tasks(struct submission *s, uint32_t task, struct err *e)
{
  struct linefile in;
  bool more;
  OWNED char *path = mem_printf(e, "%s/tasks", s->path);
  if (path == NULL)
    return FAIL;
  enum status status = linefile_open(&in, path, e);
  if (status == OK) {
    while ((status = linefile_next_whole(&in, &more, e)) == OK && more)
      if ((status = take_line(s, &in, task, e)) != OK)
        break;
    linefile_close(&in);
  }
  return status;
}

enum status submission_open(struct submission *s, const char *path, uint32_t task, struct err *e)
{
  struct submission read = {.path = mem_strdup(path, e)};
  if (read.path != NULL && read_tasks(&read, task, e) == OK) {
    *s = read;
    return OK;
  }
  submission_clear(&read);
  return FAIL;
}

enum status submission_job(const struct submission *s, const struct backend **backend,
                           struct backend_handle *h, struct err *e)
{
  char job[BACKEND_ID_SIZE + 64] = "", *id = job;
  OWNED char *path = mem_printf(e, "%s/job", s->path);
  *backend = NULL;
  *h = (struct backend_handle){.is_child = false};
  if (path == NULL)
    return FAIL;
  FILE *f = fopen(path, "re");
  enum status status = f == NULL && errno != ENOENT ? err_errno(e, path, "cannot read") : OK;
  if (f != NULL && fgets(job, sizeof job, f) == NULL && ferror(f))
    status = err_errno(e, path, "cannot read");
  if (f != NULL)
    fclose(f);
  job[strcspn(job, "\n")] = '\0';
  const char *name = strsep(&id, "\t");
  if (status == OK && id != NULL && strlen(id) < sizeof h->id) {
    *backend = registry_find(&backends, name, strlen(name));
    snprintf(h->id, sizeof h->id, "%s", id);
  }
  return status;
}

void submission_last_line(const struct submission *s, uint32_t task, char *line, size_t size)
{
  struct linefile in;
  struct err ignored;
  bool more;
  OWNED char *path = task == 0 ? mem_printf(&ignored, "%s/log", s->path)
                               : mem_printf(&ignored, "%s/log.%" PRIu32, s->path, task);
  line[0] = '\0';
  if (path == NULL)
    return;
  if (linefile_open(&in, path, &ignored) == OK) {
    while (linefile_next(&in, &more, &ignored) == OK && more)
      if (strcspn(in.text, "\r") > 0)
        snprintf(line, size, "%.*s", (int)strcspn(in.text, "\r"), in.text);
    linefile_close(&in);
  }
}

/* --- words ------------------------------------------------------------------------------------ */

void submission_words_clear(struct submission_words *w)
{
  free(w->word);
  free(w->text);
  *w = (struct submission_words){0};
}

static enum status split_words(struct submission_words *w, size_t size, struct err *e)
{
  for (size_t at = 0; at < size; at += strlen(w->text + at) + 1) {
    if (MEM_GROW(w->word, w->room, w->count + 2, e) != OK)
      return FAIL;
    w->word[w->count++] = w->text + at;
    w->word[w->count] = NULL;
  }
  return OK;
}

/* Ends the text and splits it into words. */
static enum status end_words(struct submission_words *w, struct textout *out, enum status s,
                             struct err *e)
{
  w->text = textout_end(out, s, e);
  if (w->text != NULL && split_words(w, out->size, e) == OK)
    return OK;
  submission_words_clear(w);
  return FAIL;
}

static enum status copy_file(const char *path, FILE *out, struct err *e)
{
  char buffer[4096];
  size_t n;
  FILE *in = fopen(path, "re");
  while (in != NULL && (n = fread(buffer, 1, sizeof buffer, in)) > 0)
    fwrite(buffer, 1, n, out);
  const enum status s = in == NULL || ferror(in) ? err_errno(e, path, "cannot read") : OK;
  if (in != NULL)
    fclose(in);
  return s;
}

enum status submission_words_read(struct submission_words *w, const char *path, struct err *e)
{
  struct textout out;
  OWNED char *file = mem_printf(e, "%s/words", path);
  *w = (struct submission_words){0};
  if (file == NULL || textout_begin(&out, e) != OK)
    return FAIL;
  return end_words(w, &out, copy_file(file, out.f, e), e);
}

enum status submission_words_make(struct submission_words *w, int argc, char **argv, struct err *e)
{
  struct textout out;
  *w = (struct submission_words){0};
  if (textout_begin(&out, e) != OK)
    return FAIL;
  char *here = getcwd(NULL, 0); /* NULL if the folder is gone; only tasks need it */
  fwrite(here == NULL ? "" : here, 1, here == NULL ? 1 : strlen(here) + 1, out.f);
  for (int i = 1; i < argc; i++)
    fwrite(argv[i], 1, strlen(argv[i]) + 1, out.f);
  free(here);
  return end_words(w, &out, OK, e);
}

/* --- the folder ------------------------------------------------------------------------------- */

void submission_remove(const struct submission *s)
{
  OWNED char *above = strndup(s->path, (size_t)(strrchr(s->path, '/') - s->path));
  cleanup_remove(s->path);
  if (above != NULL)
    rmdir(above);
}

static int is_number(const struct dirent *d)
{
  uint32_t number;
  return num_short(d->d_name, &number);
}

enum status submission_each(const char *folder,
                            enum status (*take)(void *arg, const char *path, struct err *e),
                            void *arg, struct err *e)
{
  struct dirent **entry;
  OWNED char *whole = realpath(folder, NULL);
  OWNED char *above = NULL;
  if (whole == NULL)
    return err_errno(e, folder, "cannot open");
  above = mem_printf(e, "%s/on", whole);
  if (above == NULL)
    return FAIL;
  enum status s = OK;
  const int n = scandir(above, &entry, is_number, versionsort);
  for (int i = 0; i < n; i++) {
    OWNED char *path = s == OK ? mem_printf(e, "%s/%s", above, entry[i]->d_name) : NULL;
    s = path == NULL ? FAIL : take(arg, path, e);
    free(entry[i]);
  }
  if (n >= 0)
    free(entry);
  else if (errno != ENOENT)
    s = err_errno(e, above, "cannot open");
  return s;
}
