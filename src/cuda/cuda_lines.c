/* Results of rows, columns and segments on a GPU: the choice of kernels and grids.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/cuda/cuda_launch.h"
#include "src/cuda/cuda_matrix.h"
#include "src/cuda/cuda_order.h"

#define WARP 32
#define BLOCK GT_LINES_BLOCK

/* Tunables of rows, columns and segments, measured on an H200:
   STAGED: the most bytes of a row that is staged in shared memory;
   GAP: the bytes between two rows from which on each row is staged separately, if they are a
   third of a row;
   LANES_COST, BATCH_COST: the time, in additions, for merging two lanes' sums, and for a batch
   of rows;
   WARPS_LENGTH, WARPS_PER_SM: the most elements of a row that one warp adds, and the fewest
   rows per SM; LONG_SEGMENT: the most elements of a segment that one warp adds;
   STAGING_PER_SM, BLOCKS_PER_SM, COLUMNS_PER_SM: blocks per SM of a grid;
   LEAST_SHARE: the fewest elements of a thread if blocks share a line, LEAST_CHUNK: of a block
   of a long segment; PRODUCT_PER_SM, PRODUCT_BYTES: the blocks per SM that share rows of
   products, and the fewest bytes of each;
   PRODUCT_ROW: the fewest bytes of rows of a product that are not staged if they lie aligned;
   COLUMNS_BYTES: bytes of a row that a block of columns reads side by side.  */
#define STAGED 1536
#define GAP 128
#define LANES_COST 2
#define BATCH_COST 16
#define WARPS_LENGTH 12288
#define WARPS_PER_SM 20
#define LONG_SEGMENT 4096
#define STAGING_PER_SM 24
#define BLOCKS_PER_SM 16
#define LEAST_SHARE 8
#define LEAST_CHUNK ((uint64_t) 1 << 14)
#define PRODUCT_PER_SM 5
#define PRODUCT_BYTES ((uint64_t) 1 << 15)
#define PRODUCT_ROW(exact) ((exact) ? 256 : 64)
#define COLUMNS_BYTES 256
#define COLUMNS_PER_SM 4

/* The most segments that are too long for one warp, if a fixed amount of memory must be enough
   for any lines.  */
#define MOST_LONG ((uint64_t) 1 << 16)

/* Bytes of the partial sum that a block stores for a line, and the additions that follow those
   of a thread's elements: those of warps, blocks and chunks.  */
#define SUM_BYTES 48
#define MERGES 64

/* The division of lines among threads, and the memory that it needs.  */
struct plan
{
  enum gt_lines_kernel kernel;
  uint64_t grid, share, longest;
  uint32_t block, lanes, chunks, batch, units, turn;
  size_t sums, items, tickets; /* their numbers */
  double depth;
};

/* Returns the time that LANES for a row of N elements take for each of BATCH rows.  */
static double
cost_of (uint64_t n, uint32_t batch, uint32_t lanes)
{
  const uint64_t rounds = gt_cuda_divided ((uint64_t) batch * lanes, WARP);
  uint64_t each = gt_cuda_divided (n, lanes) + LANES_COST;

  for (uint32_t by = lanes; by > 1; by /= 2)
    each += LANES_COST;
  return (double) (rounds * each + BATCH_COST) / batch;
}

/* Sets the number of lanes for each row of N elements, and of rows (at most MOST) that are
   staged at once.  */
static void
plan_batch (struct plan *p, uint64_t n, uint64_t most)
{
  double least = 0;

  for (uint32_t lanes = 1; lanes <= WARP; lanes *= 2)
    {
      const uint32_t all = (uint32_t) most, whole = all - all % (WARP / lanes), batch = whole ? whole : all;
      const double cost = cost_of (n, batch, lanes);

      if (least == 0 || cost < least)
        {
          least = cost;
          p->lanes = lanes;
          p->batch = batch;
        }
    }
}

/* Returns the rotation of rows that are staged PITCH elements of SIZE bytes apart: it is
   chosen so that their first elements are in different banks.  */
