#include "common/err.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/utf8.h"

/* Copies @p text as printable UTF-8: tabs become "\\t", other control characters and invalid bytes
 * become '?'. */
static void copy_printable(char *out, size_t size, const char *text)
{
  static const char TAB[] = "\\t", OTHER[] = "?";
  size_t n = 0, k, length;
  for (; *text != '\0'; text += k == 0 ? 1 : k, n += length) {
    const unsigned char c = (unsigned char)*text, next = (unsigned char)text[1];
    k = utf8_bytes(text);
    const bool hidden = k == 0 || c < ' ' || c == 127 || (c == 0xc2 && next < 0xa0);
    const char *shown = c == '\t' ? TAB : hidden ? OTHER : text;
    length = c == '\t' ? 2 : hidden ? 1 : k;
    if (n + length >= size)
      break;
    memcpy(out + n, shown, length);
  }
  out[n] = '\0';
}

enum status err_set(struct err *e, const char *fmt, ...)
{
  char text[sizeof e->text];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  copy_printable(e->text, sizeof e->text, text);
  return FAIL;
}

enum status err_prefix(struct err *e, const char *fmt, ...)
{
  const struct err why = *e;
  char text[sizeof e->text];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  return err_set(e, "%s%s", text, why.text);
}

/* A file name, shortened to leave room for the message. */
struct shown {
  char text[512];
};

static struct shown show(const char *file)
{
  struct shown s;
  const size_t n = strlen(file), half = (sizeof s.text - 4) / 2;
  if (n == 0)
    snprintf(s.text, sizeof s.text, "''");
  else if (n < sizeof s.text)
    snprintf(s.text, sizeof s.text, "%s", file);
  else
    snprintf(s.text, sizeof s.text, "%.*s...%s", (int)half, file, file + n - half);
  return s;
}

enum status err_at(struct err *e, const char *file, uint64_t line, const char *fmt, ...)
{
  char what[sizeof e->text / 2];
  va_list args;
  va_start(args, fmt);
  vsnprintf(what, sizeof what, fmt, args);
  va_end(args);
  const struct shown name = show(file);
  return line == 0 ? err_set(e, "%s: %s", name.text, what)
                   : err_set(e, "%s:%" PRIu64 ": %s", name.text, line, what);
}

enum status err_place(struct err *e, const char *file, uint64_t line)
{
  const struct err why = *e;
  return err_at(e, file, line, "%s", why.text);
}

enum status err_errno(struct err *e, const char *file, const char *what)
{
  const int number = errno;
  const struct shown name = show(file);
  return err_set(e, "%s: %s%s%s", name.text, what, number == 0 ? "" : ": ",
                 number == 0 ? "" : strerror(number));
}

bool err_of_environment(const struct err *e)
{
  enum { MOST_ERRNO = 200 };
  const char *reason = strrchr(e->text, ':');
  if (strstr(e->text, "out of memory") != NULL)
    return true;
  if (reason == NULL || reason[1] != ' ')
    return false;
  for (int i = 1; i < MOST_ERRNO; i++) {
    const char *text = strerrordesc_np(i);
    if (text != NULL && strcmp(reason + 2, text) == 0)
      return true;
  }
  return false;
}

void err_list(char *list, size_t size, const char *name)
{
  const size_t n = strlen(list);
  snprintf(list + n, size - n, "%s%s", n == 0 ? "" : ", ", name);
}
