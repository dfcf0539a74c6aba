#include "common/report.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "common/num.h"
#include "common/utf8.h"

const struct report_format report_tsv = {"tsv"}, report_json = {"json"};

#define LIST(ROW) ROW(report_tsv) ROW(report_json)

const struct registry report_formats = REGISTRY("format", LIST);

void report_begin(struct report *r, FILE *f, const struct report_format *format)
{
  *r = (struct report){.f = f, .json = format == &report_json};
  if (r->json)
    fputs("{", f);
}

static void begin_value(struct report *r, const char *name)
{
  const char *prefix = r->prefix == NULL ? "" : r->prefix;
  if (r->json)
    fprintf(r->f, "%s\n  \"%s%s\": ", r->count == 0 ? "" : ",", prefix, name);
  else
    fprintf(r->f, "%s%s\t", prefix, name);
  r->count++;
}

static void end_value(struct report *r)
{
  if (!r->json)
    fputc('\n', r->f);
}

void report_u64(struct report *r, const char *name, uint64_t value)
{
  begin_value(r, name);
  fprintf(r->f, "%" PRIu64, value);
  end_value(r);
}

void report_number(FILE *f, double value)
{
  char text[32];
  double back;
  struct err unused;
  for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (num_double(text, -DBL_MAX, DBL_MAX, &back, &unused) == OK && back == value)
      break;
  }
  fputs(text, f);
}

void report_double(struct report *r, const char *name, double value)
{
  begin_value(r, name);
  if (isfinite(value))
    report_number(r->f, value);
  else
    fputs(r->json ? "null" : "nan", r->f);
  end_value(r);
}

/* Prints the character at @p text; U+FFFD in place of a byte that is not UTF-8.  Returns its number
 * of bytes. */
static size_t print_json_char(FILE *f, const char *text)
{
  const unsigned char c = (unsigned char)*text;
  const size_t n = utf8_bytes(text);
  if (c == '"' || c == '\\')
    fprintf(f, "\\%c", c);
  else if (c < ' ' || c == 127)
    fprintf(f, "\\u%04x", c);
  else if (n == 0)
    fputs("\\ufffd", f);
  else
    fwrite(text, 1, n, f);
  return n == 0 ? 1 : n;
}

static void print_plain(FILE *f, const char *text)
{
  for (; *text != '\0'; text++) {
    const unsigned char c = (unsigned char)*text;
    fputc(c < ' ' || c == 127 ? '?' : c, f);
  }
}

void report_text(struct report *r, const char *name, const char *value)
{
  begin_value(r, name);
  if (r->json) {
    fputc('"', r->f);
    for (const char *p = value; *p != '\0';)
      p += print_json_char(r->f, p);
    fputc('"', r->f);
  } else {
    print_plain(r->f, value);
  }
  end_value(r);
}

void report_end(struct report *r)
{
  if (r->json)
    fputs("\n}\n", r->f);
}