static uint32_t
turn_of (uint64_t pitch, unsigned size, uint32_t lanes)
{
  const uint32_t row = 128 / size;
  uint32_t common = 1, turn = 0;

  while (common < row && pitch % (2 * common) == 0)
    common *= 2;
  while (row >> turn > common)
    turn++;
  return common > lanes ? turn : 31;
}

/* Stages as many rows at once as fit, or fewer if some warps would have no rows.  */
static void
plan_tiles (struct plan *p, uint64_t sms, const struct gt_device_lines *l, unsigned size)
{
  const uint64_t room = (GT_LINES_TILE - 16) / size, apart = l->count > 1 ? l->step : l->length;
  const uint64_t gap = (apart - l->length) * size;
  const uint64_t share = gt_cuda_divided (l->count, sms * STAGING_PER_SM * (GT_LINES_TILES_BLOCK / WARP));
  uint64_t most = (room - l->length) / apart + 1;

  if (gap >= GAP && 3 * gap >= l->length * size)
    {
      p->units = (uint32_t) (l->length * size + 31 - size) / 16;
      most = GT_LINES_TILE / 16 / p->units;
    }
  p->kernel = GT_LINES_TILES;
  plan_batch (p, l->length, most < share ? most : share);
  p->turn = turn_of (p->units ? p->units * (16 / size) : apart, size, p->lanes);
  p->block = GT_LINES_TILES_BLOCK;
  p->grid = gt_cuda_divided (gt_cuda_divided (l->count, p->batch), p->block / WARP);
  p->grid = p->grid < sms * STAGING_PER_SM ? p->grid : sms * STAGING_PER_SM;
  p->depth = (double) (l->length / p->lanes) + MERGES;
}

/* Plans rows by some lanes of a warp each.  */
static void
plan_lanes (struct plan *p, const struct gt_device_lines *l, uint32_t lanes, uint64_t most)
{
  p->kernel = GT_LINES_TEAMS;
  p->share = l->length;
  p->lanes = lanes;
  p->grid = gt_cuda_divided (l->count, BLOCK / lanes);
  p->grid = p->grid < most ? p->grid : most;
  p->depth = (double) (l->length / lanes) + MERGES;
}

/* Returns whether these are rows of a product that are read by 16 bytes in place.  */
static int
are_aligned (const struct gt_device_lines *l, unsigned size)
{
  return l->product && l->product->b.row == 1 && l->step * size % 16 == 0
         && ((uintptr_t) l->data | (uintptr_t) l->product->b.data) % 16 == 0
         && l->length * size >= PRODUCT_ROW (l->exact);
}

/* Blocks share rows only if there are too few rows to give each warp of the GPU one, or if
   rows are long.  */
static void
plan_rows (struct plan *p, uint64_t sms, const struct gt_device_lines *l, unsigned size)
{
  const uint64_t least = l->product ? PRODUCT_BYTES / size : LEAST_SHARE / 2 * BLOCK;
  uint32_t lanes = 1;

  if (l->length * size <= STAGED && !are_aligned (l, size))
    {
      plan_tiles (p, sms, l, size);
      return;
    }
  while (lanes < WARP && lanes * 32 < l->length * size)
    lanes *= 2;
  if (l->length * size <= STAGED || (l->count >= WARPS_PER_SM * sms && l->length <= WARPS_LENGTH))
    {
      plan_lanes (p, l, lanes, sms * (lanes < WARP ? 16 : 1) * STAGING_PER_SM);
      return;
    }
  p->kernel = GT_LINES_TEAMS;
  p->lanes = BLOCK;
  if (l->count <= GT_N_TICKETS)
    p->chunks = (uint32_t) ((l->product ? PRODUCT_PER_SM : BLOCKS_PER_SM) * sms / l->count);
  if (p->chunks > l->length / least)
    p->chunks = (uint32_t) (l->length / least);
  p->chunks += p->chunks == 0;
  p->share = gt_cuda_divided (gt_cuda_divided (l->length, p->chunks), WARP) * WARP;
  p->chunks = (uint32_t) gt_cuda_divided (l->length, p->share);
  p->grid = l->count * p->chunks;
  p->sums = p->chunks > 1 ? p->grid : 0;
  p->depth = (double) (p->share / BLOCK + p->chunks / BLOCK) + MERGES;
}

