import { SHARED_LUA } from './shared-lua';

/*
 * An item is a hash: `value`, for a response also `ends` and, for versions before 0.7, `stored`, and a field of each holder,
 * `>` and the run. What it is and who holds it has one key, and so one time to live. A key of another type is an item without
 * bytes: it is there, no seal fits it, and storing the item puts it right.
 */

/**
 * Has a run hold what is there of the items, and gives it out where that is asked for.
 * KEYS: the run's items, its mark of renewal. ARGV: the items' prefix, the holder's field, the time to live, the clock,
 * `take` or `hold`, the items. Answers whether a renewal is due, then for each item its value (or 1), or nothing.
 */
export const HOLD_ITEMS = `${SHARED_LUA}
local ttl, now = tonumber(ARGV[3]), clock(ARGV[4])
local answer = { 1 - redis.call('EXISTS', KEYS[2]) }
for at = 6, #ARGV do
  local key = ARGV[1] .. ARGV[at]
  if isOf(key, 'hash') then
    local ends = tonumber(redis.call('HGET', key, 'ends') or '')
    local isThere = redis.call('HEXISTS', key, 'value') == 1 and not (ends and ends <= now)
    if isThere then
      -- What is held already is not written: a full server refuses writes.
      if redis.call('HEXISTS', key, ARGV[2]) == 0 then redis.call('HSET', key, ARGV[2], '') end
      if redis.call('SISMEMBER', KEYS[1], ARGV[at]) == 0 then redis.call('SADD', KEYS[1], ARGV[at]) end
      renewItem(key, ttl, now)
    end
    answer[#answer + 1] = isThere and (ARGV[5] == 'take' and redis.call('HGET', key, 'value') or 1)
  else
    if redis.call('SISMEMBER', KEYS[1], ARGV[at]) == 0 then redis.call('SADD', KEYS[1], ARGV[at]) end
    answer[#answer + 1] = ARGV[5] == 'take' and '' or 1
  end
end
renew(KEYS[1], ttl)
return answer
`;

/**
 * Stores items for a run.
 * KEYS: the run's items, its mark of renewal. ARGV: the items' prefix, the holder's field, the time to live, the clock, the
 * time after which the items end by themselves or nothing, then each item and its value. Answers whether a renewal is due.
 */
export const PUT_ITEMS = `${SHARED_LUA}
local ttl, now = tonumber(ARGV[3]), clock(ARGV[4])
for at = 6, #ARGV, 2 do
  local key = ARGV[1] .. ARGV[at]
  if not isOf(key, 'hash') then redis.call('DEL', key) end
  redis.call('HSET', key, 'value', ARGV[at + 1], ARGV[2], '')
  if ARGV[5] ~= '' then
    redis.call('HSET', key, 'stored', whole(now), 'ends', whole(now + tonumber(ARGV[5])))
    redis.call('PERSIST', key)
  end
  redis.call('SADD', KEYS[1], ARGV[at])
  renewItem(key, ttl, now)
end
renew(KEYS[1], ttl)
return 1 - redis.call('EXISTS', KEYS[2])
`;

/**
 * Ends a run's hold on some of its items, and deletes those that no other run holds.
 * KEYS: the run's items. ARGV: the items' prefix, the holder's field, how many fields an item has beside its holders, how
 * many items. Answers how many it looked at, deleted, and kept.
 */
export const RELEASE_ITEMS = `${SHARED_LUA}
local items = redis.call('SPOP', KEYS[1], ARGV[4])
local deleted, kept = 0, 0
for _, item in ipairs(items) do
  local key = ARGV[1] .. item
  local isItem = isOf(key, 'hash')
  if isItem then redis.call('HDEL', key, ARGV[2]) end
  local fields = isItem and redis.call('HLEN', key) or 1
  if isItem and fields > tonumber(ARGV[3]) then
    kept = kept + 1
  elseif fields > 0 then
    redis.call('UNLINK', key)
    deleted = deleted + 1
  end
end
return { #items, deleted, kept }
`;

/** Renews items. ARGV: their prefix, the time to live, the clock, the items. */
export const RENEW_ITEMS = `${SHARED_LUA}
for at = 4, #ARGV do renewItem(ARGV[1] .. ARGV[at], tonumber(ARGV[2]), clock(ARGV[3])) end
return 0
`;

/** Renews keys of any kind. KEYS: them. ARGV: the time to live. */
export const RENEW_KEYS = `${SHARED_LUA}
for _, key in ipairs(KEYS) do renew(key, tonumber(ARGV[1])) end
return 0
`;

/** How many of some texts are there, and how many characters they have. KEYS: the texts. */
export const MEASURE_TEXTS = `${SHARED_LUA}
local texts, chars = 0, 0
for _, key in ipairs(KEYS) do
  local packed = isOf(key, 'hash') and redis.call('HGET', key, 'value')
  if packed then
    texts = texts + 1
    -- As packed-text.ts lays it out: one byte of flags, then the length.
    if #packed >= 5 then chars = chars + struct.unpack('<I4', packed, 2) end
  end
end
return { texts, chars }
`;
