# The kernels: the arithmetic, compiled for the CPU and for GPUs.
# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

# configure takes CPU_KERNEL_SOURCES, CUDA_FATBINS and CUDA_KERNEL_SOURCES from
# the catalogue, and LADDER_FATBINS and LADDER_SOURCES from the ladder's.
KERNEL_CPU_H = \
  kernels/cpu/finish/ball.h \
  kernels/cpu/sums/combine.h \
  kernels/cpu/order/complex_magnitudes.inc \
  kernels/cpu/order/combine_order.inc \
  kernels/cpu/isa/each_arithmetic.h \
  kernels/cpu/quick/convert.inc \
  kernels/cpu/quick/quick.h \
  kernels/cpu/quick/sets.def \
  kernels/cpu/quick/terms.h \
  kernels/cpu/exact/exact_lanes.h \
  kernels/cpu/finish/finish.h \
  kernels/cpu/wide/fused.h \
  kernels/inline.h \
  kernels/cpu/isa/isa.h \
  kernels/cpu/sums/lift.inc \
  kernels/cpu/wide/long_double.h \
  kernels/cpu/order/order_compare.inc \
  kernels/cpu/order/order_rows.h \
  kernels/cpu/order/order_rows_kernels.inc \
  kernels/cpu/order/order_scalar.inc \
  kernels/cpu/order/order_search.inc \
  kernels/cpu/sort/divide.inc \
  kernels/cpu/sort/select.inc \
  kernels/cpu/sort/sort.h \
  kernels/cpu/sort/undecided.inc \
  kernels/cpu/sort/vqsort.h \
  kernels/cpu/isa/room.h \
  kernels/cpu/sums/sequential_kernels.inc \
  kernels/cpu/order/sequential_order_kernels.inc \
  kernels/cpu/sums/simd_contiguous.inc \
  kernels/cpu/sums/simd_integers_kernels.inc \
  kernels/cpu/sums/simd_kernels.inc \
  kernels/cpu/order/simd_order_kernels.inc \
  kernels/cpu/sums/simd_strided.inc \
  kernels/cpu/sums/simd_sums_floats.inc \
  kernels/cpu/sums/simd_sums_loop.inc \
  kernels/cpu/isa/simd_vector.inc \
  kernels/cpu/sums/sums.h \
  kernels/cpu/wide/two_product.inc \
  kernels/cpu/wide/two_sum.h \
  kernels/cpu/exact/two_products.h \
  kernels/cpu/sums/vector_products.h \
  kernels/cpu/isa/vector_type.inc \
  kernels/cpu/matrix/plain.h \
  kernels/cpu/matrix/plain.inc \
  kernels/cpu/matrix/tile_vectors.h \
  kernels/cpu/matrix/tiles.h \
  kernels/cpu/matrix/across.h \
  kernels/cpu/matrix/across.inc \
  kernels/cpu/matrix/updates.h \
  kernels/cpu/matrix/updates.inc \
  kernels/cpu/isa/vectors.h
# What finishes sums, for the host and for devices.
FINISHING_H = \
  kernels/formula.inc \
  kernels/rational.h \
  kernels/rational.inc \
  kernels/statistics.def \
  kernels/statistics.h \
  kernels/whole.h \
  kernels/whole.inc
KERNEL_CUH = \
  $(FINISHING_H) \
  kernels/cuda/accumulate.cuh \
  kernels/cuda/cluster.cuh \
  kernels/cuda/complex.cuh \
  kernels/cuda/exact.cuh \
  kernels/cuda/exact_bins.cuh \
  kernels/cuda/exact_window.cuh \
  kernels/cuda/exact_window_sums.cuh \
  kernels/cuda/exact_words.cuh \
  kernels/cuda/finish.cuh \
  kernels/cuda/grid_stride.cuh \
  kernels/cuda/grid_stride_sums.cuh \
  kernels/cuda/integer_sums.cuh \
  kernels/cuda/lines.cuh \
  kernels/cuda/lines_products.cuh \
  kernels/cuda/lines_settle.cuh \
  kernels/cuda/lines_sums.cuh \
  kernels/cuda/matrix.cuh \
  kernels/cuda/matrix_settle.cuh \
  kernels/cuda/matrix_moduli.cuh \
  kernels/cuda/matrix_residues.cuh \
  kernels/cuda/matrix_tiles.cuh \
  kernels/cuda/order.cuh \
  kernels/cuda/powers.cuh \
  kernels/cuda/reduce.cuh \
  kernels/cuda/sums.cuh
# What the exact kernels share.
EXACT_SOURCES = \
  kernels/cpu/quick/quick_isas.c \
  kernels/superaccumulator.h