/* Gives a warp so many segments that they usually fill half of its room.  */
static void
plan_segments (struct plan *p, uint64_t sms, const struct gt_device_lines *l, unsigned size, int is_limited)
{
  const uint64_t longest = is_limited ? gt_cuda_divided (l->all, MOST_LONG) : 0;
  const uint64_t share = gt_cuda_divided (gt_cuda_divided (l->all, BLOCKS_PER_SM * sms), WARP) * WARP;

  p->kernel = GT_LINES_TILES;
  while (p->lanes < WARP && l->all / l->count * size * (WARP / p->lanes) > GT_LINES_TILE / 2)
    p->lanes *= 2;
  p->batch = WARP / p->lanes;
  p->turn = 31;
  p->block = GT_LINES_TILES_BLOCK;
  p->grid = gt_cuda_divided (gt_cuda_divided (l->count, p->batch), p->block / WARP);
  p->grid = p->grid < sms * STAGING_PER_SM ? p->grid : sms * STAGING_PER_SM;
  p->longest = longest > LONG_SEGMENT ? longest : LONG_SEGMENT;
  p->share = share < LEAST_CHUNK ? LEAST_CHUNK : share;
  p->tickets = l->all / p->longest;
  p->items = p->tickets + l->all / p->share;
  p->sums = p->items;
  p->depth = (double) (GT_LINES_TILE / size + p->longest / WARP + p->share / BLOCK + l->all / p->share / BLOCK) + MERGES;
}

/* Uses few columns side by side, so that a group has few chunks to merge.  All blocks run at
   once if there are few groups; otherwise there are so many blocks that the last ones hardly
   delay the end.  */
static void
plan_columns (struct plan *p, uint64_t sms, const struct gt_device_lines *l, unsigned size)
{
  const uint64_t side = COLUMNS_BYTES / size, places = COLUMNS_PER_SM * sms;
  uint64_t groups, rows, wanted;

  p->kernel = GT_LINES_COLUMNS;
  p->lanes = (uint32_t) gt_cuda_divided (l->count, gt_cuda_divided (l->count, side));
  while (2 * p->lanes <= BLOCK && p->lanes < l->count && l->length < LEAST_SHARE * (BLOCK / p->lanes))
    p->lanes *= 2;
  groups = gt_cuda_divided (l->count, p->lanes);
  rows = BLOCK / p->lanes;
  wanted = 8 * groups <= places ? places / groups : gt_cuda_divided (4 * places, groups);
  if (groups <= GT_N_TICKETS && wanted > 1 && l->length / (LEAST_SHARE * rows) > 1)
    p->chunks = (uint32_t) (wanted < l->length / (LEAST_SHARE * rows) ? wanted : l->length / (LEAST_SHARE * rows));
  p->share = gt_cuda_divided (l->length, p->chunks);
  p->chunks = (uint32_t) gt_cuda_divided (l->length, p->share);
  p->grid = groups * p->chunks;
  p->sums = p->chunks > 1 ? p->grid * p->lanes : 0;
  p->depth = (double) (p->share / rows + p->chunks) + 2 * MERGES;
}

/* IS_LIMITED: the memory is the user's, of a fixed size.  */
static struct plan
plan_of (uint64_t sms, const struct gt_device_lines *l, int is_limited)
{
  const unsigned size = (unsigned) gt_arithmetics[l->arithmetic].size;
  struct plan p = {.lanes = 1, .chunks = 1, .block = BLOCK};

  if (l->offsets)
    plan_segments (&p, sms, l, size, is_limited);
  else if (l->step == 1 && l->stride != 1 && l->length > 1)
    plan_columns (&p, sms, l, size);
  else
    plan_rows (&p, sms, l, size);
  return p;
}

