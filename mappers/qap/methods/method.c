#include "mappers/qap/methods/method.h"

#define LIST(ROW)                                                                                  \
  ROW(method_auto)                                                                                 \
  ROW(method_memetic)                                                                              \
  ROW(method_rts)                                                                                  \
  ROW(method_sa)                                                                                   \
  ROW(method_grasp)

#define DECLARE(row) extern const struct method row;
LIST(DECLARE)

const struct registry methods = REGISTRY("method", LIST);
