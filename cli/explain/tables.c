#include "cli/explain/tables.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

/* A row of a table before it is sorted. */
struct row {
  path_time seconds;
  uint32_t number;
};

/* The longest first, then by number. */
static int by_time(const void *a, const void *b)
{
  const struct row *x = a, *y = b;
  return x->seconds != y->seconds ? RISING(y->seconds, x->seconds) : RISING(x->number, y->number);
}

static bool has_jobs(const struct causes *x)
{
  for (uint32_t a = 0; a < causes_actors(x); a++) {
    const uint32_t job = causes_actor(x, a).job;
    if (job != CAUSES_NONE && job > 0)
      return true;
  }
  return false;
}

enum status tables_begin(struct tables *t, struct err *e)
{
  if ((t->link = mem_array(t->path->links, sizeof *t->link, e)) == NULL)
    return FAIL;
  flow_net_number(causes_net(t->causes), t->link);
  t->has_jobs = has_jobs(t->causes);
  return OK;
}

/* --- names ------------------------------------------------------------------------------------ */

const char *tables_actor(const struct tables *t, uint32_t actor, char name[TABLES_NAME])
{
  const struct causes_actor a = causes_actor(t->causes, actor);
  if (a.rank == CAUSES_NONE)
    snprintf(name, TABLES_NAME, "background");
  else if (t->has_jobs)
    snprintf(name, TABLES_NAME, "%" PRIu32 ".%" PRIu32, a.job, a.rank);
  else
    snprintf(name, TABLES_NAME, "%" PRIu32, a.rank);
  return name;
}

const char *tables_pair(const struct tables *t, uint32_t src, uint32_t dst, char name[TABLES_NAME])
{
  char from[TABLES_NAME], to[TABLES_NAME];
  snprintf(name, TABLES_NAME, "%.40s->%.40s", tables_actor(t, src, from), tables_actor(t, dst, to));
  return name;
}

static const char *name_of_pair(const struct tables *t, uint32_t pair, char name[TABLES_NAME])
{
  const uint64_t key = t->path->pairs.key[pair];
  return tables_pair(t, (uint32_t)(key >> 32), (uint32_t)key, name);
}

/* --- tables ----------------------------------------------------------------------------------- */

/* "\tSECONDS\tPERCENT" */
static void print_time(const struct tables *t, FILE *f, path_time seconds)
{
  const path_time all = t->path->time_s;
  fprintf(f, "\t%.15Lg\t%.4Lg", seconds, all > 0 ? 100 * seconds / all : 0);
}

static void print_causes(const struct tables *t, FILE *f)
{
  fputs("\ncause\tseconds\tpercent\tlate_sender_s\tlate_receiver_s\n", f);
  for (int c = 0; c < PATH_CAUSES; c++) {
    const path_time *x = t->path->cause_s[c];
    path_time sum = 0;
    for (int k = 0; k < PATH_LATES; k++)
      sum += x[k];
    fputs(path_cause_name((enum path_cause)c), f);
    print_time(t, f, sum);
    fprintf(f, "\t%.15Lg\t%.15Lg\n", x[PATH_LATE_SENDER], x[PATH_LATE_RECEIVER]);
  }
}

/* The rows with the longest times above 0, at most t->most. */
static struct row *longest(const struct tables *t, const path_time *seconds, uint32_t n,
                           uint32_t *rows, struct err *e)
{
  struct row *row = mem_array(n, sizeof *row, e);
  *rows = 0;
  if (row == NULL)
    return NULL;
  for (uint32_t i = 0; i < n; i++)
    if (seconds[i] > 0)
      row[(*rows)++] = (struct row){seconds[i], i};
  if (*rows > 0)
    qsort(row, *rows, sizeof *row, by_time);
  *rows = *rows < t->most ? *rows : t->most;
  return row;
}

/* Prints the three pairs with the largest times on a link: slowed, or rivals. */
static enum status print_pairs_on(const struct tables *t, FILE *f, uint32_t link, bool rivals,
                                  struct err *e)
{
  const struct path *p = t->path;
  path_time *seconds = mem_array(p->pairs.count, sizeof *seconds, e);
  uint32_t rows;
  if (seconds == NULL)
    return FAIL;
  for (uint32_t i = 0; i < p->shares.count; i++)
    if (p->shares.key[i] >> 32 == link)
      seconds[(uint32_t)p->shares.key[i]] = rivals ? p->share[i].rival_s : p->share[i].slowed_s;
  struct row *row = longest(t, seconds, p->pairs.count, &rows, e);
  char name[TABLES_NAME];
  fputc('\t', f);
  for (uint32_t i = 0; row != NULL && i < rows && i < 3; i++)
    fprintf(f, "%s%s", i == 0 ? "" : " ", name_of_pair(t, row[i].number, name));
  free(seconds);
  free(row);
  return row == NULL ? FAIL : OK;
}

