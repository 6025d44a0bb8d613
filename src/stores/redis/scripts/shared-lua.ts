/** What the scripts have in common. Each begins with it. */
export const SHARED_LUA = `
-- Milliseconds since 1970: what the caller's clock says, else this server's.
local function clock(given)
  if given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- A number as Redis keeps it, without an exponent.
local function whole(number) return string.format('%.0f', number) end

-- Written only once a quarter of the time is over, so that what is only read is not written again and again.
local function renew(key, ttl)
  local left = redis.call('PTTL', key)
  if left ~= -2 and left < ttl * 0.75 then redis.call('PEXPIRE', key, whole(ttl)) end
end

-- Whether a key, where it is there, is of the type that it should be: anybody may have written another.
local function isOf(key, wanted)
  local found = redis.call('TYPE', key)['ok']
  return found == wanted or found == 'none'
end

-- An item that ends by itself is kept no longer than a minute after that.
local function renewItem(key, ttl, now)
  if not isOf(key, 'hash') then return end
  local ends = tonumber(redis.call('HGET', key, 'ends') or '')
  if ends then ttl = math.min(ttl, ends - now + 60000) end
  if ttl > 0 then renew(key, ttl) end
end
`;
