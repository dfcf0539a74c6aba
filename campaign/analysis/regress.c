#include "campaign/analysis/regress.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "campaign/run/experiment.h"
#include "common/files/linefile.h"
#include "common/files/outfile.h"
#include "common/files/table.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "common/process/workers.h"
#include "common/registry.h"
#include "common/text_list.h"
#include "mappers/mapper.h"

#define OPTIONS "# options "

/* The first comment of results.tsv is this text and the version. */
#define CAMPAIGN "# haichi "

/* Comment of a campaign with --repeat. */
#define REPEAT "# repeat "

/* Tables of campaigns without traces have such lines. */
static const char *const OTHERS[] = {"# network ", "# matrix "};

static const struct {
  const char *name;
  bool whole, more_is_better;
} FIGURE[REGRESS_FIGURES] = {
    [REGRESS_HOP_BYTES] = {"hop_bytes", true, false},
    [REGRESS_LINK_LOAD] = {"max_link_load_bytes", true, false},
    [REGRESS_CARDINALITY] = {"cardinality", true, true},
    [REGRESS_TIME] = {"simulated_time_s", false, false},
};

const char *regress_name(enum regress_figure f)
{
  return FIGURE[f].name;
}

/* --- reading a baseline ----------------------------------------------------------------------- */

struct columns {
  struct machine_columns machine;
  size_t trace, mapper, seed, status, figure[REGRESS_FIGURES];
};

/* Contents of the comments before the header. */
struct head {
  char *machine[MACHINE_OPTIONS]; /* NULL: not named; owned */
  char *kept;                     /* all comments except machines and options; owned */
  bool is_campaign;               /* the comments are from results.tsv */
};

static void clear_head(struct head *h)
{
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    free(h->machine[o]);
  free(h->kept);
}

/* Takes "# platform P", "# platform P sha256:..." or "# bandwidth B", as in results.tsv; *taken is
 * false for other comments. */
static enum status take_machine(struct head *h, const char *line, bool *taken, struct err *e)
{
  char word[32];
  *taken = strncmp(line, "# ", 2) == 0;
  if (!*taken)
    return OK;
  snprintf(word, sizeof word, "%.*s", (int)strcspn(line + 2, " "), line + 2);
  const enum machine_option o = machine_find(word);
  *taken = o < MACHINE_OPTIONS && line[2 + strlen(word)] == ' ';
  if (!*taken)
    return OK;
  const char *text = line + 3 + strlen(word), *sum = strstr(text, " sha256:");
  free(h->machine[o]);
  const size_t n = sum == NULL ? strlen(text) : (size_t)(sum - text);
  h->machine[o] = mem_printf(e, "%.*s", (int)n, text);
  return h->machine[o] == NULL ? FAIL : OK;
}

/* State while a head is read. */
struct head_reader {
  struct head *head;
  const char *options; /* the options of this command */
  FILE *kept;
  struct err unlike; /* why the options of the baseline are refused, once the head is read */
};

static enum status take_comment(void *state, const struct linefile *in, struct err *e)
{
  struct head_reader *r = state;
  const char *line = in->text;
  bool taken;
  if (take_machine(r->head, line, &taken, e) != OK)
    return FAIL;
  if (taken)
    return OK;
  for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
    if (strncmp(line, OTHERS[i], strlen(OTHERS[i])) == 0)
      return err_at(e, in->path, in->line,
                    "a baseline is a table of traces, but this one has a %.200s", line + 2);
  if (strncmp(line, REPEAT, strlen(REPEAT)) == 0)
    return err_at(e, in->path, in->line,
                  "the baseline has means over repetitions (%s); make it without --repeat",
                  line + 2);
  if (strncmp(line, CAMPAIGN, strlen(CAMPAIGN)) == 0 &&
      isdigit((unsigned char)line[strlen(CAMPAIGN)]))
    r->head->is_campaign = true;
  if (strncmp(line, OPTIONS, strlen(OPTIONS)) != 0) {
    fprintf(r->kept, "%s\n", line);
    return OK;
  }
  if (strcmp(line + strlen(OPTIONS), r->options) != 0)
    err_at(&r->unlike, in->path, in->line,
           "the baseline has the options '%.300s', this command '%.300s'", line + strlen(OPTIONS),
           r->options);
  return OK;
}

