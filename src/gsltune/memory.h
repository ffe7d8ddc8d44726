/* The memory of device vectors and matrices, and their types.  A part of gsltune.h, which
   explains the comments in brackets.  gsltune/structures.h has the types of other elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* The members are for the library alone.  */
struct gsltune_device_memory
{
  void *data;    /* element 0; a device address when `gpu' is not null */
  size_t n;      /* elements */
  size_t stride;
  void *gpu;     /* null: host memory */
  void *stream;  /* null: streams of the library's own */
  int view;      /* the memory is somebody else's */
};
struct gsltune_device_table
{
  struct gsltune_device_memory memory; /* of element (0, 0) on */
  size_t size1, size2, tda;
};

/* [float int long ulong complex complex_float] */
typedef struct gsltune_device_vector_struct
{
  struct gsltune_device_memory memory;
} gsltune_device_vector;
typedef struct
{
  gsltune_device_vector vector;
} gsltune_device_vector_view;
typedef struct
{
  gsltune_device_vector vector;
} gsltune_device_vector_const_struct;
typedef const gsltune_device_vector_const_struct gsltune_device_vector_const_view;

/* [float int long complex complex_float] */
typedef struct gsltune_device_matrix_struct
{
  struct gsltune_device_table table;
} gsltune_device_matrix;
typedef struct
{
  gsltune_device_matrix matrix;
} gsltune_device_matrix_view;
typedef struct
{
  gsltune_device_matrix matrix;
} gsltune_device_matrix_const_struct;
typedef const gsltune_device_matrix_const_struct gsltune_device_matrix_const_view;
