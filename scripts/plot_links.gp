# $links has "x y half-width half-height bytes", $panels "x y name" of the place of their first host.
head = (named ? 26 : 6) + (files > 1 ? 26 : 0)
foot = 96
drawn = 624.0
height = int(drawn * (top - bottom) / (right - left) + head + foot)
eval begin_picture
set lmargin at screen 8.0 / width
set rmargin at screen 1 - 8.0 / width
set tmargin at screen 1 - 1.0 * head / height
set bmargin at screen 1.0 * foot / height
unset border
unset tics
unset grid
set xrange [left:right]
set yrange [bottom:top]
scale = max_bytes > 0 ? max_bytes : 1
set cbrange [0:scale]
set colorbox horizontal user origin 0.1, 52.0 / height size 0.8, 16.0 / height
set cbtics scale 0.4 offset 0, 0.4
set format cb '%.1s %cB'
set cbtics scale / 4
set cblabel 'bytes over the link' offset 0, 0.7
set style fill solid 1 noborder
do for [i=1:files * (files > 1)] {
  set label value(sprintf('file_%d', i)) at first value(sprintf('file_at_%d', i)), screen 1 - 14.0 / height center
}
plot $links using 1:2:3:4:($5 > 0 ? NaN : 0) with boxxyerror fc rgb '#d8d8d8' notitle, \
  $links using 1:2:3:4:($5 > 0 ? $5 : NaN) with boxxyerror fc palette notitle, \
  $hosts using 1:2 with points pt 7 ps 0.3 lc rgb '#888888' notitle, \
  $panels using ($1 + (columns - 1) / 2.0):($2 + rows - 0.5 + 0.15):3 with labels notitle
