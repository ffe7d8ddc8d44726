/* GSL's functions of one element type: a template of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

static inline void
NAMED (call, _of) (TYPE (*function) (const NAMED (gsl_vector, ) *),
                   const struct gt_task *task, union gt_value *value)
{
  const NAMED (gsl_vector, ) v
    = {task->problem.n, task->x.stride, (TYPE *) task->x.data, NULL, 0};
  const TYPE result = function (&v);

  memcpy (value, &result, sizeof result);
}

static void
NAMED (sum, _of) (const struct gt_task *task, union gt_value *value)
{
  NAMED (call, _of) (NAMED (gsl_vector, _sum), task, value);
}

static void
NAMED (max, _of) (const struct gt_task *task, union gt_value *value)
{
  NAMED (call, _of) (NAMED (gsl_vector, _max), task, value);
}

static void
NAMED (min, _of) (const struct gt_task *task, union gt_value *value)
{
  NAMED (call, _of) (NAMED (gsl_vector, _min), task, value);
}

static void
NAMED (minmax, _of) (const struct gt_task *task, union gt_value *value)
{
  NAMED (gsl_vector, ) v
    = {task->problem.n, task->x.stride, (TYPE *) task->x.data, NULL, 0};
  TYPE both[2];

  NAMED (gsl_vector, _minmax) (&v, &both[0], &both[1]);
  memcpy (value, both, sizeof both);
}

/* Of several sums at once GSL gives what they are needed for.  A standard deviation is
   what the task's scale is one over.  */
static void
NAMED (mean, _of) (const struct gt_task *task, union gt_value *value)
{
  value->f64[0]
    = NAMED (gsl_stats, _mean) (task->x.data, task->x.stride,
                                task->problem.n);
}

static void
NAMED (variance, _of) (const struct gt_task *task, union gt_value *value)
{
  value->f64[0]
    = NAMED (gsl_stats, _variance) (task->x.data, task->x.stride,
                                    task->problem.n);
}

static void
NAMED (covariance, _of) (const struct gt_task *task, union gt_value *value)
{
  value->f64[0]
    = NAMED (gsl_stats, _covariance) (task->x.data, task->x.stride,
                                      task->y.data, task->y.stride,
                                      task->problem.n);
}

static void
NAMED (correlation, _of) (const struct gt_task *task, union gt_value *value)
{
  value->f64[0]
    = NAMED (gsl_stats, _correlation) (task->x.data, task->x.stride,
                                       task->y.data, task->y.stride,
                                       task->problem.n);
}

static void
NAMED (lag1_autocorrelation_m, _of) (const struct gt_task *task, union gt_value *value)
{
  value->f64[0]
    = NAMED (gsl_stats, _lag1_autocorrelation_m) (task->x.data, task->x.stride,
                                                  task->problem.n, task->shift[0]);
}

static void
NAMED (absdev_m, _of) (const struct gt_task *task, union gt_value *value)
{
  value->f64[0]
    = NAMED (gsl_stats, _absdev_m) (task->x.data, task->x.stride,
                                    task->problem.n, task->shift[0]);
}

static void
NAMED (skew_m_sd, _of) (const struct gt_task *task, union gt_value *value)
{
  value->f64[0]
    = NAMED (gsl_stats, _skew_m_sd) (task->x.data, task->x.stride,
                                     task->problem.n, task->shift[0],
                                     1 / task->scale);
}

static void
NAMED (kurtosis_m_sd, _of) (const struct gt_task *task, union gt_value *value)
{
  value->f64[0]
    = NAMED (gsl_stats, _kurtosis_m_sd) (task->x.data, task->x.stride,
                                         task->problem.n, task->shift[0],
                                         1 / task->scale);
}

#if REAL
static void
NAMED (wmean, _of) (const struct gt_task *task, union gt_value *value)
{
  value->f64[0]
    = NAMED (gsl_stats, _wmean) (task->x.data, task->x.stride,
                                 task->y.data, task->y.stride,
                                 task->problem.n);
}

static void
NAMED (wvariance_m, _of) (const struct gt_task *task, union gt_value *value)
{
  value->f64[0]
    = NAMED (gsl_stats, _wvariance_m) (task->x.data, task->x.stride,
                                       task->y.data, task->y.stride,
                                       task->problem.n, task->shift[0]);
}

static void
NAMED (wabsdev_m, _of) (const struct gt_task *task, union gt_value *value)
{
  value->f64[0]
    = NAMED (gsl_stats, _wabsdev_m) (task->x.data, task->x.stride,
                                     task->y.data, task->y.stride,
                                     task->problem.n, task->shift[0]);
}

static void
NAMED (wskew_m_sd, _of) (const struct gt_task *task, union gt_value *value)
{
  value->f64[0]
    = NAMED (gsl_stats, _wskew_m_sd) (task->x.data, task->x.stride,
                                      task->y.data, task->y.stride,
                                      task->problem.n, task->shift[0],
                                      1 / task->scale);
}

static void
NAMED (wkurtosis_m_sd, _of) (const struct gt_task *task, union gt_value *value)
{
  value->f64[0]
    = NAMED (gsl_stats, _wkurtosis_m_sd) (task->x.data, task->x.stride,
                                          task->y.data, task->y.stride,
                                          task->problem.n, task->shift[0],
                                          1 / task->scale);
}
#endif
