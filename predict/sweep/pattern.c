#include "predict/sweep/pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"

struct names {
  const char *text, *open, *close; /* the braces in the text */
  char **name;
  size_t room, count;
};

static enum status add_name(struct names *n, const char *middle, struct err *e)
{
  char *name;
  if (n->count == PATTERN_MOST)
    return err_set(e, "more than %d numbers", PATTERN_MOST);
  if (MEM_GROW(n->name, n->room, n->count + 1, e) != OK)
    return FAIL;
  if (n->open == NULL)
    name = mem_strdup(n->text, e);
  else
    name = mem_printf(e, "%.*s%s%s", (int)(n->open - n->text), n->text, middle, n->close + 1);
  if (name == NULL)
    return FAIL;
  n->name[n->count++] = name;
  return OK;
}

/* Adds the names for the numbers "8" or "4..8". */
static enum status add_numbers(struct names *n, char *word, struct err *e)
{
  char *dots = strstr(word, ".."), number[24];
  uint64_t first, last;
  if (dots != NULL)
    *dots = '\0';
  if (num_u64(word, UINT32_MAX, &first, e) != OK ||
      num_u64(dots == NULL ? word : dots + 2, UINT32_MAX, &last, e) != OK)
    return FAIL;
  if (last < first)
    return err_set(e, "%" PRIu64 "..%" PRIu64 " ends before it begins", first, last);
  for (uint64_t i = first; i <= last; i++) {
    snprintf(number, sizeof number, "%" PRIu64, i);
    if (add_name(n, number, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status expand(struct names *n, struct err *e)
{
  if (n->open == NULL)
    return add_name(n, "", e);
  if ((n->close = strchr(n->open, '}')) == NULL || strchr(n->close, '{') != NULL)
    return err_set(e, "%s: expected one list of numbers in braces, as {1,2,4..8}", n->text);
  OWNED char *copy = mem_strdup(n->open + 1, e);
  char *rest = copy;
  if (copy == NULL)
    return FAIL;
  copy[n->close - n->open - 1] = '\0';
  enum status s = OK;
  for (char *word; s == OK && (word = strsep(&rest, ",")) != NULL;)
    if (add_numbers(n, word, e) != OK)
      s = err_prefix(e, "%s: in braces: ", n->text);
  return s;
}

enum status pattern_expand(const char *text, char ***out, size_t *count, struct err *e)
{
  struct names n = {.text = text, .open = strchr(text, '{')};
  const enum status s = expand(&n, e);
  if (s != OK)
    pattern_free(n.name, n.count);
  else {
    *out = n.name;
    *count = n.count;
  }
  return s;
}

void pattern_free(char **names, size_t count)
{
  for (size_t i = 0; names != NULL && i < count; i++)
    free(names[i]);
  free(names);
}
