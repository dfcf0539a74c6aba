#include "campaign/results/provenance.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/plan/kind.h"
#include "campaign/plan/machine.h"
#include "common/cli_option.h"
#include "common/files/linefile.h"
#include "common/mem.h"

/* --- reading ---------------------------------------------------------------------------------- */

/* Truncates @p text at the last @p mark and returns a copy of the text after the mark.  Returns ""
 * and truncates nothing if there is no mark or if @p fits is false for the text after it. */
static char *cut(char *text, const char *mark, bool (*fits)(const char *rest), struct err *e)
{
  char *last = NULL;
  for (char *at = text; (at = strstr(at, mark)) != NULL; at++)
    last = at;
  if (last == NULL || !fits(last + strlen(mark)))
    return mem_strdup("", e);
  *last = '\0';
  return mem_strdup(last + strlen(mark), e);
}

static bool is_checksum(const char *rest)
{
  return strlen(rest) == 64 && strspn(rest, "0123456789abcdef") == 64;
}

static bool is_library(const char *rest)
{
  return *rest != '\0' && strcspn(rest, "/=:") == strlen(rest);
}

static bool is_seeds(const char *rest)
{
  return isdigit((unsigned char)*rest) && strspn(rest, "0123456789.,") == strlen(rest);
}

static bool is_nothing(const char *rest)
{
  (void)rest;
  return false;
}

static void clear_line(struct provenance_line *l)
{
  free(l->kind);
  free(l->value);
  free(l->seeds);
  free(l->library);
  free(l->checksum);
}

enum status provenance_add(struct provenance *p, const char *text, struct err *e)
{
  const size_t n = strcspn(text, " ");
  const bool is_mapper = strncmp(text, "mapper ", 7) == 0;
  struct provenance_line l = {.kind = mem_strdup(text, e)};
  if (l.kind != NULL)
    l.kind[n] = '\0';
  if (l.kind != NULL && (l.value = mem_strdup(text[n] == '\0' ? "" : text + n + 1, e)) != NULL &&
      (l.checksum = cut(l.value, " sha256:", is_checksum, e)) != NULL &&
      (l.library = cut(l.value, " of ", is_mapper ? is_library : is_nothing, e)) != NULL &&
      (l.seeds = cut(l.value, " seeds ", is_mapper ? is_seeds : is_nothing, e)) != NULL &&
      MEM_GROW(p->line, p->room, p->lines + 1, e) == OK) {
    p->line[p->lines++] = l;
    return OK;
  }
  clear_line(&l);
  return FAIL;
}

static enum status read_comments(struct provenance *p, struct linefile *in, struct err *e)
{
  for (bool more = true;;) {
    if (linefile_next(in, &more, e) != OK)
      return FAIL;
    if (!more || in->text[0] != '#')
      return OK;
    if (provenance_add(p, in->text + 1 + (in->text[1] == ' '), e) != OK)
      return FAIL;
  }
}

enum status provenance_load(struct provenance *p, const char *path, struct err *e)
{
  struct provenance read = {.lines = 0};
  struct linefile in;
  enum status s = linefile_open(&in, path, e);
  if (s == OK)
    s = read_comments(&read, &in, e);
  linefile_close(&in);
  if (s == OK)
    *p = read;
  else
    provenance_clear(&read);
  return s;
}

void provenance_clear(struct provenance *p)
{
  for (size_t i = 0; i < p->lines; i++)
    clear_line(&p->line[i]);
  free(p->line);
  *p = (struct provenance){.lines = 0};
}

/* --- queries ---------------------------------------------------------------------------------- */

const struct provenance_line *provenance_find(const struct provenance *p, const char *kind)
{
  for (size_t i = 0; i < p->lines; i++)
    if (strcmp(p->line[i].kind, kind) == 0)
      return &p->line[i];
  return NULL;
}

bool provenance_has(const struct provenance *p, const struct provenance_line *line)
{
  for (size_t i = 0; i < p->lines; i++) {
    const struct provenance_line *l = &p->line[i];
    if (strcmp(l->kind, line->kind) == 0 && strcmp(l->value, line->value) == 0 &&
        strcmp(l->library, line->library) == 0 && strcmp(l->checksum, line->checksum) == 0)
      return true;
  }
  return false;
}

