/* Profiles of IPM 0.98 and 2.0 (report_xml_*() and ipm_log_writer, and ipm_parse, which reads
 * them). Each task has a table of its calls, with a line for each call, size and partner:
 *
 *     <hent key="..." call="MPI_Isend" bytes="8192" orank="3" region="0" count="40" ...>...</hent>
 *
 * The files look like XML, but IPM does not escape the values of environment variables.  This
 * reader looks only at lines that begin with certain tags, as IPM's own parser does. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/text_list.h"
#include "traces/matrix/formats/format.h"

extern const struct matrix_format matrix_ipm;

/* Calls that send to a partner: class DATA_TX or DATA_TXRX in IPM's file ipm_key_mpi. */
static const char *const SENDS[] = {
    "MPI_Send",   "MPI_Ssend",  "MPI_Rsend",  "MPI_Bsend",    "MPI_Isend",
    "MPI_Issend", "MPI_Irsend", "MPI_Ibsend", "MPI_Sendrecv", "MPI_Sendrecv_replace"};

/* IPM counts their requests, but not the messages that the requests start. */
static const char *const PERSISTENT[] = {"MPI_Send_init", "MPI_Ssend_init", "MPI_Rsend_init",
                                         "MPI_Bsend_init"};

struct ipm {
  struct matrix_file *f;
  uint64_t size, rank; /* of the current task */
  bool inside;         /* a task */
  bool *seen;          /* by rank; NULL before the first task */
  uint64_t tasks, tables;
};

static enum matrix_match sniff(const struct matrix_head *h)
{
  const char *text = h->text + strspn(h->text, " \t\r\n");
  return *text == '<' && strstr(text, "<ipm_job_profile") != NULL ? MATRIX_YES : MATRIX_NO;
}

/* True if the line begins with the tag "<NAME". */
static bool begins(const char *line, const char *name)
{
  const size_t n = strlen(name);
  line += strspn(line, " \t");
  return *line == '<' && strncmp(line + 1, name, n) == 0 && strchr(" >", line[1 + n]) != NULL;
}

/* Copies the value of an attribute of the current line. */
static enum status get(const struct matrix_file *f, const char *name, char value[64], struct err *e)
{
  const size_t n = strlen(name);
  for (const char *at = f->in.text; (at = strstr(at, name)) != NULL; at += n) {
    if (at == f->in.text || at[-1] != ' ' || at[n] != '=' || at[n + 1] != '"')
      continue;
    const size_t length = strcspn(at + n + 2, "\"");
    if (at[n + 2 + length] == '\0' || length > 63)
      break;
    memcpy(value, at + n + 2, length);
    value[length] = '\0';
    return OK;
  }
  return err_at(e, f->in.path, f->in.line, "no attribute %s=\"...\"", name);
}

static enum status get_number(const struct matrix_file *f, const char *name, uint64_t least,
                              uint64_t most, uint64_t *out, struct err *e)
{
  char value[64];
  return get(f, name, value, e) == OK ? matrix_file_number(f, name, value, least, most, out, e)
                                      : FAIL;
}

static enum status begin_task(struct ipm *p, struct err *e)
{
  struct matrix_file *f = p->f;
  uint64_t size;
  if (get_number(f, "mpi_size", 1, MATRIX_RANKS_MAX, &size, e) != OK)
    return FAIL;
  if (p->seen == NULL) {
    p->size = size;
    matrix_file_set_ranks(f, (uint32_t)size);
    if ((p->seen = mem_array(size, sizeof *p->seen, e)) == NULL)
      return FAIL;
  }
  if (size != p->size)
    return err_at(e, f->in.path, f->in.line,
                  "mpi_size is %" PRIu64 ", and %" PRIu64 " in the first task", size, p->size);
  if (get_number(f, "mpi_rank", 0, size - 1, &p->rank, e) != OK)
    return FAIL;
  if (p->inside || p->seen[p->rank])
    return err_at(e, f->in.path, f->in.line,
                  p->inside ? "task %" PRIu64 " begins in another task"
                            : "a second task of rank %" PRIu64,
                  p->rank);
  p->inside = p->seen[p->rank] = true;
  p->tasks++;
  return OK;
}

static enum status add_call(struct ipm *p, struct err *e)
{
  struct matrix_file *f = p->f;
  char call[64];
  uint64_t partner, bytes, count;
  if (!p->inside)
    return err_at(e, f->in.path, f->in.line, "a call outside of a task");
  if (get(f, "call", call, e) != OK)
    return FAIL;
  if (TEXT_LIST_HAS(PERSISTENT, call))
    return err_at(e, f->in.path, f->in.line, "%s: IPM does not count messages of such requests",
                  call);
  if (!TEXT_LIST_HAS(SENDS, call))
    return OK;
  if (get_number(f, "orank", 0, p->size - 1, &partner, e) != OK ||
      get_number(f, "bytes", 0, INT64_MAX, &bytes, e) != OK ||
      get_number(f, "count", 1, INT64_MAX, &count, e) != OK)
    return FAIL;
  if (bytes > 0 && count > (uint64_t)INT64_MAX / bytes)
    return err_at(e, f->in.path, f->in.line, "the bytes exceed %" PRId64 " in all", INT64_MAX);
  return matrix_file_add(
      f, &(struct matrix_entry){(uint32_t)p->rank, (uint32_t)partner, count, bytes * count}, e);
}

static enum status take_line(struct ipm *p, struct err *e)
{
  const char *line = p->f->in.text;
  if (begins(line, "hent"))
    return add_call(p, e);
  if (begins(line, "task"))
    return begin_task(p, e);
  if (begins(line, "taskcopy"))
    return err_at(e, p->f->in.path, p->f->in.line,
                  "the profile has copies of tasks; IPM's ipm_expand.pl writes them out");
  p->tables += p->inside && begins(line, "hash");
  p->inside = p->inside && !begins(line, "/task");
  return OK;
}

static enum status read_tasks(struct ipm *p, struct err *e)
{
  struct matrix_file *f = p->f;
  bool more = true;
  while (more)
    if (matrix_file_line(f, "", &more, e) != OK || (more && take_line(p, e) != OK))
      return FAIL;
  const uint64_t line = f->in.line == 0 ? 1 : f->in.line;
  if (p->tasks == 0 || p->tasks < p->size)
    return err_at(e, f->in.path, line, "%" PRIu64 " tasks instead of %" PRIu64, p->tasks,
                  p->tasks == 0 ? 1 : p->size);
  return p->tables == p->tasks
             ? OK
             : err_at(e, f->in.path, line,
                      "%" PRIu64 " of %" PRIu64
                      " tasks have a table of calls; IPM writes it with IPM_LOG=full",
                      p->tables, p->tasks);
}

static enum status read(struct matrix_file *f, struct err *e)
{
  struct ipm p = {.f = f};
  const enum status s = read_tasks(&p, e);
  free(p.seen);
  return s;
}

const struct matrix_format matrix_ipm = {
    .name = "ipm",
    .help = "profile of IPM with its tables of calls (IPM_LOG=full): point-to-point messages",
    .bytes = true,
    .sniff = sniff,
    .read = read,
};
