# Seven panels.  $points has "series time metric1 ... metric7", each number relative to its mean.
# Panel i has title[i], the fitted line zero[i] + slope[i] * x, and its r2[i].  given[i] is 0 if a row lacks the metric.
key_symbol(i) = 7
key_colour(i) = pick(series(i))
height = 560 + head
eval begin_picture
set multiplot
eval draw_legend
stats $points using 2 nooutput
slowest = 1.02 * STATS_max
fastest = 0.98 * STATS_min
set samples 2
set clip two
do for [panel=1:7] {
  column = (panel - 1) % 4
  upper = panel <= 4
  set autoscale # without this, stats ignores the points outside of the ranges of the last panel
  if (given[panel]) { stats $points using 2 + panel nooutput name 'X' } else { X_min = 0.5; X_max = 1.5 }
  set yrange [fastest:slowest]
  low = X_min - 0.04 * (X_max - X_min)
  high = X_max + 0.04 * (X_max - X_min)
  if (high <= low) { low = 0.5; high = 1.5 }
  set xrange [low:high]
  set xtics font small
  set ytics font small
  set xtics (sprintf('%.1f', X_min) X_min, sprintf('%.1f', X_max) X_max)
  set lmargin at screen 0.11 + 0.225 * column
  set rmargin at screen 0.11 + 0.225 * column + 0.175
  set tmargin at screen from_top(head + (upper ? 8 : 288))
  set bmargin at screen from_top(head + (upper ? 208 : 488))
  if (column == 0) { set format y '%g' } else { set format y '' }
  set label 1 title[panel] at graph 0.5, graph -0.27 center font small
  if (column == 0) { set label 2 'time' at screen 16.0 / width, graph 0.5 center rotate by 90 } else { unset label 2 }
  set label 3 (given[panel] ? sprintf('R2 %.2f', r2[panel]) : 'not in all rows') at graph 0.04, graph 0.92 left font small front
  if (given[panel]) {
    plot $points using 2 + panel:2:(pick(int($1))) with points pt 7 ps 0.35 * point lc rgb variable, \
      zero[panel] + slope[panel] * x with lines lw 1.6 lc rgb '#000000'
  } else {
    plot fastest - 1 # an empty panel
  }
  unset label
}
unset multiplot