/* The number of seeds in "1..3,7..7". */
static uint64_t count_seeds(const char *seeds)
{
  uint64_t n = 0;
  while (*seeds != '\0') {
    char *end;
    const uint64_t first = strtoull(seeds, &end, 10);
    const uint64_t last = strncmp(end, "..", 2) == 0 ? strtoull(end + 2, &end, 10) : first;
    n += last - first + 1;
    seeds = end + strcspn(end, ",");
    seeds += *seeds == ',';
  }
  return n;
}

/* The number of lines of a kind; a mapper counts once for each seed. */
static uint64_t count_lines(const struct provenance *p, const char *kind)
{
  uint64_t n = 0;
  for (size_t i = 0; i < p->lines; i++)
    if (strcmp(p->line[i].kind, kind) == 0)
      n += *p->line[i].seeds == '\0' ? 1 : count_seeds(p->line[i].seeds);
  return n;
}

static uint64_t or_one(uint64_t n)
{
  return n == 0 ? 1 : n;
}

uint64_t provenance_rows(const struct provenance *p)
{
  uint64_t rows = 0;
  const struct kind *kind;
  for (size_t i = 0; rows == 0 && (kind = registry_at(&kinds, i)) != NULL; i++)
    rows = count_lines(p, kind->subject[0]) * count_lines(p, kind->method);
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    rows *= or_one(count_lines(p, machine_word((enum machine_option)o)));
  return rows * or_one(count_lines(p, "load")) * or_one(count_lines(p, "steal"));
}

uint64_t provenance_repeats(const struct provenance *p)
{
  const struct provenance_line *line = provenance_find(p, "repeat");
  return line == NULL ? 1 : strtoull(line->value, NULL, 10);
}

void provenance_print_lines(const char *text, FILE *f)
{
  while (*text != '\0') {
    const int n = (int)strcspn(text, "\n");
    fprintf(f, "# %.*s\n", n, text);
    text += n + (text[n] == '\n');
  }
}

/* --- the command ------------------------------------------------------------------------------ */

/* Prints a word such as "random:seeds=1..3". */
static void print_mapper(const struct provenance_line *l, FILE *f)
{
  const char *sign = strchr(l->value, ':') == NULL ? ":" : ",";
  const bool seeds = *l->seeds != '\0';
  struct err unused;
  char *word =
      mem_printf(&unused, "%s%s%s%s", l->value, seeds ? sign : "", seeds ? "seeds=" : "", l->seeds);
  if (word != NULL)
    cli_option_quote(f, word);
  free(word);
}

/* Prints all lines of a kind as values of option --KIND. */
static void print_all(const struct provenance *p, const char *kind, FILE *f)
{
  bool first = true;
  for (size_t i = 0; i < p->lines; i++) {
    const struct provenance_line *l = &p->line[i];
    if (strcmp(l->kind, kind) != 0)
      continue;
    if (first)
      fprintf(f, " --%s", kind);
    first = false;
    fputc(' ', f);
    if (strcmp(kind, "mapper") == 0)
      print_mapper(l, f);
    else
      cli_option_quote(f, l->value);
  }
}

/* The option with this name whose value plan.options may list; NULL: none. */
static const struct cli_option *find_option(const char *name, size_t n)
{
  const struct cli_option *found = NULL;
  const struct kind *kind;
  for (size_t i = 0; found == NULL && (kind = registry_at(&kinds, i)) != NULL; i++)
    found = cli_option_find(kind->options, name, n);
  return found;
}

/* True for words of plan.options that are no options, such as checksums. */
static bool is_remark(const char *name, size_t n)
{
  static const char *const REMARKS[] = {"simgrid", "sha256", "mapping-sha256"};
  size_t i = 0;
  while (i < sizeof REMARKS / sizeof *REMARKS &&
         (strlen(REMARKS[i]) != n || strncmp(REMARKS[i], name, n) != 0))
    i++;
  return i < sizeof REMARKS / sizeof *REMARKS;
}

