#!lua
-- policy.lua: the rules of policy.c once more, for the script that runs inside Redis; pure functions of the same arguments.
-- tests/unit/policy_cases.h is one table for both. job.lua is put behind this file, and the two are one script.
--
-- The first line, new in Redis 7, has the script refused as a whole when Redis is out of memory or cannot write its file,
-- instead of failing half way through.
local policy = {}

function policy.budget(budget, fixed, workers, active, bytes)
  local part = fixed and 1 or math.min(1, active / workers)
  return budget * part + bytes / 20e6
end

function policy.pieces(workers, expected)
  if workers <= 1 or expected >= 2 * workers then return 1 end
  return math.ceil((2 * workers - expected) / 32) + 1
end

function policy.allot(workers, left)
  if left <= 0 then return 0 end
  return workers > 1 and math.max(1, math.floor(left / (2 * workers))) or left
end

function policy.double(no_doubling, holders) return not no_doubling and holders < 2 end

function policy.says_less(coverage, covered, least, words)
  if coverage ~= least then return coverage > least end
  if #covered ~= #words then return #covered > #words end
  return covered > words
end

