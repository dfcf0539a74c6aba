# Additional time in percent against the factor on all latencies.  $points has
# "latencies longer predicted"; `tolerated` is the factor at which the program takes `percent` percent
# longer, 0 if it does not within the points.
key_symbol(i) = i == 1 ? 7 : 5
key_colour(i) = colour[i]
height = 430 + head
eval begin_picture
eval draw_legend
stats $points using 1 nooutput name 'L'
stats $points using 2 nooutput name 'T'
top = T_max > 1.2 * percent ? T_max : 1.2 * percent
set logscale x 10
set xrange [1:L_max]
set yrange [(T_min < 0 ? T_min : 0):1.05 * top]
set tmargin at screen from_top(head + 4)
set lmargin at screen 0.15
set rmargin at screen 0.96
set bmargin at screen 84.0 / height
x_title = 'factor on all latencies'
y_title = 'longer by, %'
eval draw_titles
if (L_max < 10) { set xtics (1, 1.5, 2, 3, 4, 5, 7, 10) } else { if (L_max < 100) { set xtics (1, 2, 5, 10, 20, 50, 100) } }
if (tolerated > 0) {
  set arrow 10 from first 1, first percent to first tolerated, first percent nohead dt 2 lc rgb '#555555'
  set arrow 11 from first tolerated, first percent to first tolerated, graph 0 nohead dt 2 lc rgb '#555555'
  # The label is beside the corner of the arrows, on the side that has room.
  tolerance = sprintf('%g %%: x %.3g', percent, tolerated)
  if (log10(tolerated) > 0.6 * log10(L_max)) {
    set label 10 tolerance at first tolerated, first percent right offset -0.5, 0.6 font small
  } else {
    set label 10 tolerance at first tolerated, first percent left offset 0.5, -0.6 font small
  }
}
plot $points using 1:($3 <= 1.05 * top ? $3 : NaN) with lines dt 2 lw 1.6 lc rgb colour[2], \
  $points using 1:2 with linespoints pt 7 ps 0.7 * point lw 1.6 lc rgb colour[1]
