# Use against load.  $use has a block for each series, with lines "load use series".
turned = 1.1 * letter * (longest_label + 1) > 0.8 * width / loads
foot = turned ? drop + 56 : 2 * line + 12
height = int(275 + head + foot)
eval begin_picture
shape(s) = int(word('7 5 9 13 11 4 6 8', (int(s) - 1) % 8 + 1))
key_symbol(i) = shape(series(i))
key_colour(i) = pick(series(i))
eval draw_legend
set tmargin at screen from_top(head + 4)
set lmargin at screen left_margin(0.3 / (loads - 0.4))
set rmargin at screen 0.97
set bmargin at screen 1.0 * foot / height
eval turn_labels
set xrange [-0.3:loads - 0.7]
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
x_title = 'load'
y_title = 'machine use, %'
eval draw_titles
plot for [i=1:lines] $use index i - 1 using 1:2 with linespoints pt shape(series(i)) ps point \
    lw 1.4 lc rgb pick(series(i))
