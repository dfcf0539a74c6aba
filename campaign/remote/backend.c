#include "campaign/remote/backend.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

#define LIST(ROW)                                                                                  \
  ROW(backend_slurm)                                                                               \
  ROW(backend_parallel)                                                                            \
  ROW(backend_command)

#define DECLARE(row) extern const struct backend row;
LIST(DECLARE)

const struct registry backends = REGISTRY("back end", LIST);

static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

static enum status add_option(struct backend_spec *s, char *option, struct err *e)
{
  if (option == NULL)
    return FAIL;
  if (MEM_GROW(s->option, s->room, s->options + 1, e) != OK) {
    free(option);
    return FAIL;
  }
  s->option[s->options++] = option;
  return OK;
}

/* Appends a word without KEY= to the previous value, such as n2 in nodelist=n1,n2. */
static enum status lengthen(struct backend_spec *s, const char *word, struct err *e)
{
  if (s->options == 0)
    return err_set(e, "'%s' is not KEY=VALUE", word);
  char **last = &s->option[s->options - 1];
  char *longer = mem_printf(e, "%s,%s", *last, word);
  if (longer == NULL)
    return FAIL;
  free(*last);
  *last = longer;
  return OK;
}

/* Adds one option: --partition=long for "partition=long", --exclusive for "sbatch=--exclusive" and
 * for "option=--exclusive". */
static enum status take_word(struct backend_spec *s, const char *word, struct err *e)
{
  const size_t n = strspn(word, LETTERS);
  if (word[n] != '=')
    return lengthen(s, word, e);
  if (n == 0 || word[0] == '-')
    return err_set(e, "'%s' is not KEY=VALUE", word);
  const char *value = word + n + 1;
  const bool whole = strncmp(value, "--", 2) == 0 &&
                     (strncmp(word, "sbatch=", n + 1) == 0 || strncmp(word, "option=", n + 1) == 0);
  return add_option(s, whole ? mem_strdup(value, e) : mem_printf(e, "--%s", word), e);
}

static enum status take_options(struct backend_spec *s, const char *text, struct err *e)
{
  OWNED char *copy = mem_strdup(text, e);
  char *rest = copy;
  enum status status = copy == NULL ? FAIL : OK;
  for (char *word; status == OK && (word = strsep(&rest, ",")) != NULL;)
    status = take_word(s, word, e);
  return status;
}

enum status backend_spec_parse(struct backend_spec *s, const char *text, struct err *e)
{
  const size_t n = strcspn(text, ":");
  struct backend_spec read = {.backend = registry_find(&backends, text, n)};
  enum status status = OK;
  if (read.backend == NULL)
    return registry_unknown(&backends, text, n, e);
  if (strcmp(read.backend->name, "command") == 0)
    status =
        (read.command = mem_strdup(text[n] == '\0' ? "" : text + n + 1, e)) == NULL ? FAIL : OK;
  else if (text[n] == ':')
    status = take_options(&read, text + n + 1, e);
  if (status == OK)
    *s = read;
  else
    backend_spec_clear(&read);
  return status;
}

void backend_spec_clear(struct backend_spec *s)
{
  for (size_t i = 0; i < s->options; i++)
    free(s->option[i]);
  free(s->option);
  free(s->command);
  *s = (struct backend_spec){0};
}
