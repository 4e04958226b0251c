-- Sends the requests of a file (one per line: path, tab, form body) repeatedly and prints the outcome as
-- one line of JSON. wrk gives each thread its own copy of this script. With a number of addresses, the
-- requests come from so many clients of a proxy.
local requests = {}
local position = 0

function init(args)
  local headers = {
    ["Content-Type"] = "application/x-www-form-urlencoded",
    ["X-Service-Key"] = args[2],
  }
  local addresses = tonumber(args[3])
  for line in io.lines(args[1]) do
    local path, body = line:match("^([^\t]*)\t(.*)$")
    if addresses then
      local address = #requests % addresses
      headers["X-Forwarded-For"] = string.format("10.%d.%d.%d", address / 65536, address / 256 % 256, address % 256)
    end
    requests[#requests + 1] = wrk.format("POST", path, headers, body)
  end
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"durationUs":%d,"bytes":%d,"failed":%d,"p50Us":%d,"p90Us":%d,"p99Us":%d}\n',
    summary.requests, summary.duration, summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(90), latency:percentile(99)))
end
