# A row a rank: $boxes has "rank start end state", in slots of time.
height = 90 + key_rows * line + (ranks < 8 ? 160 : ranks < 64 ? 160 + 4 * (ranks - 8) : 384)
eval begin_picture
set key tmargin center horizontal Left reverse samplen 1 maxcols key_columns
set xlabel 'time ('.unit.')'
set ylabel 'rank'
unset grid
set xrange [0:end_s / unit_s]
set yrange [ranks - 0.5:-0.5]
set ytics 0, ranks <= 8 ? 1 : ceil(ranks / 8.0)
set style fill solid 1 noborder
# Computing and sleeping are pale; the others have a colour each.
plain(name) = name eq 'compute' ? 0xc8c8c8 : name eq 'sleep' ? 0xe8e8e8 : -1
array tint[states]
used = 0
do for [i=1:states] {
  tint[i] = plain(value(sprintf('state_%d', i)))
  if (tint[i] < 0) { used = used + 1; tint[i] = pick(used) }
}
bar = ranks <= 64 ? 0.42 : 0.5
slot = slot_s / unit_s
plot for [i=1:states] $boxes using ($4 == i ? ($2 + $3) / 2.0 * slot : NaN):1:($2 * slot):($3 * slot):($1 - bar):($1 + bar) \
    with boxxyerror lc rgb tint[i] notitle, \
  for [i=1:states] keyentry with boxes lc rgb tint[i] title value(sprintf('state_%d', i))
