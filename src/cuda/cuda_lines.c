/* Results of rows, columns and segments on a GPU: which kernels, and in which grids.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/cuda/cuda_grid.h"
#include "src/cuda/cuda_launch.h"
#include "src/cuda/cuda_order.h"

#define WARP 32
#define BLOCK GT_LINES_BLOCK

/* Blocks that keep an SM busy, and as many as it holds; lines that keep it busy if each has
   a warp, as long as they are shorter than this; and the least elements of a thread where
   blocks share a line.  These were measured on an H200 and an H100.  */
#define BLOCKS_PER_SM 4
#define MOST_BLOCKS_PER_SM 8
#define FULL_LINES_PER_SM 96
#define FULL_LENGTH 4096
#define LEAST_SHARE 8

/* Elements of a thread of those that take a segment, at most unless too many are longer, and of
   a chunk of a longer one, at least.  */
#define LONGEST_SHARE 512
#define LEAST_CHUNK ((uint64_t) 1 << 14)

/* Segments that are longer than that, at most where memory of one size is to be enough for any
   lines.  */
#define MOST_LONG ((uint64_t) 1 << 16)

/* Columns are read as one row of at least so many elements.  */
#define NARROW 64

/* Bytes of what a block leaves of a line, and additions behind those of a thread's elements:
   of warps, blocks and chunks.  */
#define SUM_BYTES 32
#define MERGES 64

static const struct
{
  enum gt_lines_sum sum, exact;
  enum gt_finish_as as;
  enum gt_reduction order;
  int squares, magnitudes, settles;
} results[] = {
  [GT_LINE_SUM] = {GT_LINES_SUM, GT_LINES_CERTAIN, GT_FINISH_ROUNDED, GT_SUM, 0, 0, 1},
  [GT_LINE_ASUM] = {GT_LINES_SUM, GT_LINES_CERTAIN, GT_FINISH_ROUNDED, GT_SUM, 0, 1, 1},
  [GT_LINE_MEAN] = {GT_LINES_SUM, GT_LINES_CERTAIN, GT_FINISH_MEAN, GT_SUM, 0, 0, 1},
  [GT_LINE_NRM2] = {GT_LINES_MOMENTS, GT_LINES_MOMENTS, GT_FINISH_ROOT, GT_SUM, 1, 0, 1},
  [GT_LINE_VARIANCE] = {GT_LINES_MOMENTS, GT_LINES_MOMENTS, GT_FINISH_VARIANCE, GT_SUM, 1, 0, 1},
  [GT_LINE_SD] = {GT_LINES_MOMENTS, GT_LINES_MOMENTS, GT_FINISH_SD, GT_SUM, 1, 0, 1},
  [GT_LINE_MAX] = {GT_LINES_EXTREME, GT_LINES_EXTREME, GT_FINISH_ELEMENT, GT_MAX, 0, 0, 0},
  [GT_LINE_MIN] = {GT_LINES_EXTREME, GT_LINES_EXTREME, GT_FINISH_ELEMENT, GT_MIN, 0, 0, 0},
  [GT_LINE_MAX_INDEX] = {GT_LINES_EXTREME, GT_LINES_EXTREME, GT_FINISH_INDEX, GT_MAX, 0, 0, 0},
  [GT_LINE_MIN_INDEX] = {GT_LINES_EXTREME, GT_LINES_EXTREME, GT_FINISH_INDEX, GT_MIN, 0, 0, 0},
};

/* How lines are shared, and what memory that takes.  */
struct plan
{
  enum gt_lines_kernel kernel;
  uint64_t grid, share, longest;
  uint32_t lanes, chunks, folds;
  size_t sums, items, tickets; /* how many */
  double depth;
};

/* Threads of a line of N elements, WIDTH of them loaded at once.  */
static uint32_t
threads_for (uint64_t n, uint64_t width)
{
  return gt_cuda_power_of_two (n / (2 * width), WARP);
}

/* Threads of a line where several lines are read at once: one for each vector of 16 bytes,
   or fewer where merging takes long.  */
