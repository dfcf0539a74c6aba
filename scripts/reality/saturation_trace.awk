# Prints a merged trace of `calls` calls of a test with messages of 4 MB on n ranks.  With h = n / 2 and r < h:
#   send           r sends to r + h
#   sendrecv_same  r and r + h exchange messages
#   sendrecv_diff  r sends to r + h, and r + h sends to r - 1, so that no rank receives from the rank to which it sends
#   alltoall       each rank sends to each other rank
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
