/* The Open Trace Format 2: archives of Score-P and other recorders, read with its library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "traces/format.h"
#include "traces/otf2/otf2_translate.h"
#include "traces/recorded/recording.h"
#include "traces/recorded/unpacked.h"

/* The anchor of an archive begins with a chunk, the order of its bytes, and the name. */
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

static const struct unpacked_form FORM = {.what = "trace in OTF2",
                                          .ending = ".otf2",
                                          .endings = {".otf2", ".evt", ".def"},
                                          .is_main = is_anchor};

static bool sniff(const char *path)
{
  return unpacked_sniff(&FORM, path);
}

static enum status open_otf2(struct trace **out, const char *path, uint64_t unpack_limit,
                             struct err *e)
{
  struct unpacked files;
  struct recording *r;
  if (unpacked_open(&files, &FORM, path, unpack_limit, e) != OK)
    return FAIL;
  enum status s = recording_new(&r, path, unpack_limit, e);
  if (s == OK && (otf2_translate(r, &files, e) != OK || recording_finish(r, e) != OK)) {
    recording_free(r);
    s = FAIL;
  }
  unpacked_clear(&files);
  if (s == OK)
    *out = &r->trace;
  return s;
}

const struct trace_format trace_otf2 = {
    .name = "otf2",
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