/* The results, and the sums from which they are computed: fast and exact for reals; sums of
   integers are exact.  */
struct result
{
  enum gt_lines_sum sum, exact, integer;
  enum gt_finish_as as;
  enum gt_reduction order;
  int squares, magnitudes;
};

static const struct result product = {
  GT_LINES_PRODUCT, GT_LINES_CERTAIN_PRODUCT, GT_LINES_PRODUCT, GT_FINISH_ROUNDED, GT_SUM, 0, 0
};
static const struct result results[] = {
  [GT_LINE_SUM] = {GT_LINES_SUM, GT_LINES_CERTAIN, GT_LINES_SUM, GT_FINISH_ROUNDED, GT_SUM, 0, 0},
  [GT_LINE_ASUM] = {GT_LINES_SUM, GT_LINES_CERTAIN, GT_LINES_SUM, GT_FINISH_ROUNDED, GT_SUM, 0, 1},
  [GT_LINE_MEAN] = {GT_LINES_SUM, GT_LINES_CERTAIN, GT_LINES_SUM, GT_FINISH_MEAN, GT_SUM, 0, 0},
  [GT_LINE_NRM2] = {GT_LINES_SPREAD, GT_LINES_MOMENTS, GT_LINES_MOMENTS, GT_FINISH_ROOT, GT_SUM, 1, 0},
  [GT_LINE_VARIANCE] = {GT_LINES_SPREAD, GT_LINES_MOMENTS, GT_LINES_MOMENTS, GT_FINISH_VARIANCE, GT_SUM, 1, 0},
  [GT_LINE_SD] = {GT_LINES_SPREAD, GT_LINES_MOMENTS, GT_LINES_MOMENTS, GT_FINISH_SD, GT_SUM, 1, 0},
  [GT_LINE_MAX] = {GT_LINES_EXTREME, GT_LINES_EXTREME, GT_LINES_EXTREME, GT_FINISH_ELEMENT, GT_MAX, 0, 0},
  [GT_LINE_MIN] = {GT_LINES_EXTREME, GT_LINES_EXTREME, GT_LINES_EXTREME, GT_FINISH_ELEMENT, GT_MIN, 0, 0},
  [GT_LINE_MAX_INDEX] = {GT_LINES_EXTREME, GT_LINES_EXTREME, GT_LINES_EXTREME, GT_FINISH_INDEX, GT_MAX, 0, 0},
  [GT_LINE_MIN_INDEX] = {GT_LINES_EXTREME, GT_LINES_EXTREME, GT_LINES_EXTREME, GT_FINISH_INDEX, GT_MIN, 0, 0},
};

static const struct result *
result_of (const struct gt_device_lines *l)
{
  return l->product ? &product : &results[l->result];
}

static enum gt_lines_sum
sum_of (const struct gt_device_lines *l)
{
  const struct result *const r = result_of (l);

  return gt_is_integer (l->arithmetic) ? r->integer : l->exact ? r->exact : r->sum;
}

/* Returns whether the kernels of SUM may leave lines undecided.  */
static int
may_settle (const struct gt_device_lines *l, enum gt_lines_sum sum)
{
  return sum != GT_LINES_EXTREME && sum != GT_LINES_PRODUCT
         && (sum != GT_LINES_SUM || gt_is_integer (l->arithmetic));
}

/* ----------------------------------------------------------------- Launches */

