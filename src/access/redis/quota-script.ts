/**
 * The script that counts calls of a UTC day in Redis, for all calls of a tick. Days are those of
 * the server's clock. A counter is a hash of a day and its calls, as in limits/quota-table.ts.
 */
import { DAY_MS } from '../limits/quota-table.ts';
import { ACCEPTED, REFUSED, UNDECIDED } from './limit-script.ts';
import { defineScript } from './redis-connection.ts';

/**
 * KEYS are the counters of the calls. ARGV has three numbers for each: the quota, and the day and the
 * calls that the machine knows of, because Redis may have lost them. The reply is that of `TAKE_CALLS`:
 * its numbers are the decision, the calls of the day, and the microseconds until the day ends.
 */
export const TAKE_DAILY_CALLS = defineScript(`
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local today = math.floor(now / ${DAY_MS * 1000})

local reply = {''}
for i, counter in ipairs(KEYS) do
  local quota, knownDay, knownCalls = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local fields = redis.call('HMGET', counter, 'day', 'calls')
  local day, calls = tonumber(fields[1] or today), tonumber(fields[2] or 0)
  -- After the clock was set back over midnight, calls still count on the later day.
  if day ~= today and day ~= today + 1 then day, calls = today, 0 end
  local isLost = knownDay == day and knownCalls > calls
  if isLost then calls = knownCalls end
  local isUsedUp = calls >= quota
  local decision = isUsedUp and ${REFUSED} or ${ACCEPTED}
  if not isUsedUp then calls = calls + 1 end
  if isLost or not isUsedUp then
    local written = redis.pcall('HSET', counter, 'day', day, 'calls', calls)
    if type(written) ~= 'table' then
      redis.call('PEXPIRE', counter, ${2 * DAY_MS})
    elseif not isUsedUp then
      decision = ${UNDECIDED}
      reply[1] = written.err
    end
  end
  reply[#reply + 1] = decision
  reply[#reply + 1] = calls
  reply[#reply + 1] = (day + 1) * ${DAY_MS * 1000} - now
end
return reply
`);