/* Prints "--NAME VALUE" for one word of plan.options.  Skips the value "-" of an option that was
 * not given. */
static void print_setting(const char *text, size_t n, FILE *f)
{
  const char *sign = memchr(text, '=', n);
  const size_t length = sign == NULL ? n : (size_t)(sign - text);
  const bool absent = sign != NULL && text + n - sign == 2 && sign[1] == '-';
  if (is_remark(text, length) || absent)
    return;
  fprintf(f, " --%.*s", (int)length, text);
  char *value = sign == NULL ? NULL : strndup(sign + 1, n - length - 1);
  if (value == NULL)
    return;
  fputc(' ', f);
  cli_option_quote(f, value);
  free(value);
}

/* True if a word of plan.options begins here.  A value may contain spaces, so a space alone does
 * not end it. */
static bool begins_setting(const char *text)
{
  const size_t n = strcspn(text, " =");
  const struct cli_option *option = find_option(text, n);
  return text[n] == '=' ? option != NULL || is_remark(text, n)
                        : option != NULL && option->kind == OPTION_FLAG;
}

static void print_settings(const char *text, FILE *f)
{
  while (*text != '\0') {
    const char *end = strchrnul(text, ' ');
    while (*end != '\0' && !begins_setting(end + 1))
      end = strchrnul(end + 1, ' ');
    print_setting(text, (size_t)(end - text), f);
    text = end + (*end != '\0');
  }
}

/* Prints the settings that change no result, which have lines of their own in the provenance. */
static void print_rest(const struct provenance *p, FILE *f)
{
  for (size_t i = 0; i < p->lines; i++) {
    const struct cli_option *option = find_option(p->line[i].kind, strlen(p->line[i].kind));
    if (option != NULL && option->key == OPTION_KEY_NEVER)
      print_all(p, option->name, f);
  }
}

/* Prints the options of an audit "of 5 runs, seed 1, model=...". */
static void print_audit(const char *text, FILE *f)
{
  static const char SEED[] = ", seed ";
  const char *seed = strstr(text, SEED);
  if (strncmp(text, "of ", 3) != 0 || seed == NULL)
    return;
  fprintf(f, " --audit %.*s --seed %.*s", (int)strspn(text + 3, "0123456789"), text + 3,
          (int)strspn(seed + sizeof SEED - 1, "0123456789"), seed + sizeof SEED - 1);
}

/* Prints the values of an option of machines, as " --bandwidth 1GBps,10GBps". */
static void print_values(const struct provenance *p, const char *kind, FILE *f)
{
  const char *gap = NULL;
  for (size_t i = 0; i < p->lines; i++)
    if (strcmp(p->line[i].kind, kind) == 0) {
      if (gap == NULL)
        fprintf(f, " --%s ", kind);
      fputs(gap == NULL ? "" : gap, f);
      cli_option_quote(f, p->line[i].value);
      gap = ",";
    }
}

void provenance_print_command(const struct provenance *p, const char *folder, FILE *f)
{
  const struct provenance_line *options = provenance_find(p, "options");
  const struct provenance_line *repeat = provenance_find(p, "repeat");
  const struct provenance_line *audit = provenance_find(p, "audit");
  static const char *const LISTS[] = {"platform", "trace", "matrix",    "mapper",
                                      "network",  "load",  "scheduler", "steal"};
  fputs("haichi compare", f);
  for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; i++)
    print_all(p, LISTS[i], f);
  for (int o = MACHINE_PLATFORM + 1; o < MACHINE_OPTIONS; o++)
    print_values(p, machine_word((enum machine_option)o), f);
  if (options != NULL)
    print_settings(options->value, f);
  print_rest(p, f);
  if (repeat != NULL) {
    fputs(" --repeat ", f);
    cli_option_quote(f, repeat->value);
  }
  if (audit != NULL)
    print_audit(audit->value, f);
  fputs(" -o ", f);
  cli_option_quote(f, folder);
}
