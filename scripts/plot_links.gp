# $links has "x y half-width half-height bytes" of each box; $panels has "x y name", the position of
# the middle of the name.
above = 6 + (files > 1 ? 28 : 0)
below = 112 + (left_out eq '' ? 0 : line)
height = int((width - 16.0) * (top - bottom) / (right - left) + above + below)
eval begin_picture
set lmargin at screen 8.0 / width
set rmargin at screen 1 - 8.0 / width
set tmargin at screen from_top(above)
set bmargin at screen 1.0 * below / height
unset border
unset tics
unset grid
set xrange [left:right]
set yrange [bottom:top]
eval choose_unit
set cbrange [0:(max_bytes > 0 ? max_bytes / unit_bytes : 1)]
set colorbox horizontal user origin 0.06, (below - 26.0) / height size 0.88, 16.0 / height
set cbtics scale 0.4 offset 0, 0.4
set label 'load of a link ('.unit.')' at screen 0.5, screen (below - 76.0) / height center
note = planes ? (axes == 2 ? 'x to the right, y upwards; a link lies to the right of its direction' : \
  'squares: links to the next plane (above) and to the previous plane (below)') : \
  'a cell is the link that leaves a host; hosts are in rows from the lower left'
set label note at screen 0.5, screen (below - 100.0) / height center font small tc rgb '#555555'
set label left_out at screen 0.5, screen 12.0 / height center font small tc rgb '#555555'
set style fill solid 1 noborder
dot = (width - 16.0) / (right - left) / 60 # size of the dot of a host; small if hosts are close
# A long name is in small letters; if it is still too long, dots replace its middle.
room = (width - 16.0) / abreast - 8
most = int(room / (0.85 * letter)) # small letters
half = int((most - 3) / 2)
longest = 0
do for [i=1:files] {
  longest = strlen(value(sprintf('file_%d', i))) > longest ? strlen(value(sprintf('file_%d', i))) : longest
}
fit(name) = longest * letter <= room || strlen(name) <= most ? name : \
  name[1:half].'...'.name[strlen(name) - half + 1:*]
do for [i=1:(files > 1 ? files : 0)] {
  set label fit(value(sprintf('file_%d', i))) at first value(sprintf('file_at_%d', i)), \
    first value(sprintf('file_top_%d', i)) + (above - 16) * (right - left) / (width - 16) \
    center font (longest * letter <= room ? '' : small)
}
plot $links using ($5 > 0 ? NaN : $1):2:3:4 with boxxyerror lc rgb '#d8d8d8', \
  $links using ($5 > 0 ? $1 : NaN):2:3:4:($5 / unit_bytes) with boxxyerror lc palette, \
  $hosts using 1:2 with points pt 7 ps 0.3 * point * (dot < 1 ? dot : 1) lc rgb '#888888', \
  $panels using 1:2:3 with labels
