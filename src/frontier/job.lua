-- job.lua: what happens to a job inside Redis. Behind policy.lua it is one script, each call of which is one atomic
-- operation. The keys and fields are described in doc/formats/cluster.md.
local FORMAT = '3' -- of the job's layout in Redis: a change that an older version would misread raises it

-- What all operations share. `state`: the fields of the job as they were when the script began, and as this call has set
-- them since. Time is Redis's: hosts need not agree on it.
local op, id = ARGV[1], ARGV[2]
local call = redis.call
local job, epochs, name = KEYS[1] .. 'job', KEYS[2], KEYS[1]:sub(#'everyorder:' + 1, -2)
local clock = call('TIME')
local now = clock[1] + clock[2] / 1e6
local state, fresh, plan, keys = {}, {}, {}, {}
local function at(key) return KEYS[1] .. id .. ':' .. key end
local function whole(value) return ('%.0f'):format(value) end
local function text(field) return state[field] or '' end
local function number(field) return tonumber(state[field] or 0) end
local function refuse(text) error({err = text}) end
local function damaged(how) refuse('EODAMAGED ' .. how) end

-- ---- Changing the job: check first, write after ----
-- Redis does not take back what a script has written when it fails. So a change is planned: `set` and `write` only note
-- what is to be written; `commit` looks whether all of it is allowed, and only then writes. The fields of the job itself
-- are written by one command, the last one. Should a write fail all the same, `begun` and `done` differ from then on, and
-- every later call says that the job is damaged. Reads of a plan see the job as it was before: `commit` comes before
-- reading what was planned.
local sizes = {{'fragments', 'HLEN'}, {'idle', 'LLEN'}, {'busy', 'ZCARD'}, {'claims', 'HLEN'}, {'deadlines', 'ZCARD'},
  {'held', 'HLEN'}, {'holding', 'HLEN'}, {'tries', 'HLEN'}, {'waiting', 'ZCARD'}, {'workers', 'ZCARD'},
  {'last', 'HLEN'}, {'ran', 'HLEN'}, {'found', 'HLEN'}, {'findings', 'LLEN'}}
-- By how many entries a command changes the size of its key: so many times its reply; 0: the reply is the size.
local changes = {HSET = 1, ZADD = 1, HDEL = -1, ZREM = -1, LREM = -1, LPOP = -1, ZREMRANGEBYSCORE = -1, LPUSH = 0, RPUSH = 0}
local function set(field, value)
  state[field] = tostring(value)
  fresh[field] = true
end
local function add(field, value) if value ~= 0 then set(field, whole(number(field) + value)) end end
local function write(command, key, ...)
  plan[#plan + 1] = {command, at(key), ...}
  keys[#plan] = key
end
local function allowed(command, ...)
  if not redis.acl_check_cmd(command, ...) then
    refuse('NOPERM this user may not run the command ' .. command .. ' on ' .. (...))
  end
end
local function put_fields()
  local words = {}
  for field in pairs(fresh) do
    words[#words + 1] = field
    words[#words + 1] = state[field]
  end
  call('HSET', job, unpack(words))
end
local function commit()
  if #plan == 0 and not next(fresh) then return end
  allowed('HSET', job)
  for _, words in ipairs(plan) do allowed(words[1], words[2]) end
  if #plan > 0 then
    local change = whole(number('done') + 1)
    call('HSET', job, 'begun', change)
    for i, words in ipairs(plan) do
      local reply, how, field = call(unpack(words)), changes[words[1]], '#' .. keys[i]
      set(field, whole(how == 0 and reply or number(field) + how * (words[1] == 'LPOP' and 1 or reply)))
    end
    set('done', change)
  end
  put_fields()
  fresh, plan, keys = {}, {}, {}
end

-- Is everything there that must be? Each key has as many entries as it had after the last change; and the ledger adds up.
local counts = {'executions', 'pruned', 'transitions', 'skipped', 'failures', 'cut', 'max_depth', 'doubts', 'coverage'}
local function verify(epoch)
  for _, field in ipairs(counts) do
    if not state[field] then damaged('it has lost its field ' .. field) end
  end
  if text('begun') ~= text('done') then damaged('a change of it broke off half way') end
  if epoch ~= id then damaged('it is not in the list of jobs, ' .. epochs) end
  local there = {}
  for _, size in ipairs(sizes) do
    local count, expected = call(size[2], at(size[1])), number('#' .. size[1])
    there[size[1]] = count
    if count ~= expected then damaged(('%s has %d entries instead of %d'):format(at(size[1]), count, expected)) end
  end
  if there.fragments ~= number('issued') - number('finished') or there.fragments ~= there.idle + there.busy or
      there.found ~= there.findings then
    damaged('its ledger does not add up')
  end
end

-- ---- Claims ----
-- claims: token -> fragment, pieces beyond the first, executions set aside, budget, worker; until its fragment is done, even if its time
--   is up: whoever is done first counts.
-- deadlines: token -> time, of claims whose time is not up.   busy: fragment -> how many of those it has.
-- held: fragment -> its tokens.   holding: worker -> the token it was given last.
local function parts(claim)
  local fragment, extra, aside, budget, worker = (claim or ''):match('^(%d+) (%d+) (%S+) (%S+) (.*)$')
  if not worker then damaged('a claim is missing or is not one') end
  return fragment, tonumber(extra), tonumber(aside), tonumber(budget), worker
end
local function release(extra, aside)
  add('promised', -extra)
  if aside > 0 then add('aside', -aside) end
end
local function tries(fragment) return tonumber(call('HGET', at('tries'), fragment) or 0) end
local function lose(token) -- its time is up, or its worker has died
  if not call('ZSCORE', at('deadlines'), token) then return end
  local fragment, extra, aside = parts(call('HGET', at('claims'), token))
  local claims = tonumber(call('ZSCORE', at('busy'), fragment) or damaged('a claim is on no fragment'))
  write('ZREM', 'deadlines', token)
  write('HSET', 'tries', fragment, tries(fragment) + 1)
  if claims > 1 then
    write('ZADD', 'busy', claims - 1, fragment)
  else
    write('ZREM', 'busy', fragment)
    write('LPUSH', 'idle', fragment)
  end
  release(extra, aside)
  add('lost', 1)
  commit()
end
local function expire()
  for _, token in ipairs(call('ZRANGEBYSCORE', at('deadlines'), '-inf', now, 'LIMIT', 0, 1000)) do lose(token) end
end
local function claims_left() return call('ZCARD', at('deadlines')) end

-- ---- The end ----
local function stop(why)
  if text('ended') == '' and text('stopped') == '' then set('stopped', why) end
end
local function settle() -- whatever time has brought about
  expire()
  if text('ended') ~= '' then return end
  local left, seconds = number('issued') - number('finished'), number('seconds')
  if left > 0 and seconds > 0 and now >= number('submitted') + seconds then stop(('after %g s'):format(seconds)) end
  if left == 0 or (text('stopped') ~= '' and claims_left() == 0) then set('ended', ('%.6f'):format(now)) end
  commit()
end

-- ---- Workers ----
-- A worker is busy (has a claim) or waiting (asked in vain, or handed back, in the last seconds).
local function forget_old()
  if call('ZCOUNT', at('waiting'), '-inf', now - 3) > 0 then write('ZREMRANGEBYSCORE', 'waiting', '-inf', now - 3) end
  for _, name in ipairs(call('ZRANGEBYSCORE', at('workers'), '-inf', now - 3600, 'LIMIT', 0, 10)) do
    write('ZREM', 'workers', name)
    for _, key in ipairs({'last', 'ran', 'holding'}) do write('HDEL', key, name) end
  end
end
local function seen(worker, key)
  write('ZADD', 'workers', now, worker)
  if key then write('ZADD', key, now, worker) end
end
local function workers_now() return claims_left() + call('ZCOUNT', at('waiting'), now - 3, '+inf') end

-- ---- take WORKER TOKEN: the worker makes the token up, and repeats it if the reply got lost.
local function lease(token, fragment, budget)
  write('ZADD', 'deadlines', now + budget + number('grace') * 2 ^ math.min(tries(fragment), 4), token) -- it may be slow, not dead
end
local function told(claim)
  local fragment, extra, aside, budget = parts(claim)
  local bytes = call('HGET', at('fragments'), fragment) or damaged('a fragment is missing')
  return {'taken', fragment, bytes, tostring(budget), whole(aside), extra + 1}
end
local function wait(worker)
  seen(worker, 'waiting')
  commit()
  return {'wait'}
end
local function pick(looking) -- one that nobody has, and true; else one that only one other worker has
  local fragment = call('LINDEX', at('idle'), 0)
  if fragment then return fragment, true end
  if looking then return nil end
  local least = call('ZRANGE', at('busy'), 0, 0, 'WITHSCORES')
  return least[1] and policy.double(number('no_doubling') > 0, tonumber(least[2])) and least[1], false
end
local function hold(fragment, token)
  local tokens = {}
  for other in (call('HGET', at('held'), fragment) or ''):gmatch('%S+') do tokens[#tokens + 1] = other end
  tokens[#tokens + 1] = token
  for i = #tokens - 16, 1, -1 do -- of those that ran out, the oldest are forgotten
    if not call('ZSCORE', at('deadlines'), tokens[i]) then write('HDEL', 'claims', table.remove(tokens, i)) end
  end
  write('HSET', 'held', fragment, table.concat(tokens, ' '))
end
local function budget_for(workers, fragment)
  local active = call('ZCARD', at('busy')) + (call('ZSCORE', at('busy'), fragment) and 0 or 1)
  return policy.budget(number('budget'), number('fixed_budget') > 0, workers, active,
    call('HSTRLEN', at('fragments'), fragment))
end
local function pieces_for(workers)
  return policy.pieces(workers, number('issued') - number('finished') + number('promised'))
end
local function allot(workers, limit) -- 0: none are left, one may only look whether a fragment has any; nil: others have them
  local left = limit - number('executions')
  if left <= 0 then return 0 end
  left = policy.allot(workers, left - number('aside'))
  return left > 0 and left or nil
end
local function take(worker, token)
  settle()
  if text('ended') ~= '' then return {'end'} end
  local claim = call('HGET', at('claims'), token)
  if claim then -- a repeated request
    local fragment, _, _, budget = parts(claim)
    if not call('ZSCORE', at('deadlines'), token) then return wait(worker) end
    lease(token, fragment, budget)
    write('ZREM', 'waiting', worker)
    seen(worker)
    commit()
    return told(claim)
  end
  local former = call('HGET', at('holding'), worker) -- it died, and another has taken its place and name
  if former then lose(former) end
  forget_old()
  if text('stopped') ~= '' then
    seen(worker)
    commit()
    return {'end'}
  end
  if number('paused') > 0 then return wait(worker) end
  local waits = tonumber(call('ZSCORE', at('waiting'), worker) or 0) >= now - 3
  local workers = math.max(number('workers'), workers_now() + (waits and 0 or 1), 1)
  local limit, aside = number('limit'), -1
  if limit > 0 then aside = allot(workers, limit) end
  local fragment, idle
  if aside then fragment, idle = pick(aside == 0) end
  if not fragment then return wait(worker) end
  local extra, budget = aside == 0 and 0 or pieces_for(workers) - 1, budget_for(workers, fragment)
  claim = ('%s %d %.0f %.6f %s'):format(fragment, extra, aside, budget, worker)
  local reply = told(claim)
  hold(fragment, token)
  lease(token, fragment, budget)
  if idle then write('LPOP', 'idle') end
  write('ZADD', 'busy', idle and 1 or 2, fragment)
  write('HSET', 'claims', token, claim)
  write('HSET', 'holding', worker, token)
  write('ZREM', 'waiting', worker)
  seen(worker)
  add('promised', extra)
  if aside > 0 then add('aside', aside) end
  commit()
  return reply
end

-- ---- done WORKER TOKEN executions pruned transitions skipped failures cut max_depth doubts coverage covered endless
--      probes steps sum squares PIECES piece... STOP FINDINGS (key execution json)...     STOP: why to stop, or nothing
-- The last answer to each worker is kept, for a request that comes again since its reply got lost.
local function argument(i) return tonumber(ARGV[i]) or refuse('ERR argument ' .. i .. ' is not a number') end
local function answer(worker, token, accepted)
  seen(worker, 'waiting')
  write('HSET', 'last', worker, token .. ' ' .. accepted)
  commit()
  return accepted
end
local function count(first)
  for i, field in ipairs({'executions', 'pruned', 'transitions', 'skipped', 'failures', 'cut'}) do
    add(field, argument(first + i - 1))
  end
  if argument(first + 6) > number('max_depth') then set('max_depth', whole(argument(first + 6))) end
  set('doubts', bit.bor(number('doubts'), argument(first + 7)))
  if text('endless') == '' then set('endless', ARGV[first + 10]) end
end
local function keep_findings(first, before)
  local there, known = number('#findings'), {}
  for i = first + 1, first + 3 * argument(first), 3 do
    local key = ARGV[i]
    if there < 1000 and not known[key] and call('HEXISTS', at('found'), key) == 0 then
      write('HSET', 'found', key, 1)
      write('RPUSH', 'findings', ('%s %s'):format(whole(before + argument(i + 1)), ARGV[i + 2]))
      known[key] = true
      there = there + 1
    end
  end
  return next(known) ~= nil
end
local function free(fragment) -- the fragment is done: so are all claims on it
  local live = false
  for token in (call('HGET', at('held'), fragment) or ''):gmatch('%S+') do
    local _, extra, aside = parts(call('HGET', at('claims'), token))
    if call('ZSCORE', at('deadlines'), token) then
      live = true
      release(extra, aside)
      write('ZREM', 'deadlines', token)
    end
    write('HDEL', 'claims', token)
  end
  if live then
    write('ZREM', 'busy', fragment)
  else
    write('LREM', 'idle', 1, fragment) -- its time was up, but nobody had taken it
  end
  for _, key in ipairs({'fragments', 'held', 'tries'}) do write('HDEL', key, fragment) end
  add('finished', 1)
end
-- What was found is true whoever was first with the fragment: of a program that is not deterministic, nobody else may meet it.
local function take_findings(pieces, before)
  local new = keep_findings(22 + pieces, before)
  if ARGV[21 + pieces] ~= '' then stop(ARGV[21 + pieces]) end
  if new and number('at_failure') > 0 then stop('at the first finding') end
end
local function done(worker, token)
  local last = call('HGET', at('last'), worker)
  if last and last:match('^%S+') == token then return tonumber(last:match('%d+$')) end
  expire()
  local claim, limit, before = call('HGET', at('claims'), token), number('limit'), number('executions')
  if not claim or text('ended') ~= '' or (limit > 0 and before + argument(5) > limit) then
    add('late', 1)
    if text('ended') == '' and text('stopped') == '' then take_findings(argument(20), before) end
    local refused = answer(worker, token, 0)
    settle()
    return refused
  end
  local fragment, _, aside = parts(claim)
  local pieces = argument(20)
  if call('HEXISTS', at('fragments'), fragment) == 0 then damaged('a fragment is missing') end
  free(fragment)
  count(5)
  write('HSET', 'ran', worker, whole(tonumber(call('HGET', at('ran'), worker) or 0) + argument(5)))
  for i, field in ipairs({'probes', 'probe_steps'}) do add(field, argument(15 + i)) end
  for i, field in ipairs({'probe_sum', 'probe_squares'}) do
    set(field, ('%.17g'):format(number(field) + argument(17 + i)))
  end
  if pieces == 0 and policy.says_less(argument(13), ARGV[14], number('coverage'), text('covered')) then
    set('coverage', whole(argument(13)))
    set('covered', ARGV[14])
  end
  for i = 21, 20 + pieces do
    add('issued', 1)
    write('HSET', 'fragments', text('issued'), ARGV[i])
    write('RPUSH', 'idle', text('issued'))
  end
  take_findings(pieces, before)
  if aside == 0 and pieces > 0 then stop(('after %d execution%s'):format(limit, limit == 1 and '' or 's')) end
  local accepted = answer(worker, token, 1)
  settle()
  return accepted
end

-- ---- fail WORKER WHY: a worker cannot go on, and the job is an error ----
local function fail(worker, why)
  if text('ended') == '' and text('error') == '' then set('error', worker .. ': ' .. why) end
  stop('a worker failed')
  commit()
  local token = call('HGET', at('holding'), worker)
  if token then lose(token) end
  settle()
  return 1
end

-- ---- look ----
local function look()
  settle()
  local fields = {}
  local function put(field, value)
    fields[#fields + 1] = field
    fields[#fields + 1] = tostring(value)
  end
  for field, value in pairs(state) do put(field, value) end
  put('fragments', number('issued') - number('finished'))
  put('claimed', call('ZCARD', at('busy')))
  put('findings', call('LLEN', at('findings')))
  put('workers_now', workers_now())
  put('now', ('%.6f'):format(now))
  return fields
end

-- ---- crew MOST: name, executions and fragment ("": none) of those seen in the last minute ----
local function crew(most)
  local list = {}
  for _, name in ipairs(call('ZREVRANGEBYSCORE', at('workers'), '+inf', now - 60, 'LIMIT', 0, most)) do
    local token = call('HGET', at('holding'), name)
    local claim = token and call('HGET', at('claims'), token)
    list[#list + 1] = name
    list[#list + 1] = call('HGET', at('ran'), name) or '0'
    list[#list + 1] = claim and claim:match('^%S+') or ''
  end
  return list
end

-- ---- join: may this user do all that working on the job takes? ----
local function join()
  for _, command in ipairs({'EXISTS', 'HDEL', 'HEXISTS', 'HGET', 'HGETALL', 'HLEN', 'HSET', 'HSTRLEN',
      'LINDEX', 'LLEN', 'LPOP', 'LPUSH', 'LRANGE', 'LREM', 'RPUSH', 'UNLINK', 'ZADD', 'ZCARD', 'ZCOUNT',
      'ZRANGE', 'ZRANGEBYSCORE', 'ZREM', 'ZREMRANGEBYSCORE', 'ZREVRANGEBYSCORE', 'ZSCORE'}) do
    for _, size in ipairs(sizes) do allowed(command, at(size[1])) end
    allowed(command, job)
  end
  for _, command in ipairs({'HDEL', 'HGET', 'HKEYS', 'HSET'}) do allowed(command, epochs) end
  return 1
end

-- ---- The job itself: submit (field value)... ----
local function submit()
  if call('EXISTS', job) == 1 then return call('HGET', job, 'id') == id and 1 or 0 end
  join()
  if call('HGET', epochs, name) then damaged('it has lost its key ' .. job) end
  call('HSET', job, 'id', id, 'format', FORMAT, 'submitted', ('%.6f'):format(now), 'issued', 1, 'finished', 0, 'begun', 1, 'done', 0,
    '#fragments', 1, '#idle', 1, unpack(ARGV, 3))
  for _, field in ipairs(counts) do call('HSET', job, field, 0) end
  call('HSET', epochs, name, id)
  call('HSET', at('fragments'), 1, '') -- everything
  call('RPUSH', at('idle'), 1)
  call('HSET', job, 'done', 1)
  return 1
end
local function drop() -- whatever is left of it
  local names = {job}
  for _, size in ipairs(sizes) do names[#names + 1] = at(size[1]) end
  allowed('UNLINK', job)
  allowed('HDEL', epochs, name)
  call('UNLINK', unpack(names))
  call('HDEL', epochs, name)
  return 1
end

if op == 'submit' then return submit() end
if op == 'list' then return call('HKEYS', epochs) end
local fields = (op == 'drop' and redis.pcall or call)('HGETALL', job) -- a damaged one can be dropped
for i = 1, #fields, 2 do state[fields[i]] = fields[i + 1] end
local epoch = call('HGET', epochs, name)
local there = state.id or epoch
if not there or (id ~= '' and id ~= there) then return {'gone'} end
id = there
if op == 'drop' then return drop() end
if not state.id then damaged('it has lost its key ' .. job) end
if text('format') ~= FORMAT then return {'format', text('version')} end
verify(epoch)
if op == 'take' then return take(ARGV[3], ARGV[4]) end
if op == 'done' then return done(ARGV[3], ARGV[4]) end
if op == 'crew' then return crew(ARGV[3]) end
if op == 'look' then return look() end
if op == 'join' then return join() end
if op == 'fail' then return fail(ARGV[3], ARGV[4]) end
if op == 'findings' then return call('LRANGE', at('findings'), ARGV[3], ARGV[3] + 99) end
if op == 'stop' then stop(ARGV[3]) commit() settle() return 1 end
if op == 'pause' then set('paused', 1) commit() return 1 end
if op == 'resume' then set('paused', 0) commit() return 1 end
return redis.error_reply('ERR unknown operation ' .. op)
