/* cluster_test.h: `test --cluster`: submits a test as a job, or finds it there already, and watches it to its end. */
#ifndef EO_CLI_CLUSTER_TEST_H
#define EO_CLI_CLUSTER_TEST_H

#include "cli/cli.h"

/* Is the address right, and just one test chosen? */
int eo__cluster_test_check(const eo_args *args, eo_error *error);

/* In the place of eo__explore. */
int eo__cluster_test(const eo_front *front, const eo_args *args, const eo_request *request, const eo_listener *listener,
                     eo_run *run, eo_error *error);

#endif
