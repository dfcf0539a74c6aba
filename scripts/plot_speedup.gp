# Groups of bars, for example one group for each trace.  $bars has "group bar mean min max series".
span = (means ? means_at : groups - 1) + 1.1 # length of the axis; a group has length 1
turned = 1.1 * letter * (longest_label + 1) > 0.84 * width / span
foot = turned ? drop + 36 : line + 12
height = int(275 + head + foot)
eval begin_picture
key_symbol(i) = series(i) <= 8 ? 5 : 4
strong(s) = colour[(int(s) - 1) % 8 + 1]
key_colour(i) = strong(series(i))
eval draw_legend
set tmargin at screen from_top(head + 4)
set lmargin at screen left_margin(0.55 / span)
set rmargin at screen 0.99
set bmargin at screen 1.0 * foot / height
eval turn_labels
set xtics scale 0
set grid noxtics ytics
bar = bars < 3 ? 0.3 : 0.84 / bars
set boxwidth bar
set xrange [-0.55:span - 0.55]
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
x_title = ''
y_title = measure.baseline
eval draw_titles
at(group, m) = group + (m - (bars + 1) / 2.0) * bar
if (means) {
  set arrow 1 from means_at - 0.62, graph 0 to means_at - 0.62, graph 1 nohead dt 2 lc rgb '#888888' lw 0.7
}
set arrow 2 from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#000000' lw 0.8 front
# Series have 8 colours.  The bars of series after the eighth are hatched.
array hatch[5] = [4, 5, 1, 6, 7]
kind(s) = (int(s) - 1) / 8 % 6
plot for [k=0:(most_series > 8 ? 5 : 0)] $bars \
    using (kind($6) == k ? at($1, $2) : NaN):3:(bar):(strong($6)) with boxes lc rgb variable lw 0.4 \
    fs pattern (k == 0 ? 3 : hatch[k]) border rgb '#222222', \
  $bars using (at($1, $2)):($5 > $4 ? $4 : NaN):(0):($5 - $4) \
    with vectors heads size screen 0.006,90 lw 0.8 lc rgb '#000000'