# What is compiled once for each instruction set.
EACH_ISA_SOURCES = \
  $(CPU_KERNEL_SOURCES) \
  kernels/cpu/quick/convert.c \
  kernels/cpu/quick/direct.c \
  kernels/cpu/quick/enclose.c \
  kernels/cpu/quick/quick_sums.c \
  kernels/cpu/sort/undecided.c \
  kernels/cpu/matrix/across.c \
  kernels/cpu/matrix/elements.c \
  kernels/cpu/matrix/plain.c \
  kernels/cpu/matrix/tiles.c \
  kernels/cpu/matrix/updates.c
kernels_sources = \
  $(KERNEL_CPU_H) \
  $(EXACT_SOURCES) \
  kernels/args.h \
  kernels/catalog.c \
  kernels/catalog.h \
  kernels/columns.h \
  kernels/cpu/sums/combine.c \
  kernels/cpu/finish/finish.c \
  kernels/cpu/isa/isa.c \
  kernels/cpu/sort/sort.c \
  kernels/cpu/matrix/plain_isas.c \
  kernels/cpu/matrix/tiles_isas.c \
  kernels/cpu/matrix/updates_isas.c \
  kernels/cpu/sums/sums.c \
  kernels/products.h \
  kernels/reductions.c \
  kernels/cutoffs.def \
  kernels/cutoffs.h \
  kernels/images.h \
  kernels/reductions.h \
  kernels/task.h \
  kernels/types.h \
  kernels/words.h
# The command's alone.
command_kernel_sources = \
  kernels/ladder/rungs.c \
  kernels/ladder/rungs.h \
  kernels/resources.c \
  kernels/resources.h
EXTRA_DIST += \
  $(CUDA_KERNEL_SOURCES) \
  $(EACH_ISA_SOURCES) \
  $(KERNEL_CUH) \
  $(LADDER_SOURCES) \
  kernels/catalog.def \
  kernels/catalog.sh \
  kernels/cpu/sort/vqsort.cc \
  kernels/cuda/resources.awk \
  kernels/images.S \
  kernels/images.def \
  kernels/ladder/ladder.cuh \
  kernels/ladder/ladder.def \
  kernels/ladder/rung_images.S \
  kernels/reductions.def \
  kernels/versions.sh \
  kernels/versions.txt

# A text for each instruction set: vectors as wide as its registers, and CFLAGS
# for the rest.  kernels/cpu/isa/isa.c chooses among them.
ISA_OBJECTS = $(EACH_ISA_SOURCES:.c=.baseline.lo)
if HAVE_X86_ISAS
ISA_OBJECTS += $(EACH_ISA_SOURCES:.c=.avx2.lo) \
  $(EACH_ISA_SOURCES:.c=.avx512.lo)
endif
SUFFIXES = .baseline.lo .avx2.lo .avx512.lo
ISA_COMPILE = $(MKDIR_P) $(@D); $(LTCOMPILE) $(KERNEL_CFLAGS) $(ISA_CFLAGS) -c -o $@ $<
.c.baseline.lo:
	$(AM_V_CC)$(ISA_COMPILE) -DGT_ISA=baseline -DGT_VECTOR_BYTES=16
.c.avx2.lo:
	$(AM_V_CC)$(ISA_COMPILE) -DGT_ISA=avx2 -DGT_VECTOR_BYTES=32 $(AVX2_CFLAGS)
.c.avx512.lo:
	$(AM_V_CC)$(ISA_COMPILE) -DGT_ISA=avx512 -DGT_VECTOR_BYTES=64 $(AVX512_CFLAGS)
if HAVE_VQSORT
# Highway's headers alone, nothing of C++ that would have to be linked.  Without
# -fmerge-all-constants gcc copies Highway's tables to the stack each time.
ISA_OBJECTS += kernels/cpu/sort/vqsort.avx2.lo kernels/cpu/sort/vqsort.avx512.lo
VQSORT_COMPILE = $(MKDIR_P) $(@D); $(LTCXXCOMPILE) $(VQSORT_CXXFLAGS) $(ISA_CFLAGS) -c -o $@ $<
.cc.avx2.lo:
	$(AM_V_CXX)$(VQSORT_COMPILE) -DGT_ISA=avx2
.cc.avx512.lo:
	$(AM_V_CXX)$(VQSORT_COMPILE) -DGT_ISA=avx512 $(AVX512_CFLAGS)
endif
$(ISA_OBJECTS): config.h kernels/catalog.h kernels/reductions.def \
  kernels/products.h kernels/reductions.h kernels/task.h kernels/types.h \
  kernels/superaccumulator.h $(KERNEL_CPU_H)
