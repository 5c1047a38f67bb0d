/* request.c: what is asked for: whether it can be done, and what the options mean for those who do it. */
#include <string.h>
#include <unistd.h>

#include "core/faults.h"
#include "core/visited.h"
#include "registry/explore.h"
#include "registry/registry.h"
#include "subjects/model/full.h"
#include "subjects/model/property.h"
#include "subjects/model/related.h"

double eo__minimise_seconds(const eo_request *request) {
  return eo__option_number(EO_OPTION_OF(minimise), &request->options);
}
double eo__watchdog(const eo_request *request) { return eo__option_number(EO_OPTION_OF(watchdog), &request->options); }

uint32_t eo__depth(const eo_request *request) {
  return (uint32_t)eo__option_number(EO_OPTION_OF(depth), &request->options);
}

/* ---- Can it be done? --------------------------------------------------------------------------------------------- */

static int check_strategy(const eo_request *request, const eo_strategy_entry *entry, eo_error *error) {
  if (!entry) return eo__strategy_unknown(request->options.strategy, error);
  if (entry->search && !request->model)
    return eo__error_set(error, EO_EINPUT, "strategy '%s' is for models: everyorder model FILE", entry->name);
  if (entry->turns && request->model)
    return eo__error_set(error, EO_EINPUT,
                         "strategy '%s' is for programs; a model has 'full', which visits every state", entry->name);
  if (!entry->open && !entry->search && !entry->turns)
    return eo__error_set(error, EO_EINPUT, "strategy '%s' needs a ticket: everyorder replay TICKET", entry->name);
  return EO_OK;
}

/* Options that do not go with each other. */
static int check_together(const eo_options *options, const eo_strategy_entry *entry, eo_error *error) {
  bool optimal = !options->reduction || strcmp(options->reduction, "optimal") == 0;
  if (options->bounded && !optimal)
    return eo__error_set(error, EO_EINPUT, "--dpor %s takes no bound; --dpor optimal does", options->reduction);
  bool shared = entry->search && eo__strategy_heeds(entry, EO_OPTION_OF(jobs));
  if (options->jobs > 1 && entry->search && !shared)
    return eo__error_set(error, EO_EINPUT,
                         "strategy '%s' takes one job, since its searches are small; full and por take %d", entry->name,
                         (int)options->jobs);
  if (options->jobs > 1 && !shared && !eo__strategy_splits(entry, options->reduction))
    return eo__error_set(error, EO_EINPUT, "strategy '%s'%s%s cannot be split: it takes one job", entry->name,
                         options->reduction ? " --dpor " : "", options->reduction ? options->reduction : "");
  if (options->cache && options->cache_mb && strcmp(options->cache, "refuse") != 0 &&
      strcmp(options->cache, "replace") != 0)
    return eo__error_set(error, EO_EINPUT, "--cache %s has no limit: --cache-mb goes with refuse and replace",
                         options->cache);
  return EO_OK;
}

/* Does the model do what the delivery and the strategy need? */
static int check_model(const eo_request *request, const eo_strategy_entry *entry, eo_delivery delivery,
                       eo_error *error) {
  if (delivery != EO_DELIVERY_MAILBOX) {
    eo_error why = {0};
    int code = eo__promela_check_ports(request->model, &why);
    if (code == EO_EINPUT)
      return eo__error_set(error, code, "%.400s; everyorder model explores it as it is, without --delivery", why.text);
    if (code != EO_OK) return eo__error_set(error, code, "%s", why.text);
  }
  bool thin = request->options.bitstate_mb || request->options.hash_compact;
  if (thin && (request->property || request->graph || request->options.jobs > 1 ||
               (request->options.bitstate_mb && request->options.hash_compact)))
    return eo__error_set(error, EO_EINPUT, "%s: %s", request->options.bitstate_mb ? "--bitstate" : "--hash-compact",
                         request->property           ? "judges no properties; --property none leaves them out"
                         : request->graph            ? "draws no graph (--dot)"
                         : request->options.jobs > 1 ? "is searched depth first, by one job"
                                                     : "keeps fewer bits than --hash-compact; one of the two");
  bool reduces = entry->search == eo__promela_search_por;
  if (request->property && reduces && request->property->next)
    return eo__error_set(
        error, EO_EINPUT,
        "the property '%s' depends on the number of steps (X, or a never claim), and 'por' leaves out steps; "
        "use --strategy full",
        request->property->name);
  if (request->property && !entry->every_state && !reduces)
    return eo__error_set(error, EO_EINPUT,
                         "the property '%s' needs a search of states, --strategy full or por; --property none leaves "
                         "properties out",
                         request->property->name);
  if (!entry->relates) return EO_OK;
  if (delivery == EO_DELIVERY_MAILBOX)
    return eo__error_set(error, EO_EINPUT,
                         "strategy '%s' is for models whose channels are ports: --delivery async, fifo or causal; "
                         "without it there is 'full'",
                         entry->name);
  return eo__promela_check_related(request->model, error);
}

