# Two panels: $points has "mapper trace time hop-bytes load", all relative to the baseline.
array shape[12] = [7, 5, 9, 13, 11, 15, 6, 4, 8, 12, 10, 14]
symbol(t) = traces == 1 ? 7 : shape[(t - 1) % 12 + 1]
key_height = key_rows * line + (subtitle eq '' ? 0 : line) + 12
height = 330 + key_height
eval begin_picture
set multiplot
set tmargin at screen 1 - 1.0 * key_height / height
set bmargin at screen 68.0 / height
set key at screen 0.52, 1 - 4.0 / height center top horizontal Left reverse samplen 1 maxcols key_columns
if (subtitle ne '') { set label 1 subtitle at screen 0.5, 1 - (key_height - 14.0) / height center font ',16' tc rgb '#555555' }
set border 3
set offsets graph 0.08, graph 0.08, graph 0.08, graph 0.08
set xtics autofreq
set ylabel 'simulated time (relative to '.baseline.')' offset 0.6
set xlabel 'hop-bytes'
set lmargin at screen 0.135
set rmargin at screen 0.545
panel(c) = c
set style fill transparent solid 0.8
plot for [m=1:mappers] for [t=1:traces] $points using ($1 == m && $2 == t ? $4 : NaN):3 \
    with points pt symbol(t) ps 1 lc rgb pick(m) notitle, \
  for [m=1:mappers] keyentry with points pt 7 ps 1.2 lc rgb pick(m) title value(sprintf('mapper_%d', m)), \
  for [t=1:(traces > 1 ? traces : 0)] keyentry with points pt symbol(t) ps 1.2 lc rgb '#555555' \
    title value(sprintf('trace_%d', t))
unset key
unset label 1
unset ylabel
set xlabel 'largest link load'
set format y ''
set lmargin at screen 0.575
set rmargin at screen 0.985
plot for [m=1:mappers] for [t=1:traces] $points using ($1 == m && $2 == t ? $5 : NaN):3 \
  with points pt symbol(t) ps 1 lc rgb pick(m) notitle
unset multiplot
