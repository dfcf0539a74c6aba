/* usage: late LIBRARY: loads a library that is linked with MPI, as Python loads its modules, and
 * calls its function work(). */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  int (*work)(int, char **) =
      library == NULL ? NULL : (int (*)(int, char **))dlsym(library, "work");
  if (work == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  return work(argc, argv);
}
