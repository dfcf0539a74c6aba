#include "cli/options.h"

#include <argp.h>
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "common/mem.h"
#include "mappers/mapper.h"

enum { FIRST_KEY = 256, HELP_SIZE = 200 };

/* A row, the struct that has the field of the row, and the help text with %s replaced by the names
 * of row->rows. */
struct bound {
  const struct cli_option *row;
  char *record;
  bool given;
  char help[HELP_SIZE];
};

/* A value of an option, or an operand, that names a file. */
struct file {
  dev_t device;
  ino_t inode;
  const struct cli_option *row; /* NULL: an operand */
  const char *name;
};

struct parser {
  const struct usage *usage;
  void *record;
  struct bound bound[OPTIONS_MOST];
  struct argp_option option[OPTIONS_MOST + 2]; /* all rows, -h, and the end */
  size_t count;
  struct bound operand; /* its row is NULL if the tables have none */
  bool many;            /* the usage takes several operands */
  struct file *file;    /* owned; freed by options_parse() */
  size_t files, file_room;
};

/* --- settings --------------------------------------------------------------------------------- */

const char *const options_of_matrix[] = {"cores",   "hosts",          "model",
                                         "overlay", "ranks-per-host", NULL};

struct allowed {
  const struct settings *given, *usual;
  const char *what;
  const char *const *name;
};

/* Refuses a setting that is given and not allowed.  Visitor of cli_option_each(). */
static enum status check_setting(const struct cli_option *row, size_t base, void *state,
                                 struct err *e)
{
  const struct allowed *k = state;
  const char *given = (const char *)k->given + base;
  for (size_t i = 0; k->name[i] != NULL; i++)
    if (strcmp(k->name[i], row->name) == 0)
      return OK;
  if (row->key == OPTION_KEY_PLATFORM ||
      !cli_option_differs(row, given, (const char *)k->usual + base))
    return OK;
  OWNED char *value = NULL;
  if (cli_option_value(&value, row, given, 0, e) != OK)
    return FAIL;
  const bool named = value != NULL && *value != '\0' && row->key != OPTION_KEY_NEVER;
  return value == NULL ? OK
                       : err_set(e, "--%s%s%s is for --trace, not for %s", row->name,
                                 named ? "=" : "", named ? value : "", k->what);
}

enum status options_without_trace(const struct settings *s, const char *const *allowed,
                                  const char *what, struct err *e)
{
  const struct settings usual = settings_defaults();
  struct allowed k = {s, &usual, what, allowed};
  if (s->jobs.count > 0)
    return err_set(e, "--job is for --trace, not for %s", what);
  return cli_option_each(settings_options, 0, check_setting, &k, e);
}

/* --- the command line ------------------------------------------------------------------------- */

static void write_help(struct bound *b)
{
  char names[HELP_SIZE] = "";
  const char *help = b->row->help, *mark = b->row->rows == NULL ? NULL : strstr(help, "%s");
  if (mark != NULL)
    registry_list(b->row->rows, names, sizeof names);
  const int before = mark == NULL ? (int)strlen(help) : (int)(mark - help);
  const int n = snprintf(b->help, sizeof b->help, "%.*s%s%s", before, help, names,
                         mark == NULL ? "" : mark + 2);
  assert(n > 0 && (size_t)n < sizeof b->help);
  (void)n;
}

static bool is_bound(const struct parser *p, const char *name)
{
  size_t i = 0;
  while (i < p->count && strcmp(p->bound[i].row->name, name) != 0)
    i++;
  return i < p->count;
}

/* Visitor of cli_option_each(). */
static enum status bind(const struct cli_option *row, size_t base, void *state, struct err *e)
{
  struct parser *p = state;
  char *record = (char *)p->record + base;
  (void)e;
  if (row->kind == OPTION_OPERAND)
    p->operand = (struct bound){.row = row, .record = record};
  if (row->kind == OPTION_OPERAND || is_bound(p, row->name))
    return OK;
  assert(p->count < OPTIONS_MOST);
  struct bound *b = &p->bound[p->count];
  *b = (struct bound){.row = row, .record = record};
  write_help(b);
  p->option[p->count] =
      (struct argp_option){row->name,  row->letter != 0 ? row->letter : (int)(FIRST_KEY + p->count),
                           row->value, row->kind == OPTION_HINT ? OPTION_HIDDEN : 0,
                           b->help,    0};
  p->count++;
  return OK;
}

