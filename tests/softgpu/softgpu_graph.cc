/* Graphs, of kernels and what may go with them, and streams that are being captured into one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_state.h"

#include <algorithm>

namespace softgpu
{
/* A real driver refuses null handles with the code of a wrong value, and does
   not look at others.  */
template <class T>
static CUresult
check_handle (const std::set<T *> &objects, T *object)
{
  return objects.count (object) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static bool
has_node (const CUgraph_st &graph, const CUgraphNode_st *node)
{
  return std::any_of (graph.nodes.begin (), graph.nodes.end (),
                      [&] (const CUgraphNode_st &n) { return &n == node; });
}

/* The launch of a node with these parameters.  A size that cannot be launched
   is refused here, as on a device.  */
static CUresult
read_node (const CUDA_KERNEL_NODE_PARAMS *p, CUgraphNode_st *node)
{
  if (!p || p->extra)
    return CUDA_ERROR_INVALID_VALUE;
  const unsigned grid[] = {p->gridDimX, p->gridDimY, p->gridDimZ};
  const unsigned block[] = {p->blockDimX, p->blockDimY, p->blockDimZ};
  node->function = p->func;
  node->clusters = false;
  CUresult code = describe_launch (p->func, grid, block, p->sharedMemBytes,
                                   p->kernelParams, &node->launch);
  return code == CUDA_SUCCESS
           ? check_size (current_context ()->device->gpu, node->launch)
           : code;
}

static CUresult
add_node (CUgraphNode *result, CUgraph graph, const CUgraphNode *after,
          size_t count, const CUDA_KERNEL_NODE_PARAMS *parameters)
{
  CUgraphNode_st node;

  if (check_handle (the ().graphs, graph) != CUDA_SUCCESS || !result
      || (count > 0 && !after))
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count; i++)
    if (!has_node (*graph, after[i]))
      return CUDA_ERROR_INVALID_VALUE;
  CUresult code = read_node (parameters, &node);
  if (code != CUDA_SUCCESS)
    return code;
  graph->nodes.push_back (node);
  *result = &graph->nodes.back ();
  return CUDA_SUCCESS;
}

static CUresult
instantiate (CUgraphExec *result, CUgraph graph)
{
  CUgraphExec exec = new CUgraphExec_st{current_context (), graph, {}};

  for (CUgraphNode_st &node : graph->nodes)
    {
      exec->nodes.push_back ({&node, node});
      exec->nodes.back ().second.clusters = node.launch.cluster > 0;
    }
  the ().execs.insert (exec);
  *result = exec;
  return CUDA_SUCCESS;
}

static CUresult
set_parameters (CUgraphExec exec, CUgraphNode node,
                const CUDA_KERNEL_NODE_PARAMS *parameters)
{
  CUgraphNode_st changed;

  if (check_handle (the ().execs, exec) != CUDA_SUCCESS || !exec->graph)
    return CUDA_ERROR_INVALID_VALUE;
  for (auto &known : exec->nodes)
    if (known.first == node)
      {
        CUresult code = read_node (parameters, &changed);
        changed.clusters = known.second.clusters;
        if (code == CUDA_SUCCESS)
          known.second = changed;
        return code;
      }
  return CUDA_ERROR_INVALID_VALUE;
}

/* As seen on an H200 with driver 580: a kernel without clusters does not run in
   the place of one with them, and no error tells.  */
static bool
runs (const CUgraphNode_st &node)
{
  return !node.clusters || node.launch.cluster > 0;
}

static CUresult
launch_graph (CUgraphExec exec, CUstream stream)
{
  if (check_handle (the ().execs, exec) != CUDA_SUCCESS
      || exec->context != current_context ())
    return CUDA_ERROR_INVALID_VALUE;
  CUresult code = check_idle_stream (stream);
  for (const auto &node : exec->nodes)
    {
      const bool is_other = static_cast<bool> (node.second.other);

      if (code == CUDA_SUCCESS && is_other)
        code = in_time (stream, node.second.other);
      else if (code == CUDA_SUCCESS && !is_kernel (node.second.function))
        code = CUDA_ERROR_INVALID_HANDLE;
      else if (code == CUDA_SUCCESS && runs (node.second))
        code = run_launch (stream, node.second.launch);
    }
  return code;
}

/* ------------------------------------------------------------- Captures */

static thread_local CUstreamCaptureMode thread_mode
  = CU_STREAM_CAPTURE_MODE_GLOBAL;

bool
is_captured (CUstream stream)
{
  return the ().streams.count (stream)
         && stream->captured != CU_STREAM_CAPTURE_STATUS_NONE;
}

CUresult
capture_launch (CUstream stream, CUfunction function, const launch &l)
{
  if (stream->captured != CU_STREAM_CAPTURE_STATUS_ACTIVE)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  stream->graph->nodes.push_back ({function, l, false});
  return CUDA_SUCCESS;
}

CUresult
capture_other (CUstream stream, const std::function<CUresult ()> &what)
{
  if (stream->captured != CU_STREAM_CAPTURE_STATUS_ACTIVE)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  stream->graph->nodes.push_back ({nullptr, {}, false, what});
  return CUDA_SUCCESS;
}

