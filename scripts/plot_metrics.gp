# Two panels.  $points has "mapper trace time hop-bytes load around around".  Time, hop-bytes and load
# are relative to the baseline; `around` is the number of earlier points at the same place in the left
# and in the right panel.
# Marks are open, so that a mark behind another one is visible.  Series beyond the eighth colour have a
# cross in their marks.
array open_mark[6] = [6, 4, 8, 12, 10, 14]
mark(shape) = open_mark[(int(shape) - 1) % 6 + 1]
symbol(m, t) = mark(traces == 1 ? m : t)
crossed(m) = (int(m) - 1) / 8 % 2
key_symbol(i) = i <= mappers ? symbol(i, 1) : mark(i - mappers)
key_crossed(i) = i <= mappers && crossed(i)
key_colour(i) = i <= mappers ? pick(series(i)) : 0x555555
# The baseline is 1 on all axes.
scale = strlen(baseline) <= 6 ? ' ('.baseline.' = 1)' : ' (relative)'
if (strlen(baseline) > 6) {
  subtitle = 'relative to '.baseline.(subtitle eq '' ? '' : '; '.subtitle)
  head = head + (subtitle_rows ? 0 : line)
  subtitle_rows = 1
}
height = 350 + head
eval begin_picture
set multiplot
eval draw_legend
set tmargin at screen from_top(head + 4)
set bmargin at screen 70.0 / height
set xrange [0 < *:*]
set yrange [0 < *:*]
set offsets graph 0.08, graph 0.08, graph 0.08, graph 0.08

# The steps of the axes are so large that numbers overlap neither each other nor titles.
scale_of(raw) = 10 ** floor(log10(raw))
round_up(x) = x <= 1 ? 1 : x <= 2 ? 2 : x <= 5 ? 5 : 10
step(low, high) = high > low ? round_up((high - low) / 2.5 / scale_of((high - low) / 2.5)) * scale_of((high - low) / 2.5) : 0.5

set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dt 2 lc rgb '#888888' lw 0.8 back
set arrow 2 from first 1, graph 0 to first 1, graph 1 nohead dt 2 lc rgb '#888888' lw 0.8 back
stats $points using 3 nooutput
set ytics step(STATS_min, STATS_max)
do for [panel=1:2] {
  stats $points using 3 + panel nooutput
  set xtics step(STATS_min, STATS_max)
  x_title = panel == 1 ? 'hop-bytes'.scale : 'largest link load'.scale
  set lmargin at screen panel == 1 ? 0.155 : 0.6
  set rmargin at screen panel == 1 ? 0.515 : 0.96
  y_title = panel == 1 ? 'simulated time'.scale : ''
  if (panel == 2) {
    unset label
    set format y ''
  }
  eval draw_titles
  # A point at the place of earlier points is drawn as a larger ring around them.
  plot $points using 3 + panel:3:((1 + 0.5 * column(5 + panel)) * point):(symbol($1, $2)):(pick(int($1))) \
    with points ps variable pt variable lw 1.2 lc rgb variable, \
    $points using (crossed($1) ? column(3 + panel) : NaN):3:(pick(int($1))) \
    with points ps 0.5 * point pt 2 lw 1.2 lc rgb variable
}
unset multiplot
