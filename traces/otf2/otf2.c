/* The Open Trace Format 2: archives of Score-P and other recorders, read with its library. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/files/inputs.h"
#include "traces/format.h"
#include "traces/otf2/otf2_translate.h"
#include "traces/recorded/recording.h"
#include "traces/recorded/unpacked.h"

/* An anchor begins with the mark of a chunk and the order of bytes, a byte each, and "OTF2". */
static bool is_anchor(const char *path)
{
  char head[7];
  FILE *f = fopen(path, "rb");
  const bool anchor = f != NULL && fread(head, 1, sizeof head, f) == sizeof head &&
                      memcmp(head + 2, "OTF2", 5) == 0;
  if (f != NULL)
    fclose(f);
  return anchor;
}

/* Checks the number of properties, which follows three strings at offset 46: the library allocates
 * memory for the number that the anchor states. */
static enum status check_anchor(const char *path, const char *name, struct err *e)
{
  unsigned char text[65536];
  FILE *f = fopen(path, "rb");
  if (f == NULL)
    return err_errno(e, name, "cannot read");
  inputs_note(fileno(f));
  const size_t n = fread(text, 1, sizeof text, f);
  fclose(f);
  size_t at = 46;
  for (int strings = 0; strings < 3; at++)
    if (at >= n)
      return err_set(e, "%s: offset %zu: the anchor ends here", name, n);
    else
      strings += text[at] == 0;
  uint64_t count = 0;
  for (size_t i = 0; i < 4 && at + i < n; i++)
    count |= (uint64_t)text[at + i] << 8 * (text[1] == 'B' ? i : 3 - i);
  if (n < at + 4 || count > n / 2)
    return err_set(e, "%s: offset %zu: %" PRIu64 " properties in an anchor of %zu bytes", name, at,
                   count, n);
  return OK;
}

static enum status translate(struct recording *r, const struct unpacked *files, struct err *e)
{
  return check_anchor(files->main, r->trace.name, e) == OK ? otf2_translate(r, files, e) : FAIL;
}

static const struct unpacked_form FORM = {.what = "trace in OTF2",
                                          .ending = ".otf2",
                                          .endings = {".otf2", ".evt", ".def"},
                                          .is_main = is_anchor};

static bool sniff(const char *path)
{
  return unpacked_sniff(&FORM, path);
}

static enum status open_otf2(struct trace *t, uint64_t unpack_limit, struct err *e)
{
  return recording_open(t, &FORM, translate, unpack_limit, e);
}

const struct trace_format trace_otf2 = {
    .name = "otf2",
    .bytes = sizeof(struct recording),
    .sniff = sniff,
    .open = open_otf2,
    .close = recording_close,
    .next = recording_next,
    .rewind = recording_rewind,
    .file = recording_rank_file,
    .input = recording_input,
    .configure = recording_configure,
    .note = recording_notes,
};
