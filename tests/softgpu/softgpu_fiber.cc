/* Fibers: the switch in a dozen instructions for x86-64 and AArch64, with
   ucontext elsewhere; ASan is told of every switch.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_fiber.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef SOFTGPU_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
static const size_t stack_size = 256 << 10;
#else
static const size_t stack_size = 64 << 10;
#endif

/* Saves the callee-saved registers on the stack and the stack pointer in
   *SAVE, then takes up what lies at TO in the same way.  */
#if defined __x86_64__
extern "C" void softgpu_switch (void **save, void *to);
asm (".text\n"
     ".p2align 4\n"
     ".globl softgpu_switch\n"
     ".hidden softgpu_switch\n"
     ".type softgpu_switch, @function\n"
     "softgpu_switch:\n"
     "\tpushq %rbp\n"
     "\tpushq %rbx\n"
     "\tpushq %r12\n"
     "\tpushq %r13\n"
     "\tpushq %r14\n"
     "\tpushq %r15\n"
     "\tmovq %rsp, (%rdi)\n"
     "\tmovq %rsi, %rsp\n"
     "\tpopq %r15\n"
     "\tpopq %r14\n"
     "\tpopq %r13\n"
     "\tpopq %r12\n"
     "\tpopq %rbx\n"
     "\tpopq %rbp\n"
     "\tret\n"
     ".size softgpu_switch, . - softgpu_switch\n");

/* Six registers, the entry, and a null return address: at the entry the stack
   is aligned as after a call.  */
enum
{
  frame_words = 8,
  entry_word = 6
};
#elif defined __aarch64__
extern "C" void softgpu_switch (void **save, void *to);
asm (".text\n"
     ".p2align 4\n"
     ".globl softgpu_switch\n"
     ".hidden softgpu_switch\n"
     ".type softgpu_switch, %function\n"
     "softgpu_switch:\n"
     "\tsub sp, sp, #160\n"
     "\tstp x19, x20, [sp, #0]\n"
     "\tstp x21, x22, [sp, #16]\n"
     "\tstp x23, x24, [sp, #32]\n"
     "\tstp x25, x26, [sp, #48]\n"
     "\tstp x27, x28, [sp, #64]\n"
     "\tstp x29, x30, [sp, #80]\n"
     "\tstp d8, d9, [sp, #96]\n"
     "\tstp d10, d11, [sp, #112]\n"
     "\tstp d12, d13, [sp, #128]\n"
     "\tstp d14, d15, [sp, #144]\n"
     "\tmov x9, sp\n"
     "\tstr x9, [x0]\n"
     "\tmov sp, x1\n"
     "\tldp x19, x20, [sp, #0]\n"
     "\tldp x21, x22, [sp, #16]\n"
     "\tldp x23, x24, [sp, #32]\n"
     "\tldp x25, x26, [sp, #48]\n"
     "\tldp x27, x28, [sp, #64]\n"
     "\tldp x29, x30, [sp, #80]\n"
     "\tldp d8, d9, [sp, #96]\n"
     "\tldp d10, d11, [sp, #112]\n"
     "\tldp d12, d13, [sp, #128]\n"
     "\tldp d14, d15, [sp, #144]\n"
     "\tadd sp, sp, #160\n"
     "\tret\n"
     ".size softgpu_switch, . - softgpu_switch\n");

enum
{
  frame_words = 20,
  entry_word = 11
};
#endif

namespace softgpu
{
bool
fiber_stacks (fiber *const *fibers, unsigned count)
{
  size_t guard = (size_t) sysconf (_SC_PAGESIZE);

  for (unsigned i = 0; i < count; i++)
    {
      if (fibers[i]->stack)
        continue;
      void *at = mmap (nullptr, guard + stack_size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (at == MAP_FAILED)
        return false;
      if (mprotect (at, guard, PROT_NONE) != 0)
        {
          munmap (at, guard + stack_size);
          return false;
        }
      fibers[i]->stack = static_cast<char *> (at) + guard;
      fibers[i]->sanitizer_stack = fibers[i]->stack;
      fibers[i]->sanitizer_size = stack_size;
    }
  return true;
}

void
fiber_start (fiber *f, unsigned index, void (*entry) ())
{
  size_t usable = stack_size - index % 64 * 192;
#if defined __x86_64__ || defined __aarch64__
  void **frame = reinterpret_cast<void **> (f->stack + usable) - frame_words;

  memset (frame, 0, frame_words * sizeof *frame);
  frame[entry_word] = reinterpret_cast<void *> (entry);
  f->stack_pointer = frame;
#else
  getcontext (&f->context);
  f->context.uc_stack.ss_sp = f->stack;
  f->context.uc_stack.ss_size = usable;
  f->context.uc_link = nullptr;
  makecontext (&f->context, entry, 0);
#endif
}

#ifdef SOFTGPU_ASAN
/* Whom the running fiber was switched to from.  Under the launch lock.  */
static fiber *left;

void
fiber_entered (fiber *self)
{
  __sanitizer_finish_switch_fiber (self->fake_stack, &left->sanitizer_stack,
                                   &left->sanitizer_size);
}

void
fiber_abandon (fiber *f)
{
  __asan_unpoison_memory_region (f->stack, stack_size);
  f->fake_stack = nullptr;
}
#else
void
fiber_entered (fiber *)
{
}

void
fiber_abandon (fiber *)
{
}
#endif

/* ASan's own stack of a fiber that ends is kept for its next start: making one
   costs more than a thread's whole work.  */
void
fiber_switch (fiber *from, fiber *to)
{
#ifdef SOFTGPU_ASAN
  left = from;
  __sanitizer_start_switch_fiber (&from->fake_stack, to->sanitizer_stack,
                                  to->sanitizer_size);
#endif
#if defined __x86_64__ || defined __aarch64__
  softgpu_switch (&from->stack_pointer, to->stack_pointer);
#else
  swapcontext (&from->context, &to->context);
#endif
  fiber_entered (from);
}
}