static struct gt_lines_args
args_of (const struct gt_device_lines *l, const struct plan *p)
{
  const size_t size = gt_arithmetics[l->arithmetic].size;
  const int is_integer = gt_is_integer (l->arithmetic);
  const int is_signed = gt_is_signed_integer (l->arithmetic);
  const struct result *const r = result_of (l);
  const enum gt_finish_as as = r->as;

  return (struct gt_lines_args) {
    .to = l->to, .to_stride = l->to_stride,
    .count = l->count, .length = l->length, .step = l->step, .stride = l->stride,
    .offsets = l->offsets, .all = l->all,
    .longest = p->longest, .share = p->share,
    .depth = p->depth,
    .bias = is_signed ? 0x1p31 : 0,
    .alpha = l->product ? l->product->alpha : 1, .beta = l->product ? l->product->beta : 0,
    .keep = r->magnitudes ? 0x7fffffff : 0xffffffff,
    .flip = is_signed ? 0x80000000 : 0,
    .as = as == GT_FINISH_ROUNDED && is_integer ? GT_FINISH_ELEMENT : as,
    .size = as == GT_FINISH_INDEX || (as >= GT_FINISH_MEAN && as != GT_FINISH_ROOT) ? 8 : (uint32_t) size,
    .squares = (uint32_t) r->squares,
    .lanes = p->lanes, .chunks = p->chunks,
    .batch = p->batch, .units = p->units, .turn = p->turn,
    .most_items = (uint32_t) p->items, .most_tickets = (uint32_t) p->tickets
  };
}

/* Returns the address at OFFSET in the slot's memory that is zero between calls of lines.  */
static uintptr_t
kept (const struct gt_ordering *o, size_t offset)
{
  return (uintptr_t) o->slot->memory + offset;
}

/* Returns whether results are put into a stream without waiting.  In this case there is no
   slot, and all memory is the user's or the stream's.  */
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

/* Allocates, in this order: the control words and tickets of segments, or of all lines if
   there is no slot, partial sums, items, the list of undecided lines, and the word with their
   number.  */
static CUresult
make_room (struct gt_ordering *o, const struct gt_device_lines *l, const struct plan *p, int settles)
{
  struct gt_lines_args *const lines = &o->args.lines;
  const size_t n_tickets = l->offsets ? p->tickets : is_kept (o) ? GT_N_TICKETS : 0;
  const size_t told = l->offsets || is_kept (o) ? sizeof (struct gt_lines_control) + n_tickets * sizeof (uint32_t) : 0;
  const size_t tickets = (told + 255) / 256 * 256;
  const size_t sums = p->sums * SUM_BYTES, items = p->items * sizeof (struct gt_lines_item);
  const size_t listed = l->count < GT_LINES_LISTED || l->product ? l->count : GT_LINES_LISTED;
  const size_t list = settles ? listed * sizeof (uint64_t) : 0;
  const size_t all = tickets + sums + items + list + (is_kept (o) ? sizeof (struct gt_result) : 0);
  uintptr_t room = 0;
  CUresult status = CUDA_SUCCESS;

  if (all > 0)
    status = take_room (o, all, &room);
  lines->control = (void *) (told ? room : kept (o, offsetof (struct gt_slot_memory, lines)));
  lines->tickets = (void *) (told ? room + sizeof (struct gt_lines_control)
                                  : kept (o, offsetof (struct gt_slot_memory, lines_ticket)));
  o->args.partials = sums > 0 ? (void *) (room + tickets) : NULL;
  lines->items = (void *) (room + tickets + sums);
  lines->undecided = (void *) (room + tickets + sums + items);
  lines->listed = listed;
  if (is_kept (o))
    o->args.result = (void *) (room + tickets + sums + items + list);
  if (told)
    GT_THEN (status, o->gpu->driver->cuMemsetD8Async ((CUdeviceptr) room, 0, tickets, o->on));
  return status;
}

/* This is the most that make_room needs for limited memory.  Blocks that share columns leave
   the most partial sums: at most eight times as many blocks as the SMs run at once, of a
   quarter of a block's threads each.  */
