# Writes the functions of MPI that the recorder does not record (after interpose/prototypes.awk): one-sided calls and
# MPI-IO count as computation, other communication is refused by name.

BEGIN {
  print "#include \"record/record.h\"\n"
  files = "^File_"
  one_sided = "^(Put|Get|Accumulate|Get_accumulate|Rput|Rget|Raccumulate|Rget_accumulate|Fetch_and_op|Compare_and_swap|Win_.*)$"
  collective = "(Barrier|Bcast|Reduce|Allreduce|Scan|Exscan|Gatherv?|Scatterv?|Allgatherv?|Alltoall[vw]?|Reduce_scatter(_block)?|Neighbor_all(gatherv?|toall[vw]?))"
  refused = "^(Intercomm_.*|Comm_spawn.*|Comm_accept|Comm_connect|Comm_join|Comm_create_from_group|Comm_idup_with_info|Session_init|Isendrecv(_replace)?|P(send|recv)_init|" collective "_init|(I?[bsr]?send|I?recv|M?recv|Im?recv|I?(S|s)endrecv(_replace)?|[BSR]?send_init|Recv_init)_c|(Send|Bsend|Ssend|Rsend|Isend|Ibsend|Issend|Irsend|Recv|Irecv|Mrecv|Imrecv|Send_init|Bsend_init|Ssend_init|Rsend_init|I?" collective ")_c|I(barrier|bcast|reduce|allreduce|scan|exscan|gatherv?|scatterv?|allgatherv?|alltoall[vw]?|reduce_scatter(_block)?|neighbor_all(gatherv?|toall[vw]?))_c)$"
  why["Intercomm"] = "intercommunicators cannot be recorded"
  why["Comm_spawn"] = why["Comm_accept"] = why["Comm_connect"] = why["Comm_join"] = "programs that other processes join cannot be recorded"
}

function reason(name,    key)
{
  for (key in why)
    if (index(name, key) == 1)
      return why[key]
  return name ~ /_c$/ ? "calls with large counts cannot be recorded" : "this call cannot be recorded"
}

function define(name, text, n, parameter, arguments,    count, i)
{
  count = name ~ files ? "files" : name ~ one_sided ? "one_sided" : ""
  if (count == "" && name !~ refused)
    return
  printf "MPI(%s, %s)\n{\n", name, text
  if (count == "") {
    for (i = 1; i <= n; i++)
      printf "  (void)%s;\n", name_of(parameter[i])
    printf "  record_refuse(\"MPI_%s\", \"%s\");\n}\n\n", name, reason(name)
    return
  }
  printf "  static __typeof__(MPI_%s) *real;\n", name
  printf "  if (real == NULL)\n    real = (__typeof__(real))interpose_next(\"PMPI_%s\");\n", name
  printf "  record_foreign_enter(&record.%s);\n  return record_foreign_leave(real(%s));\n}\n\n", count, arguments
}