int eo__request_check(const eo_request *request, eo_error *error) {
  const eo_options *options = &request->options;
  const eo_strategy_entry *entry = eo__strategy_find(options->strategy);
  eo_delivery delivery = EO_DELIVERY_MAILBOX;
  if (!request->function && !request->model)
    return eo__error_set(error, EO_EINPUT, "there is no function to explore: it is NULL");
  int code = check_strategy(request, entry, error);
  if (code == EO_OK) code = eo__options_check(options, entry, error);
  if (code == EO_OK) code = check_together(options, entry, error);
  if (code != EO_OK) return code;
  if (options->explorer && eo__strategy_heeds(entry, EO_OPTION_OF(explorer)) &&
      !eo__explorer_find(options->explorer, error))
    return error->code;
  if (options->delivery) EO_CHECK(eo__delivery_parse(options->delivery, &delivery)); /* one of the option's words */
  eo_fault_budget faults;
  code = eo__faults_parse(options->faults, &faults, error);
  if (code != EO_OK) return code;
  return request->model ? check_model(request, entry, delivery, error) : EO_OK;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* Strategies that count delays keep states unless told otherwise, others if they are told. */
eo_cache_mode eo__cache_mode(const eo_request *request) {
  const eo_strategy_entry *entry = eo__strategy_find(request->options.strategy);
  const eo_option *cache = EO_OPTION_OF(cache);
  if (!eo__strategy_heeds(entry, cache)) /* or it goes on in another way when it is full */
    return eo__strategy_heeds(entry, EO_OPTION_OF(cache_mb)) ? EO_CACHE_REFUSE : EO_CACHE_OFF;
  if (request->options.cache) return (eo_cache_mode)eo__option_word(cache, request->options.cache); /* it was checked */
  if (request->options.cache_mb) return EO_CACHE_REFUSE;
  return eo__strategy_heeds(entry, EO_OPTION_OF(explorer)) ? EO_CACHE_UNLIMITED : EO_CACHE_OFF;
}

uint64_t eo__memory_allowed(void) { return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4; }

/* The most memory for all that grows with what is explored; 0: no limit. */
static uint64_t memory_limit(const eo_request *request) {
  eo_cache_mode mode = eo__cache_mode(request);
  if (mode == EO_CACHE_OFF || mode == EO_CACHE_UNLIMITED) return 0;
  if (request->options.cache_mb) return (uint64_t)request->options.cache_mb << 20;
  return eo__memory_allowed();
}

/* A quarter of the memory is for the states that were seen and the log of hot ones, the rest for what is left to explore. A byte of a
 * fragment takes a dozen: the frontier has it, a message, the worker as it came, and twice in queues that grow by
 * doubling. */
enum { TIMES_A_FRAGMENT = 12 };
uint64_t eo__states_limit(const eo_request *request) { return memory_limit(request) / 4; }
uint64_t eo__frontier_limit(const eo_request *request) {
  return (memory_limit(request) - eo__states_limit(request)) / TIMES_A_FRAGMENT;
}

int eo__request_visited(eo_request *request, eo_error *error) {
  eo_cache_mode mode = eo__cache_mode(request);
  request->visited = NULL;
  if (mode == EO_CACHE_OFF) return EO_OK;
  request->visited = eo__visited_open(mode, eo__states_limit(request), error);
  return request->visited ? EO_OK : error->code;
}

/* ---- For strategies ---------------------------------------------------------------------------------------------- */

eo_strategy_options eo__strategy_options(const eo_request *request, eo_subject *subject) {
  const eo_options *options = &request->options;
  eo_strategy_options wanted = {.timed = options->seconds > 0,
                                .cache = eo__cache_mode(request),
                                .visited = request->visited,
                                .heats = request->heats,
                                .sink = request->sink,
                                .view = subject ? eo_subject_view(subject) : (eo_view){0}};
  eo__options_pass(options, &wanted);
  eo_fault_budget faults;
  if (eo__faults_parse(options->faults, &faults, NULL) == EO_OK) wanted.faults = faults.most; /* it was checked */
  wanted.explorer = options->explorer ? eo__explorer_find(options->explorer, NULL)            /* it was checked */
                                      : eo__strategy_find(options->strategy)->explorer;
  if (options->delivery) eo__delivery_parse(options->delivery, &wanted.delivery); /* it was checked */
  return wanted;
}
