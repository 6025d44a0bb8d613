import { SHARED_LUA } from './shared-lua';

/**
 * Takes the next turn. KEYS: the turns. ARGV: the clock, the milliseconds between two. Answers with those until this one, as
 * a text, because Redis makes whole numbers of all others.
 */
export const TAKE_TURN = `${SHARED_LUA}
local now = clock(ARGV[1])
local turn = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '') or 0)
local following = turn + tonumber(ARGV[2])
redis.call('SET', KEYS[1], string.format('%.3f', following), 'PX', whole(following - now + 60000))
return string.format('%.3f', turn - now)
`;

/** KEYS: the slots, by when they end. ARGV: the clock, the owner, how many there are, how long one is had. Answers 1 or 0. */
export const ACQUIRE_SLOT = `${SHARED_LUA}
local now, ttl = clock(ARGV[1]), tonumber(ARGV[4])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', whole(now))
local others = redis.call('ZCARD', KEYS[1])
if redis.call('ZSCORE', KEYS[1], ARGV[2]) then others = others - 1 end
if others >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], whole(now + ttl), ARGV[2])
if redis.call('PTTL', KEYS[1]) < ttl + 60000 then redis.call('PEXPIRE', KEYS[1], whole(ttl + 60000)) end
return 1
`;

/** KEYS: the lease. ARGV: the clock, the owner, how long it is had. Answers 1 or 0. */
export const ACQUIRE_LEASE = `${SHARED_LUA}
local now, ttl = clock(ARGV[1]), tonumber(ARGV[3])
local lease = redis.call('HMGET', KEYS[1], 'owner', 'ends')
if lease[1] and lease[1] ~= ARGV[2] and (tonumber(lease[2] or '') or 0) > now then return 0 end
redis.call('HSET', KEYS[1], 'owner', ARGV[2], 'ends', whole(now + ttl))
redis.call('PEXPIRE', KEYS[1], whole(ttl + 60000))
return 1
`;

/** KEYS: the lease. ARGV: the owner. */
export const RELEASE_LEASE = `
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0
`;

/** Sets a value that stays, where there is none. KEYS: it. ARGV: the value. Answers with what is there then. */
export const SET_ONCE = `
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
`;

/**
 * Puts a value that stays in the place of one that was seen, or of none. KEYS: it. ARGV: the value, what was seen or nothing.
 * Answers whether the key was of another type, and with what is there now.
 */
export const REPLACE_SEEN = `${SHARED_LUA}
local wasOther = not isOf(KEYS[1], 'string')
local found = not wasOther and redis.call('GET', KEYS[1]) or ''
if found ~= ARGV[2] and found ~= '' then return { 0, found } end
redis.call('SET', KEYS[1], ARGV[1])
return { wasOther and 1 or 0, ARGV[1] }
`;
