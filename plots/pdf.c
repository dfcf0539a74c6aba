#include "plots/pdf.h"

#include <qpdf/qpdf-c.h>
#include <stdbool.h>

#include "common/process/library.h"

#define QPDF_FUNCTIONS(F)                                                                          \
  F(qpdf_cleanup)                                                                                  \
  F(qpdf_get_buffer)                                                                               \
  F(qpdf_get_buffer_length)                                                                        \
  F(qpdf_get_error)                                                                                \
  F(qpdf_get_error_full_text)                                                                      \
  F(qpdf_init)                                                                                     \
  F(qpdf_init_write_memory)                                                                        \
  F(qpdf_read_memory)                                                                              \
  F(qpdf_set_deterministic_ID)                                                                     \
  F(qpdf_set_info_key)                                                                             \
  F(qpdf_silence_errors)                                                                           \
  F(qpdf_write)

struct qpdf_api {
  QPDF_FUNCTIONS(LIBRARY_MEMBER)
};

static enum status open_api(struct qpdf_api *api, struct err *e)
{
  static const char *const names[] = {QPDF_FUNCTIONS(LIBRARY_NAME) NULL};
  return library_load(HAICHI_LIBQPDF, names, api, "libqpdf", e);
}

enum status pdf_write_dateless(const char *text, size_t n, FILE *to, struct err *e)
{
  struct qpdf_api q;
  if (open_api(&q, e) != OK)
    return FAIL;
  enum status s = OK;
  qpdf_data pdf = q.qpdf_init();
  q.qpdf_silence_errors(pdf);
  bool failed = (q.qpdf_read_memory(pdf, "picture", text, n, NULL) & QPDF_ERRORS) != 0;
  if (!failed) {
    q.qpdf_set_info_key(pdf, "/CreationDate", "(D:20000101000000Z)");
    failed = (q.qpdf_init_write_memory(pdf) & QPDF_ERRORS) != 0;
  }
  if (!failed) {
    q.qpdf_set_deterministic_ID(pdf, QPDF_TRUE);
    failed = (q.qpdf_write(pdf) & QPDF_ERRORS) != 0;
  }
  if (failed)
    s = err_set(e, "libqpdf: %s", q.qpdf_get_error_full_text(pdf, q.qpdf_get_error(pdf)));
  else
    fwrite(q.qpdf_get_buffer(pdf), 1, q.qpdf_get_buffer_length(pdf), to);
  q.qpdf_cleanup(&pdf);
  return s;
}