/* Opens the table and reads the comments before its header. */
static enum status open_table(struct table *t, struct head *h, const char *path,
                              const struct settings *settings, struct err *e)
{
  struct textout kept;
  *h = (struct head){.kept = NULL};
  char *options = settings_text(settings, &cli_option_whole_key, e);
  if (options != NULL && textout_begin(&kept, e) == OK) {
    struct head_reader r = {.head = h, .options = options, .kept = kept.f};
    enum status s = table_open_comments(t, path, '\t', take_comment, &r, e);
    const bool opened = s == OK;
    if (opened && r.unlike.text[0] != '\0') {
      *e = r.unlike;
      s = FAIL;
    }
    h->kept = textout_end(&kept, s, e);
    if (opened && h->kept == NULL)
      table_close(t);
  }
  free(options);
  return h->kept == NULL ? FAIL : OK;
}

/* True if results.tsv, or a table written by hand, may have this column. */
static bool is_known(const char *name)
{
  static const char *const NAMES[] = {"trace", "mapper", "seed", "reason", "audit_difference"};
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    if (strcmp(name, machine_column((enum machine_option)o)) == 0)
      return true;
  return TEXT_LIST_HAS(NAMES, name) || run_result_has_column(name);
}

/* Refuses unknown columns, since a misspelt figure would not be compared. */
static enum status check_columns(const struct table *t, struct err *e)
{
  const void *rows[REGRESS_FIGURES + 1] = {NULL};
  const struct registry figures = {"column", rows};
  for (int f = 0; f < REGRESS_FIGURES; f++)
    rows[f] = &FIGURE[f];
  if (table_find(t, "trace") == TABLE_NONE && table_find(t, "matrix") != TABLE_NONE)
    return err_set(e, "%s: the results of matrices; a baseline has mappings of traces", t->path);
  for (size_t i = 0; i < t->columns; i++)
    if (!is_known(t->name[i])) {
      struct err why;
      registry_unknown(&figures, t->name[i], strlen(t->name[i]), &why);
      return err_set(e, "%s: %s, or a column of results.tsv", t->path, why.text);
    }
  return OK;
}

static enum status find_columns(const struct table *t, struct columns *c, bool platform_known,
                                struct err *e)
{
  if (table_column(t, "trace", &c->trace, e) != OK ||
      table_column(t, "mapper", &c->mapper, e) != OK ||
      table_column(t, "?seed", &c->seed, e) != OK ||
      table_column(t, "?status", &c->status, e) != OK ||
      machine_columns_of(&c->machine, t, e) != OK)
    return FAIL;
  for (int f = 0; f < REGRESS_FIGURES; f++) {
    char name[64];
    snprintf(name, sizeof name, "?%s", FIGURE[f].name);
    if (table_column(t, name, &c->figure[f], e) != OK)
      return FAIL;
  }
  if (c->machine.at[MACHINE_PLATFORM] == TABLE_NONE && !platform_known)
    return err_set(e, "%s: no column 'platform', no comment '# platform P', and no --platform",
                   t->path);
  return OK;
}

static enum status read_figures(const struct table *t, const struct columns *c,
                                struct regress_row *row, struct err *e)
{
  row->figures = 0;
  for (int f = 0; f < REGRESS_FIGURES; f++) {
    row->now[f] = NAN;
    if (table_number(t, c->figure[f], &row->before[f], e) != OK)
      return FAIL;
    row->figures += !isnan(row->before[f]);
  }
  return OK;
}

/* Mapper spec of the row, with its seed.  Free with free(). */
static char *spec_of(const struct regress_row *row, struct err *e)
{
  if (strcmp(row->seed, "-") == 0 || !mapper_is_spec(row->mapper))
    return mem_strdup(row->mapper, e);
  return mapper_with_seed(row->mapper, row->seed, e);
}

static void clear_row(struct regress_row *row)
{
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    free(row->machine[o]);
  free(row->trace);
  free(row->mapper);
  free(row->seed);
}

/* Reads the machine of the row from its columns.  An option without a column has the value from the
 * comments, @p machine. */