size_t
gt_cuda_lines_bytes (const struct gt_open_gpu *gpu)
{
  const size_t sms = (size_t) gpu->device->gpu.sms, items = MOST_LONG + BLOCKS_PER_SM * sms;

  return sizeof (struct gt_lines_control) + MOST_LONG * sizeof (uint32_t) + 255
         + (2 * COLUMNS_PER_SM * sms * BLOCK + items) * SUM_BYTES
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
launch (struct gt_ordering *o, enum gt_lines_kernel kernel, enum gt_lines_sum sum, unsigned key, uint64_t grid,
        uint32_t block)
{
  return gt_cuda_order_launch (o, (enum gt_named) (GT_LINES + GT_N_LINES_TYPES * (kernel * GT_N_LINES_SUMS + sum)), key, grid, block);
}

/* Gives the launch that follows a number of its own, with which it marks its answer.  */
static void
ask (struct gt_ordering *o)
{
  struct gt_slot *const slot = o->slot;

  if (slot->expecting && ++slot->tag == 0)
    slot->tag = 1;
  slot->expecting = 1;
  o->args.sequence = slot->tag;
}

/* Waits; then stores whether lines were left undecided.  */
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

/* One warp decides a short line.  */
static CUresult
launch_settling (struct gt_ordering *o, const struct gt_device_lines *l, unsigned key)
{
  const uint64_t length = l->offsets ? l->all / l->count : l->length;
  const unsigned block = length <= 8 * WARP ? WARP : BLOCK;
  const uint64_t blocks = (uint64_t) BLOCKS_PER_SM * (uint64_t) o->gpu->device->gpu.sms * (block == WARP ? 4 : 1);

  return gt_cuda_order_launch (o, l->product ? GT_LINES_SETTLE_PRODUCTS : GT_LINES_SETTLE, key,
                               l->count < blocks ? l->count : blocks, block);
}

/* Settles the undecided lines, and empties their list.  */
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
  const enum gt_lines_sum sum = sum_of (l);
  const int settles = may_settle (l, sum);
  const struct plan p = plan_of ((uint64_t) o->gpu->device->gpu.sms, l, o->given != 0);
  const uint64_t blocks = BLOCKS_PER_SM * (uint64_t) o->gpu->device->gpu.sms;
  const struct gt_problem problem = {.reduction = result_of (l)->order, .arithmetic = l->arithmetic};
  const unsigned key = key_of (l->arithmetic);
  CUresult status = CUDA_SUCCESS;
  int undecided = 0;

  o->args.data = l->data;
  if (l->product)
    {
      o->args.y = l->product->b.data;
      o->args.y_stride = l->product->b.row;
    }
  o->args.order = gt_order_of (&problem);
  o->args.lines = args_of (l, &p);
  if (!is_kept (o) && o->slot->spoilt)
    status = gt_cuda_slot_clear (o->gpu, o->slot);
  GT_THEN (status, make_room (o, l, &p, settles));
  if (!is_kept (o))
    ask (o);
  GT_THEN (status, launch (o, p.kernel, sum, key, p.grid, p.block));
  if (p.items > 0)
    GT_THEN (status, launch (o, GT_LINES_TEAMS, sum, key, p.items < blocks ? p.items : blocks, BLOCK));
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

/* Reads whether a kernel has found segments that are wrong or empty.  */
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

/* Stores in *LAUNCHED whether results may have been written.  */
static int
compute_all (struct gt_open_gpu *gpu, const struct gt_device_lines *lines, void *stream,
             unsigned *found, int *launched)
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
  *launched = o.launched;
  failed = gt_cuda_order_end (&o, status, "computing results of lines");
  gt_fpenv_leave (&env);
  return failed;
}

int
gt_cuda_lines (struct gt_open_gpu *gpu, const struct gt_device_lines *lines, void *stream,
               unsigned *found)
{
  int launched;

  return compute_all (gpu, lines, stream, found, &launched);
}

int
gt_cuda_multiply_vector (struct gt_open_gpu *gpu, const struct gt_device_product *p,
                         void *stream, int *kept)
{
  const struct gt_device_lines lines = {
    .product = p, .arithmetic = p->single ? GT_F32 : GT_F64, .exact = p->exact,
    .data = p->a.data, .count = p->rows, .length = p->terms, .step = p->a.row,
    .stride = p->a.column, .to = (void *) p->c.data, .to_stride = p->c.row
  };
  unsigned found;
  int launched;
  const int failed = compute_all (gpu, &lines, stream, &found, &launched);

  *kept = !launched;
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
