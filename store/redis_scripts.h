// The Lua scripts of RedisStore: what must happen together or not at all. Keys are given in the
// order named; see redis_store.h for what is in them.
#pragma once

#include <string>

namespace toguz {

// KEYS run, games; ARGV run id, worker, sequence, batch, the largest batch, the epoch known ('' for
// none). The epoch is random, and another whenever the stream was made anew.
inline const std::string kAppend = R"(
local id = redis.call('HGET', KEYS[1], 'id')
if not id then return {'none'} end
if id ~= ARGV[1] then return {'other'} end
if #ARGV[4] > tonumber(ARGV[5]) then return {'large'} end
local epoch = redis.call('HGET', KEYS[1], 'epoch') or ''
if ARGV[6] ~= '' and ARGV[6] ~= epoch then return {'anew', epoch} end
local limit = tonumber(redis.call('HGET', KEYS[1], 'limit'))
local bytes = tonumber(redis.call('HGET', KEYS[1], 'bytes') or '0')
if bytes + #ARGV[4] > limit then
  if redis.call('XLEN', KEYS[2]) > 0 then return {'full', epoch} end
  redis.call('HSET', KEYS[1], 'bytes', 0)
end
redis.call('XADD', KEYS[2], '*', 'w', ARGV[2], 's', ARGV[3], 'b', ARGV[4])
redis.call('HINCRBY', KEYS[1], 'bytes', #ARGV[4])
return {'yes', epoch}
)";

// KEYS run, handled; ARGV worker.
inline const std::string kConfirmed = R"(
return {redis.call('HGET', KEYS[1], 'epoch') or '', redis.call('HGET', KEYS[2], ARGV[1]) or '0'}
)";

// KEYS learner, run, games; ARGV owner, lease ms, run id, description, limit, group, a new epoch.
inline const std::string kLead = R"(
local id = redis.call('HGET', KEYS[2], 'id')
if id and id ~= ARGV[3] then return {'other', id} end
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return {'held', owner, redis.call('PTTL', KEYS[1])} end
redis.call('HSET', KEYS[2], 'id', ARGV[3], 'json', ARGV[4], 'limit', ARGV[5])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
local made = redis.pcall('XGROUP', 'CREATE', KEYS[3], ARGV[6], '0', 'MKSTREAM')
if made.err and not string.find(made.err, 'BUSYGROUP') then return redis.error_reply(made.err) end
if not id or not made.err then redis.call('HSET', KEYS[2], 'epoch', ARGV[7]) end
return {'yes'}
)";

// KEYS learner, run, learned, seen, workers, handled; ARGV owner, lease ms, run id, report,
// seconds. Prunes workers that were last heard of so many seconds ago.
inline const std::string kRenew = R"(
if redis.call('HGET', KEYS[2], 'id') ~= ARGV[3] then return 'gone' end
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 'taken' end
-- Permitted when memory is short, and then the rest is too.
if owner then redis.call('PEXPIRE', KEYS[1], ARGV[2])
else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
local time = redis.call('TIME')[1]
redis.call('SET', KEYS[3], time .. ' ' .. ARGV[4])
local old = redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', time - ARGV[5], 'LIMIT', 0, 200)
for _, worker in ipairs(old) do
  redis.call('ZREM', KEYS[4], worker)
  redis.call('HDEL', KEYS[5], worker)
  redis.call('HDEL', KEYS[6], worker)
end
return 'yes'
)";

// KEYS learner; ARGV owner.
inline const std::string kResign = R"(
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 'yes'
)";

// KEYS learner, run, head, model, the old model; ARGV owner, run id, head, model, seconds that the
// old model stays.
inline const std::string kPublish = R"(
if redis.call('HGET', KEYS[2], 'id') ~= ARGV[2] then return 'gone' end
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 'taken' end
if #ARGV[4] > 0 then redis.call('SET', KEYS[4], ARGV[4])
elseif redis.call('EXISTS', KEYS[4]) == 0 then return 'missing'
else redis.call('PERSIST', KEYS[4]) end
redis.call('SET', KEYS[3], ARGV[3])
if KEYS[5] ~= KEYS[4] then redis.call('EXPIRE', KEYS[5], ARGV[5]) end
return 'yes'
)";

// KEYS run, seen, workers; ARGV worker, report.
inline const std::string kReport = R"(
if redis.call('EXISTS', KEYS[1]) == 0 then return 'none' end
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], redis.call('TIME')[1], ARGV[1])
return 'yes'
)";

// KEYS learner, run, games, handled, seen; ARGV owner, run id, group, minus the bytes, entries E, E
// ids, then (worker, sequence) of each worker, who is forgotten in time even if he was already.
// What frees memory comes first: it is permitted when memory is short, and the rest then is too.
inline const std::string kAcknowledge = R"(
if redis.call('HGET', KEYS[2], 'id') ~= ARGV[2] then return 'gone' end
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 'taken' end
local entries = tonumber(ARGV[5])
local ids = {}
for i = 1, entries do ids[i] = ARGV[5 + i] end
redis.call('XACK', KEYS[3], ARGV[3], unpack(ids))
local gone = redis.call('XDEL', KEYS[3], unpack(ids))
if gone > 0 then
  local bytes = redis.call('HINCRBY', KEYS[2], 'bytes', ARGV[4])
  if bytes < 0 or redis.call('XLEN', KEYS[3]) == 0 then redis.call('HSET', KEYS[2], 'bytes', 0) end
end
local time = redis.call('TIME')[1]
for i = 6 + entries, #ARGV, 2 do
  local known = tonumber(redis.call('HGET', KEYS[4], ARGV[i]) or '0')
  if tonumber(ARGV[i + 1]) > known then redis.call('HSET', KEYS[4], ARGV[i], ARGV[i + 1]) end
  redis.call('ZADD', KEYS[5], 'NX', time, ARGV[i])
end
return 'yes'
)";

// KEYS tasks, leases; ARGV lease ms.
inline const std::string kTakeTask = R"(
local time = redis.call('TIME')
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
local ids = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ms, 'LIMIT', 0, 1)
if #ids == 0 then return false end
local content = redis.call('HGET', KEYS[1], ids[1])
if not content then redis.call('ZREM', KEYS[2], ids[1]) return false end
redis.call('ZADD', KEYS[2], ms + ARGV[1], ids[1])
return {ids[1], content}
)";

// KEYS tasks, leases, results; ARGV id, result.
inline const std::string kFinishTask = R"(
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 'late' end
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
return 'yes'
)";

// KEYS results.
inline const std::string kTakeResults = R"(
local all = redis.call('HGETALL', KEYS[1])
redis.call('DEL', KEYS[1])
return all
)";

}  // namespace toguz