static enum status read_machine(const struct table *t, const struct columns *c,
                                char *const machine[MACHINE_OPTIONS], struct regress_row *row,
                                struct err *e)
{
  for (int o = 0; o < MACHINE_OPTIONS; o++) {
    const size_t at = c->machine.at[o];
    const char *text = at == TABLE_NONE ? machine[o] : t->field[at];
    const bool number = o == MACHINE_CORES || o == MACHINE_RANKS;
    struct err why;
    uint32_t unused;
    if (text == NULL || (at != TABLE_NONE && o != MACHINE_PLATFORM && strcmp(text, "-") == 0))
      continue;
    if (number && machine_number((enum machine_option)o, text, &unused, &why) != OK)
      return err_at(e, t->path, t->line, "%s: %s", machine_word((enum machine_option)o), why.text);
    if ((row->machine[o] = mem_strdup(text, e)) == NULL)
      return FAIL;
  }
  return OK;
}

/* Reads the current row of the table.  On failure *out needs no clearing. */
static enum status read_row(const struct table *t, const struct columns *c,
                            char *const machine[MACHINE_OPTIONS], struct regress_row *out,
                            struct err *e)
{
  struct regress_row row = {.line = t->line};
  uint64_t unused;
  if (c->status != TABLE_NONE && strcmp(t->field[c->status], "ok") != 0)
    return err_at(e, t->path, t->line, "a run that is not ok is no baseline: %s",
                  t->field[c->status]);
  if (c->seed != TABLE_NONE && strcmp(t->field[c->seed], "-") != 0 &&
      table_u64(t, c->seed, UINT64_MAX, &unused, e) != OK)
    return FAIL;
  row.trace = read_machine(t, c, machine, &row, e) == OK ? mem_strdup(t->field[c->trace], e) : NULL;
  row.mapper = row.trace == NULL ? NULL : mem_strdup(t->field[c->mapper], e);
  row.seed =
      row.mapper == NULL ? NULL : mem_strdup(c->seed == TABLE_NONE ? "-" : t->field[c->seed], e);
  if (row.seed != NULL && read_figures(t, c, &row, e) == OK) {
    *out = row;
    return OK;
  }
  clear_row(&row);
  return FAIL;
}

static enum status read_rows(struct regress *r, struct table *t,
                             char *const machine[MACHINE_OPTIONS], struct err *e)
{
  struct columns c;
  bool more;
  if (check_columns(t, e) != OK || find_columns(t, &c, machine[MACHINE_PLATFORM] != NULL, e) != OK)
    return FAIL;
  for (;;) {
    if (table_next(t, &more, e) != OK || MEM_GROW(r->row, r->room, r->rows + 1, e) != OK)
      return FAIL;
    if (!more)
      break;
    if (read_row(t, &c, machine, &r->row[r->rows], e) != OK)
      return FAIL;
    for (int o = 0; o < MACHINE_OPTIONS; o++)
      r->has[o] |= r->row[r->rows].machine[o] != NULL;
    r->rows++;
  }
  return r->rows > 0 ? OK : err_set(e, "%s: no rows", t->path);
}

/* Reads the rows of a table.  Options of the machine without a column have the values from the
 * comments @p h.  @p platform, unless NULL, replaces the platform of the comments; a column of
 * platforms is then an error. */
static enum status read_with(struct regress *r, struct table *t, const struct head *h,
                             const char *platform, struct err *e)
{
  char *machine[MACHINE_OPTIONS], *own = NULL;
  memcpy(machine, h->machine, sizeof machine);
  struct machine_columns columns;
  if (machine_columns_of(&columns, t, e) != OK)
    return FAIL;
  if (platform != NULL && columns.at[MACHINE_PLATFORM] != TABLE_NONE)
    return err_set(e, "%s: it has a column 'platform', which --platform %s cannot replace", t->path,
                   platform);
  if (platform != NULL && (own = mem_strdup(platform, e)) == NULL)
    return FAIL;
  if (own != NULL)
    machine[MACHINE_PLATFORM] = own;
  const enum status s = read_rows(r, t, machine, e);
  free(own);
  return s;
}

enum status regress_load(struct regress *r, const char *path, const char *platform,
                         const struct settings *settings, struct err *e)
{
  struct table t;
  struct head h;
  struct regress read = {.path = path};
  enum status s = open_table(&t, &h, path, settings, e);
  if (s == OK) {
    read.path = t.path;
    s = read_with(&read, &t, &h, platform, e);
    table_close(&t);
  }
  /* Comments of results.tsv are not kept, since they describe its campaign. */
  if (s == OK && !h.is_campaign) {
    read.comments = h.kept;
    h.kept = NULL;
  }
  clear_head(&h);
  if (s == OK)
    *r = read;
  else
    regress_clear(&read);
  return s;
}

