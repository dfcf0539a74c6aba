#include "traces/datatype.h"

uint32_t datatype_size(int id)
{
  static const uint8_t SIZE[DATATYPE_COUNT] = {
      8,  4,  1,  2,  8,  4, 1,  8,  1, 1,  /* double int char short long float byte ... */
      2,  4,  8,  8,  16, 4, 1,  1,  2, 4,  /* unsigned short ... int32 */
      8,  1,  2,  4,  8,  8, 16, 32, 8, 8,  /* int64 ... complex, aint, offset */
      8,  16, 16, 8,  8,  8, 16, 16, 4, 4,  /* pairs for minloc, real, real4 */
      8,  16, 8,  16, 16, 4, 2,  4,  8, 16, /* real8 ... integer16 */
      32, 1,  8,  16, 32, 0, 0,  1,  8, 8,  /* long double int ... count */
  };
  return id < 0 || id >= DATATYPE_COUNT ? 0 : SIZE[id];
}
