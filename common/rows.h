/** @file rows.h
 *  Tables of rows that stand in files of their own, a row a file.  The table's file names each row
 *  once, in a list:
 *
 *      #define MAPPERS(ROW) ROW(map_xyz) ROW(map_random)
 *      #define DECLARE(row) extern const struct mapper row;
 *      MAPPERS(DECLARE)
 *      static const struct mapper *const TABLE[] = {MAPPERS(ROWS_ADDRESS)};
 */
#ifndef COMMON_ROWS_H
#define COMMON_ROWS_H

#define ROWS_ADDRESS(row) &row,

#endif
