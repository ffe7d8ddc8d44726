/* Vectorized quicksort of Highway, whose headers are all that is used: kernels/local.mk
   compiles this once for each instruction set, and nothing of C++ is left to be linked.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "kernels/cpu/sort/vqsort.h"

#define HWY_COMPILE_ONLY_STATIC
#include <hwy/contrib/sort/vqsort-inl.h>
#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/traits128-inl.h>
#include <limits>

#define PASTE_(a, b) a##_##b
#define PASTE(a, b) PASTE_ (a, b)

namespace hwy
{

/* Where samples for pivots begin.  Highway's own asks for an address, the clock and the
   processor; the same data shall take the same time.  */
__attribute__ ((weak, visibility ("hidden"))) void
Sorter::Fill24Bytes (const void *, size_t n, void *bytes)
{
  const uint64_t seed[3] = {0x9e3779b97f4a7c15u, n, 0xd1b54a32d192ed03u};

  memcpy (bytes, seed, sizeof seed);
}

} /* namespace hwy */

namespace
{

namespace simd = hwy::HWY_NAMESPACE;

/* Highway 1.0 assumes that the last value of the order is the greatest finite number, which
   would replace infinities, and that the value before it is less by the distance of 1 from its
   neighbour, so that numbers between the two would not be sorted.  */
template <class T>
struct ascending : simd::detail::OrderAscending<T>
{
  template <class D>
  HWY_INLINE simd::Vec<D> FirstValue (D d) const
  {
    return simd::Set (d, hwy::IsFloat<T> () ? -std::numeric_limits<T>::infinity ()
                                            : hwy::LowestValue<T> ());
  }

  template <class D>
  HWY_INLINE simd::Vec<D> LastValue (D d) const
  {
    return simd::Set (d, hwy::IsFloat<T> () ? std::numeric_limits<T>::infinity ()
                                            : hwy::HighestValue<T> ());
  }

  template <class D>
  HWY_INLINE simd::Vec<D> PrevValue (D, simd::Vec<D> v) const
  {
    const simd::RebindToSigned<D> whole;
    const auto bits = simd::BitCast (whole, v);
    const auto zero = simd::Zero (whole), one = simd::Set (whole, 1);

    if (!hwy::IsFloat<T> ())
      return simd::BitCast (D (), simd::Sub (bits, one));

    /* The bits of what is below zero grow with its magnitude.  */
    const auto minus = simd::BitCast (whole, simd::Set (D (), T (-0.0)));
    const auto word = simd::IfThenElse (simd::Eq (bits, zero), minus, bits);

    return simd::BitCast (D (), simd::IfThenElse (simd::Gt (word, zero),
                                                  simd::Sub (word, one),
                                                  simd::Add (word, one)));
  }
};

/* The upper halves of vectors are cleared here, since gcc does not do that behind all of Highway's
   functions (configure.ac).  */
template <class Traits, class T>
void
sort_lanes (T *x, size_t n)
{
  simd::Sort (simd::SortTag<T> (), simd::detail::SharedTraits<Traits> (), x, n,
              static_cast<T *> (nullptr));
  _mm256_zeroupper ();
}

template <class T>
void
sort (void *x, size_t n)
{
  sort_lanes<simd::detail::TraitsLane<ascending<T>>> (
    static_cast<T *> (x), n);
}

/* By all 128 bits: a sort by the upper half takes a greatest key for what fills its last
   vector.  */
void
sort_wide (void *x, size_t n)
{
  sort_lanes<simd::detail::Traits128<simd::detail::OrderAscending128>> (
    static_cast<uint64_t *> (x), 2 * n);
}

} /* namespace */

extern const struct gt_vqsorts PASTE (gt_vqsorts, GT_ISA)
  __attribute__ ((visibility ("hidden")));
const struct gt_vqsorts PASTE (gt_vqsorts, GT_ISA) = {
#define X(id, name, ctype) sort<ctype>,
  GT_VQSORT_KINDS (X)
#undef X
  sort_wide
};
