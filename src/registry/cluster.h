/* cluster.h: a test explored by the workers of a cluster: submitting and watching the job, and working on it. The job
 * itself lives in Redis (frontier/redis.h); all who deal with it may die at any time. */
#ifndef EO_REGISTRY_CLUSTER_H
#define EO_REGISTRY_CLUSTER_H

#include <sys/types.h>

#include "frontier/redis.h"
#include "registry/explore.h"

/* How long workers and watchers go on trying when Redis does not answer; and at first, when the address may be wrong. In
 * seconds. */
#define EO_CLUSTER_PATIENCE 600.0
#define EO_CLUSTER_FIRST_PATIENCE 3.0

/* Fills *job from the request; `options` are its options as words of a command line, `shape` is what the exploration
 * depends on (registry/shape.h). */
int eo__cluster_job(const eo_request *request, const char *options, const char *shape, eo_job *job, eo_error *error);

/* Submits the job, or finds it there already: *attached. Another one of that name is an error. */
int eo__cluster_submit(eo_redis *redis, const char *name, eo_job *job, bool *attached, eo_error *error);

/* Watches the job that was joined until it has ended, or *eo__stop_flag() is set; fills *run as eo__explore does.
 * *workers: a child that works on the job, 0: none; if it fails while there are no others, nobody is left to wait for. It
 * becomes 0 when it has been waited for. */
int eo__cluster_watch(const eo_request *request, eo_redis *redis, const eo_listener *listener, pid_t *workers,
                      eo_run *run, eo_error *error);

/* Is the running program the one that the job is for, and does it explore as the job says? */
int eo__cluster_suits(const eo_job *job, eo_error *error);
int eo__cluster_suits_build(const eo_job *job, const char *build, eo_error *error); /* the same of a program's build */
int eo__cluster_same_shape(const eo_job *job, const char *shape, eo_error *error);

/* Works on the job with so many processes until it has ended, or *eo__stop_flag() is set. */
int eo__cluster_work(const eo_request *request, const eo_address *address, const eo_job *job, uint32_t processes,
                     eo_error *error);

#endif