static enum status print_links(const struct tables *t, FILE *f, struct err *e)
{
  uint32_t rows;
  struct row *row = longest(t, t->path->link_s, t->path->links, &rows, e);
  enum status s = row == NULL ? FAIL : OK;
  fputs("\nlink\tcontention_s\tpercent\tslowed\tcompeting\n", f);
  for (uint32_t i = 0; i < rows && s == OK; i++) {
    char name[PLATFORM_NAME_SIZE];
    fputs(platform_link_name(t->platform, t->link[row[i].number], name, sizeof name), f);
    print_time(t, f, row[i].seconds);
    s = print_pairs_on(t, f, row[i].number, false, e);
    if (s == OK)
      s = print_pairs_on(t, f, row[i].number, true, e);
    fputc('\n', f);
  }
  free(row);
  return s;
}

static enum status print_pairs(const struct tables *t, FILE *f, struct err *e)
{
  const struct path *p = t->path;
  path_time *seconds = mem_array(p->pairs.count, sizeof *seconds, e);
  struct row *row = NULL;
  uint32_t rows = 0;
  for (uint32_t i = 0; seconds != NULL && i < p->pairs.count; i++)
    seconds[i] = p->pair[i].latency_s + p->pair[i].transfer_s + p->pair[i].contention_s;
  if (seconds != NULL)
    row = longest(t, seconds, p->pairs.count, &rows, e);
  fputs("\npair\tseconds\tpercent\tmessages\tlatency_s\ttransfer_s\tcontention_s\n", f);
  for (uint32_t i = 0; i < rows; i++) {
    const struct path_pair *x = &p->pair[row[i].number];
    char name[TABLES_NAME];
    fputs(name_of_pair(t, row[i].number, name), f);
    print_time(t, f, row[i].seconds);
    fprintf(f, "\t%" PRIu64 "\t%.15Lg\t%.15Lg\t%.15Lg\n", x->messages, x->latency_s, x->transfer_s,
            x->contention_s);
  }
  free(seconds);
  free(row);
  return row == NULL ? FAIL : OK;
}

static void print_call(const struct tables *t, FILE *f, uint32_t number)
{
  const char *name = causes_action(t->causes, (uint8_t)number);
  fputs(name[0] == '\0' ? "unknown" : name, f);
}

static void print_rank(const struct tables *t, FILE *f, uint32_t number)
{
  char name[TABLES_NAME];
  fputs(tables_actor(t, number, name), f);
}

static void print_line(const struct tables *t, FILE *f, uint32_t number)
{
  const uint64_t key = t->path->lines.key[number];
  const char *file = causes_actor(t->causes, (uint32_t)(key >> 32)).file;
  fprintf(f, "%s:%" PRIu32, file == NULL ? "" : file, (uint32_t)key);
}

static void print_iteration(const struct tables *t, FILE *f, uint32_t number)
{
  (void)t;
  if (number == 0)
    fputs("outside", f);
  else
    fprintf(f, "%" PRIu32, number);
}

/* Prints a table of times by number. */
static enum status print_times(const struct tables *t, FILE *f, const path_time *seconds,
                               uint32_t n,
                               void (*name)(const struct tables *t, FILE *f, uint32_t number),
                               struct err *e)
{
  uint32_t rows;
  struct row *row = longest(t, seconds, n, &rows, e);
  for (uint32_t i = 0; i < rows; i++) {
    name(t, f, row[i].number);
    print_time(t, f, row[i].seconds);
    fputc('\n', f);
  }
  free(row);
  return row == NULL ? FAIL : OK;
}

enum status tables_print(const struct tables *t, FILE *f, struct err *e)
{
  const struct path *p = t->path;
  print_causes(t, f);
  if (print_links(t, f, e) != OK || print_pairs(t, f, e) != OK)
    return FAIL;
  fputs("\ncall\tseconds\tpercent\n", f);
  if (print_times(t, f, p->action_s, CAUSES_ACTIONS, print_call, e) != OK)
    return FAIL;
  fputs("\nrank\tseconds\tpercent\n", f);
  if (print_times(t, f, p->actor_s, causes_actors(t->causes), print_rank, e) != OK)
    return FAIL;
  if (p->lines.count > 0) {
    fputs("\nline\tseconds\tpercent\n", f);
    if (print_times(t, f, p->line_s, p->lines.count, print_line, e) != OK)
      return FAIL;
  }
  if (p->iterations < 2)
    return OK;
  fputs("\niteration\tseconds\tpercent\n", f);
  return print_times(t, f, p->iteration_s, p->iterations, print_iteration, e);
}
