#include "common/utf8.h"

#include <stdbool.h>
#include <string.h>

#include "common/mem.h"

/* Some first bytes restrict the range of the second byte: RFC 3629, section 4. */
size_t utf8_bytes(const char *text)
{
  const unsigned char *p = (const unsigned char *)text;
  const size_t n = *p < 0x80   ? 1
                   : *p < 0xc2 ? 0
                   : *p < 0xe0 ? 2
                   : *p < 0xf0 ? 3
                   : *p < 0xf5 ? 4
                               : 0;
  for (size_t i = 1; i < n; i++)
    if ((p[i] & 0xc0) != 0x80)
      return 0;
  const bool bad = (*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
                   (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f);
  return bad ? 0 : n;
}

/* False if the valid character of @p n bytes at @p text is a control character (C0, C1, DEL),
 * U+FFFE or U+FFFF.  The last two are not allowed in XML. */
static bool is_shown(const char *text, size_t n)
{
  const unsigned char *p = (const unsigned char *)text;
  if (n == 1)
    return *p >= ' ' && *p != 127;
  if (n == 2)
    return !(*p == 0xc2 && p[1] < 0xa0);
  return !(n == 3 && memcmp(p, "\xef\xbf", 2) == 0 && p[2] >= 0xbe);
}

char *utf8_clean(const char *text, struct err *e)
{
  char *copy = mem_strdup(text, e), *to = copy;
  if (copy == NULL)
    return NULL;
  while (*text != '\0') {
    const size_t n = utf8_bytes(text);
    if (n > 0 && is_shown(text, n)) {
      memmove(to, text, n);
      to += n;
    } else {
      *to++ = '?';
    }
    text += n == 0 ? 1 : n;
  }
  *to = '\0';
  return copy;
}
