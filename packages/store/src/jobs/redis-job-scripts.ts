/**
 * What changes jobs in Redis, each in one step. A server that is full rejects what takes memory, but not after the script has deleted
 * something: so what runs, ends or removes a job begins with that. The keys of all scripts: documents, sizes, rounds and runs of
 * the jobs, bytes of their pieces (hashes by job), totals (a hash by owner), and the pieces of the one job. The first arguments: the job,
 * and the run that changes it, or nothing.
 */
const keys = `
local documents, sizes, rounds, runs, heldBytes, totals, pieces = unpack(KEYS)
local id, run = ARGV[1], ARGV[2]
local function add(key, field, amount)
  return redis.call('HINCRBY', key, field, string.format('%d', amount))
end
`

/** Another process has the job now. */
export const lostRun = -1
/** There is no space for a piece. */
export const full = -2

const rejectLostRun = `
if run ~= '' and redis.call('HGET', runs, id) ~= run then return ${lostRun} end
`

const counting = `
local function count(size, sign)
  local owner, bytes, unfinished = string.match(size, '^(%S*) (%d+) (%d)$')
  for _, suffix in ipairs({'', ':' .. owner}) do
    add(totals, 'bytes' .. suffix, sign * bytes)
    add(totals, 'unfinished' .. suffix, sign * unfinished)
  end
  if redis.call('HGET', totals, 'bytes:' .. owner) == '0' and redis.call('HGET', totals, 'unfinished:' .. owner) == '0' then
    redis.call('HDEL', totals, 'bytes:' .. owner, 'unfinished:' .. owner)
  end
end
`

/** Further arguments: the present document (nothing: none), the new one, its size, its round. @returns 1, or 0 if the present document is another one. */
export const putScript = `${keys}${rejectLostRun}${counting}
if (redis.call('HGET', documents, id) or '') ~= ARGV[3] then return 0 end
local size = redis.call('HGET', sizes, id)
if size then
  redis.call('HDEL', sizes, id)
  count(size, -1)
end
redis.call('HSET', documents, id, ARGV[4])
redis.call('HSET', sizes, id, ARGV[5])
redis.call('HSET', rounds, id, ARGV[6])
count(ARGV[5], 1)
return 1`

export const removeScript = `${keys}${counting}
local size = redis.call('HGET', sizes, id)
local held = redis.call('HGET', heldBytes, id) or 0
for _, key in ipairs({documents, sizes, rounds, runs, heldBytes}) do redis.call('HDEL', key, id) end
redis.call('UNLINK', pieces)
if size then count(size, -1) end
add(totals, 'held', -held)
return 1`

/** The run becomes the one that may change the job. Further argument: its round. @returns 1, or 0 if the job was deleted or is in another round. Jobs of an earlier version have none. */
export const beginScript = `${keys}
local round = redis.call('HGET', rounds, id)
if redis.call('HEXISTS', documents, id) == 0 or (round and round ~= ARGV[3]) then return 0 end
redis.call('HDEL', runs, id)
redis.call('HSET', runs, id, run)
return 1`

/** Further arguments: name, bytes, the most that the pieces of all jobs may have. */
export const writePieceScript = `${keys}${rejectLostRun}
if redis.call('HEXISTS', documents, id) == 0 then return ${lostRun} end
local added = #ARGV[4] - redis.call('HSTRLEN', pieces, ARGV[3])
local held = tonumber(redis.call('HGET', totals, 'held')) or 0
if added > 0 and held + added > tonumber(ARGV[5]) then return ${full} end
redis.call('HSET', pieces, ARGV[3], ARGV[4])
add(heldBytes, id, added)
add(totals, 'held', added)
return 1`

/** Further argument: the prefix of the names. */
export const removePiecesScript = `${keys}${rejectLostRun}
local removed = 0
for _, name in ipairs(redis.call('HKEYS', pieces)) do
  if string.sub(name, 1, #ARGV[3]) == ARGV[3] then
    removed = removed + redis.call('HSTRLEN', pieces, name)
    redis.call('HDEL', pieces, name)
  end
end
if removed > 0 then
  add(heldBytes, id, -removed)
  add(totals, 'held', -removed)
end
return 1`
