#include "predict/instrument/source/macros.h"

#include <string.h>

enum { DEEPEST = 8 };

struct word {
  const char *text;
  size_t length;
};

enum verdict { UNKNOWN, CONSTANT, CHANGES };

static struct word word_at(const char *s)
{
  return (struct word){
      s, strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")};
}

static bool is_word(struct word a, struct word b)
{
  return a.length == b.length && strncmp(a.text, b.text, a.length) == 0;
}

static enum verdict judge(const struct tree *t, struct word name, int depth);

/* True if the text of the definition of @p own may change a variable.  It begins at @p at and ends
 * with its line; lines joined by a backslash or a comment count as one. */
static bool text_changes(const struct tree *t, const struct tree_file *f, uint32_t at,
                         struct word own, int depth)
{
  while (at < f->size && (f->text[at] != '\n' || f->text[at - 1] == '\\')) {
    const char *s = f->text + at;
    const uint32_t after = tree_skip(f, at);
    const struct word w = word_at(s);
    const bool doubled = (*s == '+' || *s == '-') && s[1] == *s;
    if (doubled || (*s == '=' && s[1] != '=' && strchr("=!<>", s[-1]) == NULL))
      return true;
    if (after == at && w.length > 0 && !is_word(w, own) && judge(t, w, depth + 1) == CHANGES)
      return true;
    at = after != at ? after : at + (w.length > 0 ? (uint32_t)w.length : 1);
  }
  return false;
}

/* Judges a macro by all of its definitions. */
static enum verdict judge(const struct tree *t, struct word name, int depth)
{
  enum verdict verdict = UNKNOWN;
  if (depth == DEEPEST)
    return CHANGES;
  for (uint32_t i = 0; i < t->files; i++) {
    const struct tree_file *f = &t->file[i];
    for (const char *at = f->text; (at = strstr(at, "define")) != NULL; at += 6) {
      const struct word defined = word_at(at + 6 + strspn(at + 6, " \t"));
      if (defined.text == at + 6 || !is_word(defined, name))
        continue;
      if (text_changes(t, f, (uint32_t)(defined.text - f->text + defined.length), name, depth))
        return CHANGES;
      verdict = CONSTANT;
    }
  }
  return verdict;
}

bool macros_change(const struct tree *t, const struct tree_file *f, uint32_t use)
{
  const struct word name = word_at(f->text + use);
  uint32_t at = use + (uint32_t)name.length;
  if (judge(t, name, 0) != CONSTANT)
    return true;
  at += (uint32_t)strspn(f->text + at, " \t\r\n\\");
  if (f->text[at] != '(')
    return false;
  for (const uint32_t end = tree_find(f, at + 1, ')'); at < end;) {
    const uint32_t after = tree_skip(f, at);
    const struct word w = word_at(f->text + at);
    if (after == at && w.length > 0 && judge(t, w, 1) == CHANGES)
      return true;
    at = after != at ? after : at + (w.length > 0 ? (uint32_t)w.length : 1);
  }
  return false;
}