static uint32_t
threads_of_several (uint64_t vectors, int merges_slowly)
{
  return !merges_slowly || vectors <= 4 ? gt_cuda_power_of_two (vectors, WARP)
                                        : gt_cuda_power_of_two (vectors / 2, vectors < 16 * WARP ? WARP / 2 : WARP);
}

/* Whether all lines are whole vectors.  */
static int
are_vectors (const struct gt_device_lines *l, uint64_t width)
{
  return (uintptr_t) l->data % 16 == 0 && l->stride == 1 && l->length % width == 0
         && (l->step % width == 0 || l->count == 1);
}

/* Lines that a GPU is full of where each has a warp, or part of one, are not shared by
   blocks.  */
static void
plan_rows (struct plan *p, const struct gt_open_gpu *gpu, const struct gt_device_lines *l, uint64_t width,
           enum gt_lines_sum sum)
{
  const uint64_t sms = gpu->device->gpu.sms, most = MOST_BLOCKS_PER_SM * sms;
  const int is_full = l->count >= FULL_LINES_PER_SM * sms;

  if (l->length < LEAST_SHARE * WARP || (is_full && l->length < FULL_LENGTH))
    {
      const int several = sum <= GT_LINES_CERTAIN && are_vectors (l, width);

      p->kernel = several ? GT_LINES_SEVERAL : GT_LINES_THREADS;
      p->lanes = several ? threads_of_several (l->length / width, sum == GT_LINES_CERTAIN)
                         : threads_for (l->length, width);
      p->grid = gt_cuda_divided (gt_cuda_divided (l->count, several ? GT_LINES_AT_ONCE : 1), BLOCK / p->lanes);
      p->depth = (double) (l->length / p->lanes) + MERGES;
      return;
    }
  p->kernel = GT_LINES_BLOCKS;
  if (l->count <= GT_N_TICKETS)
    p->chunks = (uint32_t) (most / l->count);
  if (p->chunks > l->length / (LEAST_SHARE / 2 * BLOCK))
    p->chunks = (uint32_t) (l->length / (LEAST_SHARE / 2 * BLOCK));
  p->chunks += p->chunks == 0;
  /* Whole vectors, so that all chunks are aligned as the line is.  */
  p->share = gt_cuda_divided (gt_cuda_divided (l->length, p->chunks), WARP) * WARP;
  p->chunks = (uint32_t) gt_cuda_divided (l->length, p->share);
  p->grid = l->count * p->chunks;
  p->sums = p->chunks > 1 ? p->grid : 0;
  p->depth = (double) (p->share / BLOCK + p->chunks / BLOCK) + MERGES;
}

static void
plan_segments (struct plan *p, const struct gt_open_gpu *gpu, const struct gt_device_lines *l, uint64_t width,
               int is_limited)
{
  const uint64_t blocks = MOST_BLOCKS_PER_SM * (uint64_t) gpu->device->gpu.sms;
  const uint64_t longest = is_limited ? gt_cuda_divided (l->all, MOST_LONG) : 0;

  p->kernel = GT_LINES_THREADS;
  p->lanes = threads_for (l->all / l->count, width);
  p->grid = gt_cuda_divided (l->count, BLOCK / p->lanes);
  p->longest = (uint64_t) LONGEST_SHARE * p->lanes;
  p->longest = p->longest < longest ? longest : p->longest;
  p->share = gt_cuda_divided (gt_cuda_divided (l->all, blocks), WARP) * WARP;
  p->share = p->share < LEAST_CHUNK ? LEAST_CHUNK : p->share;
  p->tickets = l->all / p->longest;
  p->items = p->tickets + l->all / p->share;
  p->sums = p->items;
  p->depth = (double) (gt_cuda_divided (p->longest, p->lanes) + p->share / BLOCK + l->all / p->share / BLOCK) + MERGES;
}

/* Threads side by side, two lines of a cache at least, and more where rows of them would lack
   elements.  */
