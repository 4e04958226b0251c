/** The scripts that read and change the keys in Redis. Redis runs one script at a time. */
import { defineScript } from '../redis/redis-connection.ts';
import { MAX_AUDIT_ENTRIES } from './key-store.ts';

/**
 * Length of a secret: 32 bytes in hexadecimal. Redis and copies of its keys may hold a shorter one.
 */
export const SECRET_CHARACTERS = 64;

/** All scripts get the same KEYS. */
const NAMES = `
local records, revoked, used, revisions, revision, changes = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local secret = KEYS[7]
`;

/**
 * Revisions are times in microseconds, so that a server that has lost some does not use them again.
 */
const NEXT_REVISION = `
local function nextRevision()
  local clock = redis.call('TIME')
  local last = tonumber(redis.call('GET', revision)) or 0
  return string.format('%.0f', math.max(last + 1, clock[1] * 1000000 + clock[2]))
end
`;

/**
 * The first part of scripts that change keys. ARGV[1] to ARGV[3] are the time, action and operator
 * of the audit log. `change` writes a field of a key, gives the key the next revision, and adds an
 * entry to the log. The entry comes first: if the log cannot be written, nothing is changed.
 */
const CHANGE = `${NAMES}${NEXT_REVISION}
local at, action, who = ARGV[1], ARGV[2], ARGV[3]
local function labelOf(row)
  local isValid, fields = pcall(cjson.decode, row)
  local label = isValid and type(fields) == 'table' and fields.label
  return type(label) == 'string' and label or ''
end
local function change(hash, id, value, row)
  redis.call('XADD', changes, 'MAXLEN', '~', ${MAX_AUDIT_ENTRIES}, '*',
    'at', at, 'action', action, 'key_id', id, 'label', labelOf(row), 'who', who)
  redis.call('HSET', hash, id, value)
  local number = nextRevision()
  redis.call('SET', revision, number)
  redis.call('ZADD', revisions, number, id)
end
`;

/**
 * ARGV[4] on: the id, row and revocation (or '') of each key. Returns how many were added: none if the
 * first key shall be created and there are keys already.
 */
export const ADD = defineScript(`${CHANGE}
if action == 'create first' and redis.call('EXISTS', records) == 1 then return 0 end
local added = 0
for i = 4, #ARGV, 3 do
  if redis.call('HEXISTS', records, ARGV[i]) == 0 then
    change(records, ARGV[i], ARGV[i + 1], ARGV[i + 1])
    if ARGV[i + 2] ~= '' then redis.call('HSET', revoked, ARGV[i], ARGV[i + 2]) end
    added = added + 1
  end
end
return added
`);

/** ARGV[4] on: the id and time of each key. Returns how many keys were not yet revoked. */
export const REVOKE = defineScript(`${CHANGE}
local count = 0
for i = 4, #ARGV, 2 do
  local row = redis.call('HGET', records, ARGV[i])
  if row and redis.call('HEXISTS', revoked, ARGV[i]) == 0 then
    change(revoked, ARGV[i], ARGV[i + 1], row)
    count = count + 1
  end
end
return count
`);

/** ARGV: the id and the time of each used key. */
export const USE = defineScript(`${NAMES}
for i = 1, #ARGV, 2 do
  local isKnown = redis.call('HEXISTS', records, ARGV[i]) == 1
  local last = tonumber(redis.call('HGET', used, ARGV[i]) or 0)
  if isKnown and tonumber(ARGV[i + 1]) > last then redis.call('HSET', used, ARGV[i], ARGV[i + 1]) end
end
`);

/**
 * ARGV: a secret, for a store that has none or one that is too short. Returns the store's secret, and 1
 * if it has replaced a short one. A new secret is a change, which all machines read.
 */
export const SHARE_SECRET = defineScript(`${NAMES}${NEXT_REVISION}
local stored = redis.call('GET', secret)
if stored and #stored >= ${SECRET_CHARACTERS} then return {stored, 0} end
redis.call('SET', secret, ARGV[1])
if redis.call('EXISTS', revision) == 1 then redis.call('SET', revision, nextRevision()) end
return {ARGV[1], stored and 1 or 0}
`);

/**
 * ARGV: a revision. Returns the store's revision, number of keys and secret; then, for every key with
 * a later revision, its id, row, revocation and last use.
 */
export const READ = defineScript(`${NAMES}
local reply = {redis.call('GET', revision), redis.call('ZCARD', revisions), redis.call('GET', secret)}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', revisions, '(' .. ARGV[1], '+inf')) do
  reply[#reply + 1] = id
  for _, hash in ipairs({records, revoked, used}) do reply[#reply + 1] = redis.call('HGET', hash, id) end
end
return reply
`);

export const VALUES_PER_KEY = 4;
