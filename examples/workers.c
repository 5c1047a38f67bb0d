/* workers.c: a master hands out jobs to workers and adds up the results, for every pair of: how many workers there are,
 * how many jobs, how jobs are handed out, and whether a worker may fail. A constraint leaves out what makes no sense.
 *
 * Jobs are pushed to the workers in turn, or pulled by workers that are idle. A worker that fails takes its job with it;
 * its monitor says so, and the master does the job itself. */
#include <everyorder.h>

enum { JOB, RESULT, IDLE, STOP };

static void worker(void *argument) {
  const eo_pid master = *(const eo_pid *)argument;
  const bool pulls = eo_param_is("hand out", "pull");
  const bool fails = eo_param_is("failing", "one");
  for (;;) {
    eo_message message;
    if (pulls) eo_send(master, IDLE, NULL, 0);
    eo_receive(&message, EO_FOREVER);
    if (message.tag == STOP) return;
    const int job = *(const int *)message.data;
    if (fails && job == 0) eo_exit(1);
    const int result = job * job;
    eo_send(master, RESULT, &result, sizeof(result));
  }
}

struct team {
  int workers, jobs;
  eo_pid members[3];
  int job_of[3]; /* the one that a failing worker had, as far as the master knows; -1: none */
};

static int number_of(const struct team *team, eo_pid pid) {
  int i = 0;
  while (i < team->workers && team->members[i] != pid) i++;
  return i;
}

static void hand_out(struct team *team, int member, int job) {
  if (job == 0) team->job_of[member] = job;
  eo_send(team->members[member], JOB, &job, sizeof(job));
}

/* Until every job has a result: that of a worker, or its own where one failed. */
static int collect(struct team *team, bool pull) {
  int sum = 0, next = pull ? 0 : team->jobs;
  for (int done = 0; done < team->jobs;) {
    eo_message message;
    eo_receive(&message, EO_FOREVER);
    const int member = number_of(team, message.from);
    if (message.tag == RESULT) {
      sum += *(const int *)message.data;
      done++;
    } else if (message.tag == EO_DOWN) {
      eo_assert(team->job_of[member] == 0, "worker %d failed without a job", member);
      done++; /* 0 * 0 adds nothing */
    } else if (next < team->jobs) {
      hand_out(team, member, next++);
    }
  }
  return sum;
}

EO_TEST_PARAMS(sum_of_squares, "workers: 1, 2", "jobs: 1, 2, 3", "hand out: push, pull", "failing: none, one",
               "# A job that was pushed to a worker that fails would be lost with it.",
               "IF [failing] = \"one\" THEN [hand out] = \"pull\" AND [workers] > 1;") {
  struct team team = {.workers = (int)eo_param_int("workers"), .jobs = (int)eo_param_int("jobs")};
  const bool pull = eo_param_is("hand out", "pull");
  const eo_pid self = eo_self();
  eo_ref ref;
  for (int i = 0; i < team.workers; i++) {
    team.job_of[i] = -1;
    team.members[i] = eo_spawn_monitor(worker, &self, sizeof(self), &ref);
  }
  for (int job = 0; !pull && job < team.jobs; job++) hand_out(&team, job % team.workers, job);
  const int sum = collect(&team, pull);
  const int expected = (team.jobs - 1) * team.jobs * (2 * team.jobs - 1) / 6;
  eo_assert(sum == expected, "%d jobs gave %d instead of %d", team.jobs, sum, expected);
  for (int i = 0; i < team.workers; i++) eo_send(team.members[i], STOP, NULL, 0);
}
