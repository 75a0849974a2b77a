#define _GNU_SOURCE
#include "CLookups.h"

#ifdef __linux__

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <netdb.h>
#include <semaphore.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *held_name;
static sem_t begun, ended;

static int look_up(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  if (!node || strcmp(node, held_name)) return getaddrinfo(node, service, hints, result);
  sem_post(&begun);
  while (sem_wait(&ended)) {
  }
  return EAI_AGAIN;
}

/// Writes an address into a table of functions, which the linker may have protected.
static bool set(void **slot, void *address) {
  uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
  void *page = (void *)((uintptr_t)slot & ~(size - 1));
  if (mprotect(page, size, PROT_READ | PROT_WRITE)) return false;
  *slot = address;
  return true;
}

/// Looks for the function in relocations: https://refspecs.linuxfoundation.org/elf/gabi4+/ch5.dynamic.html.
static bool replace(const struct link_map *map, const ElfW(Rela) * relocations, size_t count, const ElfW(Sym) * symbols,
                    const char *names) {
  bool is_found = false;
  for (size_t number = 0; number < count; number++) {
    // Every address of the system is one of 64 bits.
    const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(relocations[number].r_info)];
    if (strcmp(names + symbol->st_name, "getaddrinfo")) continue;
    is_found |= set((void **)(map->l_addr + relocations[number].r_offset), (void *)look_up);
  }
  return is_found;
}

bool perennial_hold_lookup(void *library, const char *name) {
  struct link_map *map = NULL;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) || !map) return false;
  held_name = name;
  sem_init(&begun, 0, 0);
  sem_init(&ended, 0, 0);
  const ElfW(Rela) *calls = NULL, *others = NULL;
  size_t call_size = 0, other_size = 0;
  const ElfW(Sym) *symbols = NULL;
  const char *names = NULL;
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
    switch (entry->d_tag) {
    case DT_JMPREL: calls = (const void *)entry->d_un.d_ptr; break;
    case DT_PLTRELSZ: call_size = entry->d_un.d_val; break;
    case DT_RELA: others = (const void *)entry->d_un.d_ptr; break;
    case DT_RELASZ: other_size = entry->d_un.d_val; break;
    case DT_SYMTAB: symbols = (const void *)entry->d_un.d_ptr; break;
    case DT_STRTAB: names = (const void *)entry->d_un.d_ptr; break;
    }
  }
  if (!symbols || !names) return false;
  bool is_found = calls && replace(map, calls, call_size / sizeof(*calls), symbols, names);
  if (others) is_found |= replace(map, others, other_size / sizeof(*others), symbols, names);
  return is_found;
}

void perennial_wait_for_lookup(void) {
  while (sem_wait(&begun)) {
  }
}

void perennial_end_lookup(void) { sem_post(&ended); }

#else

bool perennial_hold_lookup(void *library, const char *name) { return false; }
void perennial_wait_for_lookup(void) {}
void perennial_end_lookup(void) {}

#endif
