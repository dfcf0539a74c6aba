#include "traces/comment.h"

#include <stdint.h>
#include <string.h>

#include "common/num.h"
#include "traces/lines.h"

/* The word at *text, copied without its blanks; longer ones are cut, which no KEY or number is. */
static void take_word(const char **text, char *word, size_t size)
{
  const char *p = *text;
  size_t n = 0;
  while (lines_is_blank(*p))
    p++;
  for (; *p != '\0' && !lines_is_blank(*p); p++)
    if (n + 1 < size)
      word[n++] = *p;
  word[n] = '\0';
  *text = p;
}

static enum status parse_iteration(const char *rest, struct action *a, struct err *e)
{
  char value[64], more[64];
  uint64_t iteration = ACTION_MARK_END;
  struct err why;
  take_word(&rest, value, sizeof value);
  take_word(&rest, more, sizeof more);
  if (*more != '\0')
    return err_set(e, "the mark of an iteration has one value, but is given '%s' and '%s'", value,
                   more);
  if (strcmp(value, "end") != 0) {
    if (num_u64(value, UINT32_MAX, &iteration, &why) != OK)
      return err_set(e, "the mark of an iteration: %s", why.text);
    if (iteration == 0)
      return err_set(e, "the mark of iteration 0; they count from 1");
  }
  *a = (struct action){.kind = ACTION_MARK, .count = (int64_t)iteration};
  return OK;
}

enum status comment_parse(const char *text, struct action *a, bool *skip, struct err *e)
{
  static const char PREFIX[] = "# haichi:";
  char key[16];
  *skip = true;
  if (strncmp(text, PREFIX, sizeof PREFIX - 1) != 0)
    return OK;
  text += sizeof PREFIX - 1;
  take_word(&text, key, sizeof key);
  if (strcmp(key, "iteration") != 0)
    return OK;
  *skip = false;
  return parse_iteration(text, a, e);
}