DISTCLEANFILES = kernels/*/.deps/*.Plo kernels/.deps/*.Plo tests/.deps/*.Plo

.PHONY: record-versions
record-versions:
	@$(SHELL) $(srcdir)/kernels/versions.sh $(srcdir) > versions.tmp \
	  && mv versions.tmp $(srcdir)/kernels/versions.txt

.PHONY: kernel-resources
if HAVE_CUDA
AM_V_NVCC = $(am__v_NVCC_@AM_V@)
am__v_NVCC_ = $(am__v_NVCC_@AM_DEFAULT_V@)
am__v_NVCC_0 = @echo "  NVCC    " $@;
am__v_NVCC_1 =

# Never --use_fast_math: it reorders, flushes and approximates.
SUFFIXES += .cu .fatbin
.cu.fatbin:
	@$(MKDIR_P) $(@D)
	$(AM_V_NVCC)$(NVCC) -std=c++17 $(NVCC_ARCH) $(NVCC_COMPRESS) \
	  $(NVCCFLAGS) -I$(top_srcdir) -Xptxas -v -fatbin -o $@ $< > $@.log 2>&1 \
	  || { cat $@.log >&2; rm -f $@; exit 1; }
	@grep -i warning $@.log >&2 || :
$(CUDA_FATBINS) $(LADDER_FATBINS): kernels/args.h kernels/products.h \
  kernels/superaccumulator.h \
  $(KERNEL_CUH)
$(LADDER_FATBINS): kernels/ladder/ladder.cuh
# Sums, norms and products, which programs put into streams by the hundred.
STREAM_FATBINS = kernels/cuda/grid_stride.fatbin kernels/cuda/grid_stride_asum.fatbin \
  kernels/cuda/grid_stride_moments.fatbin kernels/cuda/exact_window.fatbin \
  kernels/cuda/exact_window_asum.fatbin kernels/cuda/exact_window_moments.fatbin
$(CLUSTER_FATBINS): NVCC_ARCH = $(NVCC_ARCH_CLUSTER)
kernels/cuda/grid_stride.fatbin $(LADDER_FATBINS): NVCC_ARCH = $(NVCC_ARCH_SHOWN)
$(STREAM_FATBINS): NVCC_ARCH += $(NVCC_ARCH_STREAMS)

# A rung that launches kernels stays relocatable: the command links it with the
# user's device runtime, which is not ours to install (tuning/measure).  It is not
# compressed, so that anybody can see what is in it.  Registers are those of the
# linked kernel: where there is a device runtime now it is linked for that alone.
kernels/ladder/recursive.fatbin: kernels/ladder/recursive.cu
	@$(MKDIR_P) $(@D)
	$(AM_V_NVCC)$(NVCC) -std=c++17 $(NVCC_ARCH) $(NVCCFLAGS) --no-compress \
	  -I$(top_srcdir) -Xptxas -v -rdc=true -fatbin -o $@ \
	  $(srcdir)/kernels/ladder/recursive.cu > $@.log 2>&1 \
	  || { cat $@.log >&2; rm -f $@; exit 1; }
	@grep -i warning $@.log >&2 || :
	@$(NVCC) $(NVCC_ARCH) -Xnvlink -v -dlink -fatbin -o $@.linked $@ \
	  -lcudadevrt > $@.link.log 2>&1 \
	  && cat $@.link.log >> $@.log; rm -f $@.linked $@.link.log
kernels/images.lo: $(CUDA_FATBINS) kernels/catalog.def kernels/images.def
kernels/ladder/rung_images.$(OBJEXT): $(LADDER_FATBINS) kernels/ladder/ladder.def

kernels/cuda/resources_table.c: $(CUDA_FATBINS) kernels/cuda/resources.awk
	$(AM_V_GEN)for f in $(CUDA_FATBINS); do cat $$f.log; done \
	  | $(AWK) -f $(srcdir)/kernels/cuda/resources.awk > $@.tmp \
	  && mv $@.tmp $@

# Registers, shared memory and spills of every kernel, for whoever changes one.
kernel-resources: $(CUDA_FATBINS) $(LADDER_FATBINS)
	@for f in $(CUDA_FATBINS) $(LADDER_FATBINS); do cat $$f.log; done \
	  | $(AWK) -v form=table -f $(srcdir)/kernels/cuda/resources.awk
else
kernel-resources:
	@echo "make kernel-resources: this build has no CUDA kernels: configure" \
	  "--with-cuda, where there is a CUDA Toolkit" >&2; exit 1
endif
# Those of an earlier configuration with CUDA, too.
CLEANFILES += kernels/cuda/resources_table.c kernels/cuda/*.fatbin \
  kernels/cuda/*.fatbin.log kernels/ladder/*.fatbin kernels/ladder/*.fatbin.log