static void
plan_columns (struct plan *p, const struct gt_open_gpu *gpu, const struct gt_device_lines *l, uint64_t width)
{
  const uint64_t places = BLOCKS_PER_SM * (uint64_t) gpu->device->gpu.sms;
  uint64_t threads, rows, groups;

  if (l->stride == l->count)
    while (l->count * p->folds < NARROW && l->length / p->folds > 1)
      p->folds *= 2;
  threads = gt_cuda_divided (l->count * p->folds, width);
  rows = l->length / p->folds;
  p->kernel = GT_LINES_COLUMNS;
  p->lanes = p->folds > 1 ? gt_cuda_power_of_two (threads, BLOCK) : gt_cuda_lanes (places, threads, BLOCK, WARP / 2);
  while (p->lanes < BLOCK && p->lanes < threads && LEAST_SHARE * BLOCK / p->lanes > rows)
    p->lanes *= 2;
  groups = gt_cuda_divided (threads, p->lanes);
  p->chunks = gt_cuda_chunks (places, groups, rows, LEAST_SHARE * BLOCK / p->lanes);
  p->grid = groups * p->chunks;
  p->sums = p->chunks > 1 ? p->grid * p->lanes * width : 0;
  p->depth = (double) (rows / p->chunks / (BLOCK / p->lanes) + p->chunks) + 2 * MERGES;
}

/* Memory IS_LIMITED where it is a user's.  */
static struct plan
plan_of (const struct gt_open_gpu *gpu, const struct gt_device_lines *l, enum gt_lines_sum sum, int is_limited)
{
  const uint64_t width = 16 / gt_arithmetics[l->arithmetic].size;
  struct plan p = {.lanes = 1, .chunks = 1, .folds = 1};

  if (l->offsets)
    plan_segments (&p, gpu, l, width, is_limited);
  else if (l->step == 1 && l->stride != 1)
    plan_columns (&p, gpu, l, width);
  else
    plan_rows (&p, gpu, l, width, sum);
  return p;
}

/* ----------------------------------------------------------------- Launches */

static struct gt_lines_args
args_of (const struct gt_device_lines *l, const struct plan *p)
{
  const size_t size = gt_arithmetics[l->arithmetic].size;
  const int is_integer = gt_is_integer (l->arithmetic);
  const int is_signed = gt_is_signed_integer (l->arithmetic);
  const enum gt_finish_as as = results[l->result].as;

  return (struct gt_lines_args) {
    .to = l->to, .to_stride = l->to_stride,
    .count = l->count, .length = l->length, .step = l->step, .stride = l->stride,
    .offsets = l->offsets, .all = l->all,
    .longest = p->longest, .share = p->share,
    .depth = p->depth,
    .bias = is_signed ? 0x1p31 : 0,
    .keep = results[l->result].magnitudes ? 0x7fffffff : 0xffffffff,
    .flip = is_signed ? 0x80000000 : 0,
    .as = as == GT_FINISH_ROUNDED && is_integer ? GT_FINISH_ELEMENT : as,
    .size = as == GT_FINISH_INDEX || (as >= GT_FINISH_MEAN && as != GT_FINISH_ROOT) ? 8 : (uint32_t) size,
    .exact = (uint32_t) (l->exact || is_integer),
    .squares = (uint32_t) results[l->result].squares,
    .lanes = p->lanes, .chunks = p->chunks, .folds = p->folds,
    .most_items = (uint32_t) p->items, .most_tickets = (uint32_t) p->tickets
  };
}

/* The address at OFFSET in the memory that a slot keeps zero for lines.  */
static uintptr_t
kept (const struct gt_ordering *o, size_t offset)
{
  return (uintptr_t) o->slot->memory + offset;
}

/* Whether results are put into a stream and nobody waits: then there is no slot, and all memory
   is the user's or the stream's.  */
static int
is_kept (const struct gt_ordering *o)
{
  return o->slot == NULL;
}

static CUresult
take_room (struct gt_ordering *o, size_t bytes, uintptr_t *room)
{
  CUresult status;

  *room = (uintptr_t) o->given;
  if (o->given)
    return CUDA_SUCCESS;
  if (!is_kept (o))
    return gt_cuda_order_room (o, bytes, room);
  status = o->gpu->driver->cuMemAllocAsync (&o->scratch, bytes, o->on);
  if (status != CUDA_SUCCESS)
    o->scratch = 0;
  *room = (uintptr_t) o->scratch;
  return status;
}

/* Memory, in this order: what is told of segments and their tickets, or of all lines where
   nobody waits, partial sums, items, the list of what is undecided, the word that tells of it.  */
