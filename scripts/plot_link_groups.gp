# A row for each group of links.  $groups has "name links", then "mean largest" for each file.
bar = 13.                       # height of a bar
row = files * bar + 17
above = head + 6
below = 78 + (left_out eq '' ? 0 : line)
height = int(groups * row + above + below)
key_symbol(i) = 5
key_colour(i) = pick(series(i))
eval begin_picture
room = 0.8 * widest + 16 # for names in small letters
set lmargin at screen room / width
set rmargin at screen 1 - 30.0 / width
set tmargin at screen from_top(above)
set bmargin at screen 1.0 * below / height
set border 1
unset ytics
set yrange [groups:0]
max_bytes = times ? 0 : most
eval choose_unit
unit_load = unit_bytes
if (times) {
  unit = 's'
  do for [u in "ms us ns"] { if (most > 0 && most < unit_load) { unit_load = unit_load / 1000; unit = u } }
}
set xrange [0:(most > 0 ? 1.04 * most / unit_load : 1)]
x_title = (times ? 'bytes over bandwidth of a link (' : 'load of a link (').unit.'): mean, and largest'
set label 1 x_title at screen 0.5, screen (below - 62.0) / height center
note = left_out.(less > 0 ? sprintf('%s%d groups with lower loads are left out', left_out eq '' ? '' : '; ', less) : '')
set label 2 note at screen 0.5, screen 12.0 / height center font small tc rgb '#555555'
do for [i=1:groups] {
  set label 5000 + i word($groups[i], 1) at screen (room - 8) / width, first i - 0.5 right font small
}
eval draw_legend
at(k) = $0 + (8. + (k - 0.5) * bar) / row
set style fill solid 1 noborder
plot for [k=1:files] $groups using (column(2 * k + 1) / unit_load / 2):(at(k)):(column(2 * k + 1) / unit_load / 2):(bar / row * 0.42) \
    with boxxyerror lc rgb pick(k), \
  for [k=1:files] $groups using (0):(at(k)):(column(2 * k + 2) / unit_load):(0) with vectors nohead lw 1.5 lc rgb pick(k), \
  for [k=1:files] $groups using (column(2 * k + 2) / unit_load):(at(k)) with points pt 7 ps 0.8 * point lc rgb pick(k)
