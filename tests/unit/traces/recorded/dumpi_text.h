/** @file dumpi_text.h
 *  Writes small files of DUMPI for tests, byte by byte.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* A file that grows. */
struct dumpi_text {
  FILE *f;
  uint32_t clock;   /* of the next call, in us */
  int32_t size[32]; /* of datatypes, by number */
  uint32_t sizes;   /* 0: no section of sizes */
};

static inline void put(struct dumpi_text *t, uint64_t x, int bytes)
{
  for (int i = bytes - 1; i >= 0; i--)
    fputc((int)(x >> 8 * i & 255), t->f);
}

static inline void begin_text(struct dumpi_text *t, const char *path)
{
  *t = (struct dumpi_text){.f = fopen(path, "wb")};
  assert_non_null(t->f);
  put(t, UINT64_C(0xffaadd44554d5049), 8);
  put(t, 0, 8);
}

/* Begins a call of 1 us, 1 us after the last one, with statuses (mask 3) and both clocks. */
static inline void put_call(struct dumpi_text *t, unsigned function)
{
  put(t, function, 2);
  put(t, 3 | 4 | 8, 1);
  for (int clock = 0; clock < 2; clock++)
    for (uint32_t i = 1; i <= 2; i++) {
      put(t, 0, 2);
      put(t, (t->clock + i) * 1000, 4);
    }
  t->clock += 2;
}

/* Puts numbers by a format of i, h and b. */
static inline void put_numbers(struct dumpi_text *t, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  for (; *format != '\0'; format++)
    put(t, (uint64_t)(int64_t)va_arg(values, int), *format == 'i' ? 4 : *format == 'h' ? 2 : 1);
  va_end(values);
}

/* Puts an array of @p n numbers of @p bytes bytes. */
static inline void put_array(struct dumpi_text *t, const int *x, uint32_t n, int bytes)
{
  put(t, n, 4);
  for (uint32_t i = 0; i < n; i++)
    put(t, (uint64_t)(int64_t)x[i], bytes);
}

static inline void put_status(struct dumpi_text *t, int bytes, int source, int tag)
{
  put(t, 1, 4);
  put_numbers(t, "iibbi", bytes, source, 0, 0, tag);
}

/* Ends the file.  @p missing calls were not recorded. */
static inline void end_text(struct dumpi_text *t, unsigned missing)
{
  put(t, 293, 2);
  const uint64_t sizes = t->sizes == 0 ? 0 : (uint64_t)ftell(t->f);
  if (t->sizes > 0)
    put_array(t, t->size, t->sizes, 4);
  const uint64_t header = (uint64_t)ftell(t->f);
  put_numbers(t, "bbb", 1, 1, 0);
  const uint64_t footer = (uint64_t)ftell(t->f);
  put(t, 0xf007fee7, 8);
  for (int i = 0; i < 2 * 291; i++)
    put(t, i == 291 ? missing : i == 0 ? missing + 10 : 0, 4);
  put(t, UINT64_C(0xffaadd44554d5049), 8);
  const uint64_t section[] = {sizes, 0, 0, header, 8, footer, 0};
  for (int i = 0; i < 7; i++)
    put(t, section[i], 8);
  assert_int_equal(fclose(t->f), 0);
}

static inline void write_meta(const char *path, int ranks)
{
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "hostname=h\nnumprocs=%d\nfileprefix=t\nversion=1\n", ranks);
  assert_int_equal(fclose(f), 0);
}