/* As the driver API's section on cuThreadExchangeStreamCaptureMode has it.  */
static bool
is_disturbed (const CUstream_st &stream)
{
  bool own = stream.capturer == std::this_thread::get_id ();

  if (stream.captured != CU_STREAM_CAPTURE_STATUS_ACTIVE
      || thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED)
    return false;
  return own ? stream.mode != CU_STREAM_CAPTURE_MODE_RELAXED
             : stream.mode == CU_STREAM_CAPTURE_MODE_GLOBAL
                 && thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

CUresult
check_captures ()
{
  CUresult code = CUDA_SUCCESS;

  for (CUstream stream : the ().streams)
    if (is_disturbed (*stream))
      {
        stream->captured = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
        code = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
      }
  return code;
}

static CUresult
begin_capture (CUstream stream, CUstreamCaptureMode mode)
{
  CUresult code = check_stream (stream);

  if (code != CUDA_SUCCESS || number_of (mode) < 0
      || number_of (mode) > CU_STREAM_CAPTURE_MODE_RELAXED)
    return code == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : code;
  if (!the ().streams.count (stream))
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (is_captured (stream))
    return CUDA_ERROR_ILLEGAL_STATE;
  stream->captured = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  stream->mode = mode;
  stream->capturer = std::this_thread::get_id ();
  stream->graph.reset (new CUgraph_st{stream->context, {}});
  return CUDA_SUCCESS;
}

static CUresult
end_capture (CUstream stream, CUgraph *graph)
{
  if (!graph || !is_captured (stream))
    return graph ? CUDA_ERROR_ILLEGAL_STATE : CUDA_ERROR_INVALID_VALUE;
  bool whole = stream->captured == CU_STREAM_CAPTURE_STATUS_ACTIVE;
  stream->captured = CU_STREAM_CAPTURE_STATUS_NONE;
  *graph = whole ? stream->graph.release () : nullptr;
  if (!whole)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  the ().graphs.insert (*graph);
  return CUDA_SUCCESS;
}
}

using namespace softgpu;

CUresult CUDAAPI
cuGraphCreate (CUgraph *graph, unsigned flags)
{
  return call (ENTRY_cuGraphCreate, NEED_CONTEXT, [&] {
    if (!graph || flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    *graph = new CUgraph_st{current_context (), {}};
    the ().graphs.insert (*graph);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI
cuGraphDestroy (CUgraph graph)
{
  return call (ENTRY_cuGraphDestroy, NEED_CONTEXT, [&] {
    CUresult code = check_handle (the ().graphs, graph);
    if (code != CUDA_SUCCESS)
      return code;
    for (CUgraphExec exec : the ().execs)
      if (exec->graph == graph)
        exec->graph = nullptr;
    the ().graphs.erase (graph);
    delete graph;
    return CUDA_SUCCESS;
  });
}

ENTRY (cuGraphAddKernelNode, NEED_CONTEXT,
       (CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
        size_t count, const CUDA_KERNEL_NODE_PARAMS *parameters),
       add_node, node, graph, after, count, parameters)

CUresult CUDAAPI
cuGraphInstantiateWithFlags (CUgraphExec *exec, CUgraph graph,
                             unsigned long long flags)
{
  return call (ENTRY_cuGraphInstantiateWithFlags, NEED_CONTEXT, [&] {
    if (check_handle (the ().graphs, graph) != CUDA_SUCCESS || !exec
        || flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    CUresult code = check_captures ();
    return code == CUDA_SUCCESS ? instantiate (exec, graph) : code;
  });
}

ENTRY (cuGraphExecKernelNodeSetParams, NEED_CONTEXT,
       (CUgraphExec exec, CUgraphNode node,
        const CUDA_KERNEL_NODE_PARAMS *parameters),
       set_parameters, exec, node, parameters)
ENTRY (cuGraphLaunch, NEED_CONTEXT, (CUgraphExec exec, CUstream stream),
       launch_graph, exec, stream)

CUresult CUDAAPI
cuGraphExecDestroy (CUgraphExec exec)
{
  return call (ENTRY_cuGraphExecDestroy, NEED_CONTEXT, [&] {
    if (the ().execs.erase (exec) == 0)
      return CUDA_ERROR_INVALID_VALUE;
    delete exec;
    return CUDA_SUCCESS;
  });
}

ENTRY (cuStreamBeginCapture, NEED_CONTEXT,
       (CUstream stream, CUstreamCaptureMode mode), begin_capture, stream, mode)
ENTRY (cuStreamEndCapture, NEED_CONTEXT, (CUstream stream, CUgraph *graph),
       end_capture, stream, graph)

CUresult CUDAAPI
cuStreamIsCapturing (CUstream stream, CUstreamCaptureStatus *status)
{
  return call (ENTRY_cuStreamIsCapturing, NEED_CONTEXT, [&] {
    CUresult code = check_stream (stream);
    if (code != CUDA_SUCCESS || !status)
      return code == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : code;
    *status = is_captured (stream) ? stream->captured
                                   : CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI
cuThreadExchangeStreamCaptureMode (CUstreamCaptureMode *mode)
{
  return call (ENTRY_cuThreadExchangeStreamCaptureMode, NEED_INIT, [&] {
    if (!mode || number_of (*mode) < 0
        || number_of (*mode) > CU_STREAM_CAPTURE_MODE_RELAXED)
      return CUDA_ERROR_INVALID_VALUE;
    std::swap (*mode, thread_mode);
    return CUDA_SUCCESS;
  });
}
