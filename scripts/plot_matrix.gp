# $cells has a row for each source and a column for each destination.  A source or a destination is a
# block of a_cell ranks; NaN: no bytes.
height = 520
eval begin_picture
set datafile missing 'NaN'
unset grid
set border 15
set size ratio 1
set lmargin at screen 0.15
set rmargin at screen 0.80
set tmargin at screen from_top(34)
set bmargin at screen 70.0 / height
x_title = 'destination rank'
y_title = 'source rank'
eval draw_titles
set xrange [-0.5:ranks - 0.5]
set yrange [ranks - 0.5:-0.5]
set xtics 0, ranks <= 8 ? 1 : ceil(ranks / 4.0)
set ytics 0, ranks <= 8 ? 1 : ceil(ranks / 4.0)
# The scale of colours is logarithmic, with numbers at 1, 2 and 5 if decades alone would be too few.
# It is linear if all sizes are within a factor of two.  With a single size, its number is in the
# middle of the scale.
if (max_bytes >= 2 * min_bytes) { set logscale cb }
set cbrange [max_bytes > min_bytes ? min_bytes : min_bytes / 2:max_bytes > min_bytes ? max_bytes : 2 * min_bytes]
set format cb max_bytes >= 2 * min_bytes ? '%.0s %cB' : '%.1s %cB'
if (max_bytes == min_bytes) { set cbtics (min_bytes) }
if (max_bytes >= 2 * min_bytes && max_bytes < 100 * min_bytes) {
  set cbtics ()
  do for [decade=int(floor(log10(min_bytes))):int(floor(log10(max_bytes)))] {
    do for [digit in '1 2 5'] { set cbtics add (digit * 10 ** decade) }
  }
}
set label 3 a_cell == 1 ? 'bytes from rank to rank' : \
  sprintf('bytes from %d ranks to %d ranks', a_cell, a_cell) at graph 0.5, screen from_top(18) center
set cbtics scale 0.4
at(i) = i * a_cell + (a_cell - 1) / 2.0
if (side == 1) { # gnuplot draws no image of one cell
  plot $cells matrix using (0):(0):(-0.5):(ranks - 0.5):(-0.5):(ranks - 0.5):3 with boxxyerror fill solid noborder lc palette
} else { if (side <= 128 && format eq 'svg') {
  plot $cells matrix using (at($1)):(at($2)):3 with image pixels
} else {
  plot $cells matrix using (at($1)):(at($2)):3 with image
} }
