# label[], share[] and kind[] of bars 1 to `bars`, the longest first.
key_symbol(i) = 5
key_colour(i) = pick(series(i))
height = 60 + 30 * bars + head
eval begin_picture
eval draw_legend
set lmargin at screen 0.5
set rmargin at screen 0.95
set tmargin at screen from_top(head + 8)
set xlabel 'share of the time (%)'
set xrange [0:*]
set yrange [bars + 0.6:0.4]
unset ytics
do for [i=1:bars] {
  set label i label[i] at graph -0.02, first i right font small
  set object i rectangle from 0, i - 0.35 to 100 * share[i], i + 0.35 fc rgb pick(kind[i]) fs solid noborder
}
plot [0:105 * share[1]] -1 notitle