void regress_clear(struct regress *r)
{
  for (size_t i = 0; i < r->rows; i++)
    clear_row(&r->row[i]);
  free(r->row);
  free(r->comments);
  *r = (struct regress){.path = NULL};
}

/* --- computing the figures -------------------------------------------------------------------- */

/* Result of a worker, in memory shared with its parent. */
struct answer {
  bool done, ok;
  double now[REGRESS_FIGURES];
  struct err e;
};

struct task {
  const struct regress_row *row;
  const struct settings *settings;
  struct answer *answer;
};

static void take_figures(const struct run_result *r, struct answer *a)
{
  const bool scored = (r->groups & RUN_BIT(RUN_METRICS)) != 0;
  const double figures[REGRESS_FIGURES] = {
      [REGRESS_HOP_BYTES] = scored ? (double)r->metrics.hop_bytes : NAN,
      [REGRESS_LINK_LOAD] = scored ? (double)r->metrics.max_link_load_bytes : NAN,
      [REGRESS_CARDINALITY] = scored ? (double)r->metrics.cardinality : NAN,
      [REGRESS_TIME] = r->sim.simulated_time_s};
  memcpy(a->now, figures, sizeof figures);
}

/* Sets the settings of a row and opens its platform. */
static enum status open_machine(const struct task *t, struct settings *settings,
                                struct platform **out, struct err *e)
{
  char *const *machine = t->row->machine;
  char *name = platform_text(machine[MACHINE_PLATFORM], t->settings->node, t->settings->names, e);
  uint32_t *ranks = &settings->reading.collectives.ranks_per_host;
  *settings = *t->settings;
  enum status s = name == NULL ? FAIL : OK;
  if (s == OK && machine[MACHINE_CORES] != NULL)
    s = machine_number(MACHINE_CORES, machine[MACHINE_CORES], &settings->cores, e);
  if (s == OK && machine[MACHINE_RANKS] != NULL)
    s = machine_number(MACHINE_RANKS, machine[MACHINE_RANKS], ranks, e);
  const struct platform_params params = {.bandwidth = machine[MACHINE_BANDWIDTH],
                                         .latency = machine[MACHINE_LATENCY],
                                         .cores = settings->cores};
  if (s == OK)
    s = inputs_platform_with(out, name, &params, NULL, e);
  free(name);
  return s;
}

static enum status experiment(const struct task *t, struct err *e)
{
  struct platform *p = NULL;
  struct run_result result;
  struct settings settings;
  char *spec = spec_of(t->row, e);
  enum status s = spec == NULL ? FAIL : open_machine(t, &settings, &p, e);
  struct input_trace trace = {.name = t->row->trace, .reading = &settings.reading};
  const struct experiment x = {
      .platform = p, .trace = &trace, .mapping = spec, .settings = &settings};
  if (s == OK)
    s = experiment_run(&x, &result, e);
  if (s == OK)
    take_figures(&result, t->answer);
  input_trace_clear(&trace);
  platform_free(p);
  free(spec);
  return s;
}

static int run_task(void *arg)
{
  const struct task *t = arg;
  t->answer->ok = experiment(t, &t->answer->e) == OK;
  t->answer->done = true;
  return 0;
}

static void take_end(const struct worker_end *end, struct answer *a)
{
  if (a->done)
    return;
  if (end->signal != 0)
    err_set(&a->e, "killed by signal %d (%s)", end->signal, strsignal(end->signal));
  else
    err_set(&a->e, "the process ended with code %d%s%s", end->code,
            end->message[0] == '\0' ? "" : ": ", end->message);
}

static enum status run_all(struct regress *r, const struct settings *s, struct workers *w,
                           struct answer *answer, struct err *e)
{
  size_t next = 0, ended = 0;
  while (ended < r->rows) {
    bool started = true, one;
    struct worker_end end;
    while (started && next < r->rows && !workers_full(w)) {
      struct task t = {&r->row[next], s, &answer[next]};
      if (workers_start(w, next, run_task, &t, &started, e) != OK)
        return FAIL;
      next += started;
    }
    if (workers_wait(w, 1.0, &end, &one, e) != OK)
      return FAIL;
    if (one)
      take_end(&end, &answer[end.id]);
    ended += one;
  }
  return OK;
}

