import { SHARED_LUA } from './shared-lua';

/**
 * Appends an event to a run's log, once.
 * KEYS: its events, its log, the set of runs, its mark of renewal. ARGV: the clock, the time to live, the field of the
 * event's key, the event, whether it closes the log, the field of its section or nothing, its generation, the run's name.
 * Answers with what came of it (0 appended or there already, 1 closed, 2 an older generation), the event's number or the
 * newest generation, and whether a renewal is due.
 */
export const APPEND_EVENT = `${SHARED_LUA}
-- Where one of them is of another type, this fails before anything is written.
redis.call('XLEN', KEYS[1])
redis.call('SCARD', KEYS[3])
local existing = redis.call('HGET', KEYS[2], ARGV[3])
if existing then return { 0, tonumber(existing), 0 } end
if redis.call('HEXISTS', KEYS[2], 'closed') == 1 then return { 1, 0, 0 } end
if ARGV[6] ~= '' then
  local newest = redis.call('HGET', KEYS[2], ARGV[6])
  if newest and tonumber(ARGV[7]) < tonumber(newest) then return { 2, tonumber(newest), 0 } end
end
local at, ttl = whole(clock(ARGV[1])), tonumber(ARGV[2])
local number = redis.call('HINCRBY', KEYS[2], 'last', 1)
redis.call('XADD', KEYS[1], number .. '-0', 'at', at, 'event', ARGV[4])
redis.call('HSET', KEYS[2], ARGV[3], number)
if number == 1 then redis.call('HSET', KEYS[2], 'begun', at) end
if ARGV[5] == '1' then redis.call('HSET', KEYS[2], 'closed', 1) end
if ARGV[6] ~= '' then redis.call('HSET', KEYS[2], ARGV[6], ARGV[7]) end
redis.call('SADD', KEYS[3], ARGV[8])
for key = 1, 3 do renew(KEYS[key], ttl) end
return { 0, number, 1 - redis.call('EXISTS', KEYS[4]) }
`;

/**
 * Forgets a run's log. KEYS: its events, its log, the set of runs. ARGV: the run's name, whether only one log is meant,
 * when that began or nothing where there was none. Answers whether there is none now.
 */
export const CLEAR_LOG = `${SHARED_LUA}
-- Nobody goes on with a log of another type.
local begun = isOf(KEYS[2], 'hash') and (redis.call('HGET', KEYS[2], 'begun') or '') or ARGV[3]
if ARGV[2] == '1' and begun ~= ARGV[3] then return 0 end
redis.call('UNLINK', KEYS[1], KEYS[2])
if isOf(KEYS[3], 'set') then redis.call('SREM', KEYS[3], ARGV[1]) else redis.call('UNLINK', KEYS[3]) end
return 1
`;

/**
 * Some of the runs that have events; those whose events are gone are forgotten. KEYS: the set of runs. ARGV: the cursor, the
 * prefix of events. Answers with the next cursor, then the runs.
 */
export const LIST_RUNS = `
local page = redis.call('SSCAN', KEYS[1], ARGV[1], 'COUNT', 500)
local answer = { page[1] }
for _, run in ipairs(page[2]) do
  if redis.call('EXISTS', ARGV[2] .. run) == 1 then
    answer[#answer + 1] = run
  else
    redis.call('SREM', KEYS[1], run)
  end
end
return answer
`;
