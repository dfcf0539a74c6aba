# A merged trace of `calls` calls of a test on n ranks: h = n / 2, r < h.
#   send           r to r + h
#   sendrecv_same  r and r + h exchange
#   sendrecv_diff  r sends to r + h, which sends to r - 1: a rank never receives from the rank to which it sends
#   alltoall       4 MB to each
BEGIN {
  bytes = 4000000
  h = n / 2
  for (rank = 0; rank < n; rank++) {
    print rank, "init"
    partner = (rank + h) % n
    to = rank < h ? partner : (rank - 1) % h
    from = rank < h ? h + (rank + 1) % h : partner
    for (call = 0; call < calls; call++) {
      if (test == "send")
        print rank, (rank < h ? "send" : "recv"), partner, 0, bytes, 6
      else if (test == "sendrecv_same")
        print rank, "sendRecv", bytes, partner, bytes, partner, 6, 6
      else if (test == "sendrecv_diff")
        print rank, "sendRecv", bytes, to, bytes, from, 6, 6
      else
        print rank, "alltoall", bytes, bytes, 6, 6
    }
    print rank, "finalize"
  }
}