static CUresult
make_room (struct gt_ordering *o, const struct gt_device_lines *l, const struct plan *p, int settles)
{
  struct gt_lines_args *const lines = &o->args.lines;
  const size_t n_tickets = l->offsets ? p->tickets : is_kept (o) ? GT_N_TICKETS : 0;
  const size_t told = l->offsets || is_kept (o) ? sizeof (struct gt_lines_control) + n_tickets * sizeof (uint32_t) : 0;
  const size_t tickets = (told + 255) / 256 * 256;
  const size_t sums = p->sums * SUM_BYTES, items = p->items * sizeof (struct gt_lines_item);
  const size_t listed = l->count < GT_LINES_LISTED ? l->count : GT_LINES_LISTED;
  const size_t list = settles ? listed * sizeof (uint64_t) : 0;
  const size_t all = tickets + sums + items + list + (is_kept (o) ? sizeof (struct gt_result) : 0);
  uintptr_t room = 0;
  CUresult status = CUDA_SUCCESS;

  if (all > 0)
    status = take_room (o, all, &room);
  lines->control = (void *) (told ? room : kept (o, offsetof (struct gt_slot_memory, lines)));
  lines->tickets = (void *) (told ? room + sizeof (struct gt_lines_control)
                                  : kept (o, offsetof (struct gt_slot_memory, matrix_ticket)));
  o->args.partials = sums > 0 ? (void *) (room + tickets) : NULL;
  lines->items = (void *) (room + tickets + sums);
  lines->undecided = (void *) (room + tickets + sums + items);
  if (is_kept (o))
    o->args.result = (void *) (room + tickets + sums + items + list);
  if (told)
    GT_THEN (status, o->gpu->driver->cuMemsetD8Async ((CUdeviceptr) room, 0, tickets, o->on));
  return status;
}

/* That is no more than this where memory is limited: most is left by blocks that share columns, as
   many as SMs hold, of four for each thread.  */
size_t
gt_cuda_lines_bytes (const struct gt_open_gpu *gpu)
{
  const size_t sms = (size_t) gpu->device->gpu.sms, items = MOST_LONG + MOST_BLOCKS_PER_SM * sms;

  return sizeof (struct gt_lines_control) + MOST_LONG * sizeof (uint32_t) + 255
         + (BLOCKS_PER_SM * sms * BLOCK * 4 + items) * SUM_BYTES
         + items * sizeof (struct gt_lines_item)
         + GT_LINES_LISTED * sizeof (uint64_t) + sizeof (struct gt_result);
}

static unsigned
key_of (enum gt_arithmetic arithmetic)
{
  return arithmetic == GT_F64   ? GT_LINES_F64
         : arithmetic == GT_F32 ? GT_LINES_F32
                                : GT_LINES_U32;
}

static CUresult
launch (struct gt_ordering *o, enum gt_lines_kernel kernel, enum gt_lines_sum sum, unsigned key, uint64_t grid)
{
  return gt_cuda_order_launch (o, (enum gt_named) (GT_LINES + GT_N_LINES_TYPES * (kernel * GT_N_LINES_SUMS + sum)), key, grid, BLOCK);
}

/* Waits; then whether lines were left undecided.  */
static CUresult
await (struct gt_ordering *o, int *undecided)
{
  struct gt_slot *const slot = o->slot;
  const CUresult status = o->gpu->driver->cuStreamSynchronize (o->on);

  *undecided = 0;
  if (status != CUDA_SUCCESS)
    return status;
  *undecided = slot->mailbox->result.word[0] >> 32 == slot->tag;
  slot->mailbox->result.word[0] = 0;
  slot->expecting = 0;
  return status;
}

static CUresult
launch_settling (struct gt_ordering *o, const struct gt_device_lines *l, unsigned key)
{
  const uint64_t blocks = MOST_BLOCKS_PER_SM * (uint64_t) o->gpu->device->gpu.sms;

  return gt_cuda_order_launch (o, GT_LINES_SETTLE, key, l->count < blocks ? l->count : blocks, BLOCK);
}

