# $ranks has "rank computation total measured".
key_symbol(i) = 5
key_colour(i) = pick(series(i))
height = 400 + head
eval begin_picture
eval draw_legend
set xlabel 'rank'
set ylabel 'seconds'
set lmargin at screen 0.17
set tmargin at screen from_top(head + 8)
set yrange [0:*]
set format y '%.2g'
set style fill solid noborder
plot $ranks using 1:3:(0.8) with boxes lc rgb pick(2), \
  $ranks using 1:2:(0.8) with boxes lc rgb pick(1), \
  $ranks using 1:(measured ? $4 : NaN) with points pt 5 ps 0.7 * point lc rgb pick(7)