static enum status take_answers(struct regress *r, const struct answer *answer, struct err *e)
{
  for (size_t i = 0; i < r->rows; i++) {
    struct regress_row *row = &r->row[i];
    if (!answer[i].ok)
      return err_at(e, r->path, row->line, "%s", answer[i].e.text);
    memcpy(row->now, answer[i].now, sizeof row->now);
  }
  return OK;
}

enum status regress_run(struct regress *r, const struct settings *settings, uint32_t jobs,
                        struct err *e)
{
  struct workers *w;
  const size_t size = r->rows * sizeof(struct answer);
  struct answer *answer =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (answer == MAP_FAILED)
    return err_errno(e, "results", "cannot allocate");
  enum status s = workers_new(&w, jobs, 0, e);
  if (s == OK) {
    s = run_all(r, settings, w, answer, e);
    workers_free(w);
  }
  if (s == OK)
    s = take_answers(r, answer, e);
  munmap(answer, size);
  return s;
}

/* --- comparing and saving --------------------------------------------------------------------- */

enum status regress_need_figures(const struct regress *r, struct err *e)
{
  for (size_t i = 0; i < r->rows; i++)
    if (r->row[i].figures == 0)
      return err_at(e, r->path, r->row[i].line,
                    "no figure to compare with: hop_bytes, max_link_load_bytes, cardinality or "
                    "simulated_time_s (--update writes them)");
  return OK;
}

enum status regress_check(const struct regress *r, struct err *e)
{
  for (size_t i = 0; i < r->rows; i++)
    for (int f = 0; f < REGRESS_FIGURES; f++)
      if (!isnan(r->row[i].before[f]) && isnan(r->row[i].now[f]))
        return err_at(e, r->path, r->row[i].line, "%s cannot be computed any more", FIGURE[f].name);
  return OK;
}

double regress_change(const struct regress_row *row, enum regress_figure f)
{
  const double before = row->before[f], now = row->now[f];
  if (isnan(before) || isnan(now) || before == now)
    return isnan(before) || isnan(now) ? NAN : 0;
  return before == 0 ? INFINITY : now / before - 1;
}

bool regress_is_worse(const struct regress_row *row, enum regress_figure f, double tolerance)
{
  const double change = regress_change(row, f);
  return FIGURE[f].more_is_better ? -change > tolerance : change > tolerance;
}

bool regress_is_better(const struct regress_row *row, enum regress_figure f, double tolerance)
{
  const double change = regress_change(row, f);
  return FIGURE[f].more_is_better ? change > tolerance : -change > tolerance;
}

static void print_row(const struct regress *r, const struct regress_row *row, FILE *f)
{
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    if (r->has[o])
      fprintf(f, "%s\t", row->machine[o] == NULL ? "-" : row->machine[o]);
  fprintf(f, "%s\t%s\t%s", row->trace, row->mapper, row->seed);
  for (int i = 0; i < REGRESS_FIGURES; i++) {
    if (FIGURE[i].whole && !isnan(row->now[i]))
      fprintf(f, "\t%.0f", row->now[i]);
    else
      table_print_number(row->now[i], f);
  }
  fputc('\n', f);
}

static void print_header(const struct regress *r, const char *options, FILE *f)
{
  fprintf(f, OPTIONS "%s\n", options);
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    if (r->has[o])
      fprintf(f, "%s\t", machine_column((enum machine_option)o));
  fputs("trace\tmapper\tseed", f);
  for (int k = 0; k < REGRESS_FIGURES; k++)
    fprintf(f, "\t%s", FIGURE[k].name);
  fputc('\n', f);
}

enum status regress_save(const struct regress *r, const struct settings *settings, struct err *e)
{
  struct outfile o;
  char *options = settings_text(settings, &cli_option_whole_key, e);
  if (options == NULL)
    return FAIL;
  enum status s = outfile_open(&o, r->path, e);
  if (s == OK) {
    fputs(r->comments == NULL ? "" : r->comments, o.f);
    print_header(r, options, o.f);
    for (size_t i = 0; i < r->rows; i++)
      print_row(r, &r->row[i], o.f);
    s = outfile_commit(&o, e);
  }
  free(options);
  return s;
}