/* Settles what is undecided, and forgets it.  */
static CUresult
settle (struct gt_ordering *o, const struct gt_device_lines *l, unsigned key)
{
  struct gt_lines_control *const control = o->args.lines.control;
  CUresult status = launch_settling (o, l, key);

  GT_THEN (status, o->gpu->driver->cuMemsetD8Async ((CUdeviceptr) (uintptr_t) control, 0,
                                                    sizeof control->undecided, o->on));
  GT_THEN (status, o->gpu->driver->cuStreamSynchronize (o->on));
  return status;
}

static CUresult
compute (struct gt_ordering *o, const struct gt_device_lines *l)
{
  const int is_integer = gt_is_integer (l->arithmetic);
  const enum gt_lines_sum exact = results[l->result].exact;
  const enum gt_lines_sum sum = l->exact && !is_integer ? exact : results[l->result].sum;
  const int settles = results[l->result].settles && (l->exact || is_integer || sum == GT_LINES_MOMENTS);
  const struct plan p = plan_of (o->gpu, l, sum, o->given != 0);
  const uint64_t blocks = MOST_BLOCKS_PER_SM * (uint64_t) o->gpu->device->gpu.sms;
  const struct gt_problem problem = {.reduction = results[l->result].order, .arithmetic = l->arithmetic};
  const unsigned key = key_of (l->arithmetic);
  CUresult status = CUDA_SUCCESS;
  int undecided = 0;

  o->args.data = l->data;
  o->args.order = gt_order_of (&problem);
  o->args.lines = args_of (l, &p);
  if (!is_kept (o) && o->slot->spoilt)
    status = gt_cuda_slot_clear (o->gpu, o->slot);
  GT_THEN (status, make_room (o, l, &p, settles));
  if (!is_kept (o))
    gt_cuda_order_ask (o);
  GT_THEN (status, launch (o, p.kernel, sum, key, p.grid));
  if (p.items > 0)
    GT_THEN (status, launch (o, GT_LINES_BLOCKS, sum, key, p.items < blocks ? p.items : blocks));
  if (is_kept (o))
    {
      if (settles)
        GT_THEN (status, launch_settling (o, l, key));
      return status;
    }
  GT_THEN (status, await (o, &undecided));
  if (undecided)
    GT_THEN (status, settle (o, l, key));
  return status;
}

/* Takes what is told of segments.  */
static CUresult
ask_of_segments (struct gt_ordering *o, const struct gt_device_lines *l, unsigned *found)
{
  struct gt_lines_control control = {0};
  CUresult status = CUDA_SUCCESS;

  if (l->offsets)
    status = o->gpu->driver->cuMemcpyDtoH (&control, (CUdeviceptr) (uintptr_t) o->args.lines.control,
                                           sizeof control);
  *found = (control.wrong ? GT_LINES_ARE_WRONG : 0) | (control.empty ? GT_LINES_ARE_EMPTY : 0);
  return status;
}

int
gt_cuda_lines (struct gt_open_gpu *gpu, const struct gt_device_lines *lines, void *stream,
               unsigned *found)
{
  struct gt_ordering o;
  struct gt_fpenv env;
  CUresult status = gt_cuda_order_begin (gpu, stream, &o);
  int failed;

  gt_fpenv_enter (&env, GT_F64);
  GT_THEN (status, compute (&o, lines));
  GT_THEN (status, ask_of_segments (&o, lines, found));
  if (o.slot)
    o.slot->spoilt |= status != CUDA_SUCCESS;
  failed = gt_cuda_order_end (&o, status, "computing results of lines");
  gt_fpenv_leave (&env);
  return failed;
}

CUresult
gt_cuda_keep_lines (struct gt_open_gpu *gpu, CUstream stream, int is_primary,
                    const struct gt_device_lines *lines, CUdeviceptr given)
{
  struct gt_ordering o = {.gpu = gpu, .on = stream, .elsewhere = !is_primary, .given = given};
  struct gt_fpenv env;
  CUresult status, freed = CUDA_SUCCESS;

  gt_fpenv_enter (&env, GT_F64);
  status = compute (&o, lines);
  gt_fpenv_leave (&env);
  if (o.scratch)
    freed = gpu->driver->cuMemFreeAsync (o.scratch, stream);
  return status == CUDA_SUCCESS ? freed : status;
}