/* True if a word is a name in a table, and not the name of a file. */
static bool is_name(const struct cli_option *row, const char *text)
{
  if (row != NULL && (row->writes || (row->kind != OPTION_TEXT && row->kind != OPTION_PARSE)))
    return !row->writes;
  return mapper_is_spec(text);
}

/* Notes a word of the command line if it names a file. */
static enum status note_file(struct parser *p, const struct cli_option *row, const char *text,
                             struct err *e)
{
  struct stat st;
  if (text == NULL || is_name(row, text) || stat(text, &st) != 0 || !S_ISREG(st.st_mode))
    return OK;
  if (MEM_GROW(p->file, p->file_room, p->files + 1, e) != OK)
    return FAIL;
  p->file[p->files++] = (struct file){st.st_dev, st.st_ino, row, text};
  return OK;
}

static bool writes(const struct file *x)
{
  return x->row != NULL && x->row->writes;
}

/* Fails if an output would replace an input. */
static enum status check_files(const struct parser *p, struct err *e)
{
  for (size_t i = 0; i < p->files; i++)
    for (size_t k = 0; k < p->files; k++) {
      const struct file *x = &p->file[i], *y = &p->file[k];
      if (writes(x) && !writes(y) && x->device == y->device && x->inode == y->inode)
        return err_set(e, "--%s would replace the input '%s'", x->row->name, x->name);
    }
  return OK;
}

/* The option that the first word of @p names gives.  *names becomes the rest.  The command has the
 * option: the names are written in its tables. */
static const struct bound *next_named(const struct parser *p, const char **names)
{
  const size_t n = strcspn(*names, " ");
  const char *name = *names;
  *names += n + strspn(*names + n, " ");
  size_t i = 0;
  while (i < p->count &&
         (strncmp(p->bound[i].row->name, name, n) != 0 || p->bound[i].row->name[n] != '\0'))
    i++;
  assert(i < p->count);
  return &p->bound[i];
}

/* Fails if no option that @p row needs is given. */
static enum status check_needs(const struct parser *p, const struct cli_option *row, struct err *e)
{
  char list[HELP_SIZE] = "";
  for (const char *names = row->needs; names != NULL && *names != '\0';) {
    const struct bound *b = next_named(p, &names);
    const size_t n = strlen(list);
    if (b->given)
      return OK;
    snprintf(list + n, sizeof list - n, "%s--%s", n == 0 ? "" : " or ", b->row->name);
  }
  return row->needs == NULL ? OK : err_set(e, "--%s without %s", row->name, list);
}

/* Fails if an option that @p row excludes is given. */
static enum status check_excludes(const struct parser *p, const struct cli_option *row,
                                  struct err *e)
{
  for (const char *names = row->excludes; names != NULL && *names != '\0';) {
    const struct bound *b = next_named(p, &names);
    if (b->given)
      return err_set(e, "--%s and --%s exclude each other", row->name, b->row->name);
  }
  return OK;
}

static enum status check_relations(const struct parser *p, struct err *e)
{
  for (size_t i = 0; i < p->count; i++)
    if (p->bound[i].given &&
        (check_excludes(p, p->bound[i].row, e) != OK || check_needs(p, p->bound[i].row, e) != OK))
      return FAIL;
  return OK;
}

static enum status set(struct bound *b, char *text, struct err *e)
{
  if (b->given && !b->row->several && b->row->kind != OPTION_FLAG)
    return err_set(e, "given twice, and '%s' would replace the first value", text);
  b->given = true;
  return b->row->kind == OPTION_HINT ? err_set(e, "%s", b->help)
                                     : cli_option_parse(b->row, b->record, text, e);
}

