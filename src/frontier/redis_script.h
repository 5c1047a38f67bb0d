/* redis_script.h: what happens to a job inside Redis, as one Lua script: each call of it is one atomic operation. The
 * keys and fields it uses are described in doc/formats/cluster.md. */
#ifndef EO_FRONTIER_REDIS_SCRIPT_H
#define EO_FRONTIER_REDIS_SCRIPT_H

#define EO_REDIS_FORMAT 3 /* of the job's layout in Redis; a change that an older version would misread raises it */

extern const char eo__redis_script[];

#endif
