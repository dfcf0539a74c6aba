/** @file rows.h
 *  Tables whose rows are defined in files of their own, one row a file.  The file of the table
 *  lists each row once:
 *
 *      #define MAPPERS(ROW) ROW(map_xyz) ROW(map_random)
 *      #define DECLARE(row) extern const struct mapper row;
 *      MAPPERS(DECLARE)
 *      static const struct mapper *const TABLE[] = {MAPPERS(ROWS_ADDRESS)};
 */
#ifndef COMMON_ROWS_H
#define COMMON_ROWS_H

/** An element of such a table. */
#define ROWS_ADDRESS(row) &row,

#endif