static enum status take_operand(struct parser *p, char *word, struct err *e)
{
  const struct cli_option *row = p->operand.row;
  if (p->usage->operand != NULL)
    return p->usage->operand(p->record, word, e);
  if (row == NULL || (p->operand.given && !p->many))
    return err_set(e, "'%s' is one operand too many", word);
  p->operand.given = true;
  if (!p->many) {
    *(const char **)(p->operand.record + row->at) = word;
    return OK;
  }
  struct option_words *w = (struct option_words *)(p->operand.record + row->at);
  if (MEM_GROW(w->word, w->room, w->count + 1, e) != OK)
    return FAIL;
  w->word[w->count++] = word;
  return OK;
}

static enum status check(const struct parser *p, struct err *e)
{
  const struct usage *u = p->usage;
  if (p->operand.row != NULL && !p->operand.given && strpbrk(u->operands, "[\n") == NULL) {
    const int n = (int)strlen(u->operands) - (p->many ? 3 : 0);
    const char *remark = p->operand.row->help;
    return err_set(e, "no %.*s given%s%s%s", n, u->operands, remark == NULL ? "" : " (",
                   remark == NULL ? "" : remark, remark == NULL ? "" : ")");
  }
  for (size_t i = 0; i < p->count; i++)
    if (p->bound[i].row->required && !p->bound[i].given)
      return err_set(e, "no --%s given", p->bound[i].row->name);
  if (check_relations(p, e) != OK || check_files(p, e) != OK)
    return FAIL;
  return u->check == NULL ? OK : u->check(p->record, e);
}

static error_t parse_option(struct parser *p, int key, char *text, const struct argp_state *state)
{
  struct err e;
  for (size_t i = 0; i < p->count; i++) {
    const struct cli_option *row = p->bound[i].row;
    if (p->option[i].key != key)
      continue;
    if (note_file(p, row, text, &e) == OK && set(&p->bound[i], text, &e) == OK)
      return 0;
    if (row->is_input != NULL && row->is_input(text))
      exit(cli_fail(&e));
    argp_error(state, "--%s: %s", row->name, e.text);
    return 0;
  }
  return ARGP_ERR_UNKNOWN;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct parser *p = state->input;
  struct err e;
  if (key == 'h') {
    argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
  } else if (key == ARGP_KEY_ARG) {
    if (note_file(p, NULL, text, &e) != OK || take_operand(p, text, &e) != OK)
      argp_error(state, "%s", e.text);
  } else if (key == ARGP_KEY_END) {
    if (check(p, &e) != OK)
      argp_error(state, "%s", e.text);
  } else {
    return parse_option(p, key, text, state);
  }
  return 0;
}

/* argp would print the control characters of an unknown option. */
static void check_names(int argc, char **argv)
{
  struct err e;
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    for (size_t k = 0; argv[i][0] == '-' && argv[i][k] != '\0' && argv[i][k] != '='; k++)
      if ((unsigned char)argv[i][k] < ' ' || argv[i][k] == 127) {
        err_set(&e, "unrecognized option '%s'", argv[i]);
        fprintf(stderr, "%s: %s\n", argv[0], e.text);
        exit(CLI_USAGE);
      }
}

void options_parse(const struct usage *u, int argc, char **argv, void *record)
{
  static const struct cli_option NONE[] = {{.name = NULL}};
  struct err unused;
  struct parser p = {.usage = u,
                     .record = record,
                     .many = u->operands != NULL && strstr(u->operands, "...") != NULL};
  cli_option_each(u->options == NULL ? NONE : u->options, 0, bind, &p, &unused);
  p.option[p.count] = (struct argp_option){NULL, 'h', NULL, OPTION_HIDDEN, "", 0};
  const struct argp argp = {
      .options = p.option, .parser = parse, .args_doc = u->operands, .doc = u->doc};
  check_names(argc, argv);
  const error_t failed = argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &p);
  free(p.file);
  if (failed == 0)
    return;
  fprintf(stderr, "%s: bad usage; see `%s --help'\n", argv[0], argv[0]);
  exit(CLI_USAGE);
}
