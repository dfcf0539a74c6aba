/* DUMPI, the format of the traces of SST: a .meta file and a file for each rank. */
#include <stdio.h>
#include <string.h>

#include "traces/dumpi/dumpi_translate.h"
#include "traces/format.h"
#include "traces/recorded/recording.h"
#include "traces/recorded/unpacked.h"

/* A text with a line "numprocs=". */
static bool is_meta(const char *path)
{
  char text[4096];
  const size_t length = strlen(path);
  FILE *f = length > 5 && strcmp(path + length - 5, ".meta") == 0 ? fopen(path, "rb") : NULL;
  if (f == NULL)
    return false;
  const size_t n = fread(text, 1, sizeof text - 1, f);
  text[n] = '\0';
  fclose(f);
  return strstr(text, "numprocs=") != NULL;
}

static const struct unpacked_form FORM = {
    .what = "trace in DUMPI", .ending = ".meta", .endings = {".meta", ".bin"}, .is_main = is_meta};

static bool sniff(const char *path)
{
  return unpacked_sniff(&FORM, path);
}

static enum status open_dumpi(struct trace *t, uint64_t unpack_limit, struct err *e)
{
  return recording_open(t, &FORM, dumpi_translate, unpack_limit, e);
}

const struct trace_format trace_dumpi = {
    .name = "dumpi",
    .bytes = sizeof(struct recording),
    .sniff = sniff,
    .open = open_dumpi,
    .close = recording_close,
    .next = recording_next,
    .rewind = recording_rewind,
    .file = recording_rank_file,
    .input = recording_input,
    .configure = recording_configure,
    .note = recording_notes,
};
