-- The requests of the load test, for wrk: `wrk … URL -- MODE PREFIX RUN ORDERS CATALOGUE`.
--   MODE       create, read, report or mixed
--   PREFIX     /coredata or /grdb
--   RUN        letters and digits for the numbers of new orders, unique among the runs of this server
--   ORDERS     the number of initial orders, S-1 to S-ORDERS
--   CATALOGUE  a Lua file that returns the emails of customers and the numbers of products

local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("id", threads)
end

local made = 0
local mode, prefix, run, orders, emails, skus
local headers = { ["Content-Type"] = "application/json" }

function init(args)
  mode, prefix, run, orders = args[1], args[2], args[3], tonumber(args[4])
  emails, skus = dofile(args[5])
  math.randomseed(id)
end

local function email() return emails[math.random(#emails)] end
local function number() return "S-" .. math.random(orders) end

local function create()
  made = made + 1
  local lines, first = {}, math.random(#skus)
  for line = 1, math.random(5) do
    -- Consecutive lines are 31 products apart, so that an order does not contain a product twice.
    local sku = skus[(first + 31 * line) % #skus + 1]
    lines[line] = string.format('{"sku":"%s","quantity":%d}', sku, math.random(4))
  end
  local body = string.format('{"number":"%s-%d-%d","customer":"%s","lines":[%s]}',
    run, id, made, email(), table.concat(lines, ","))
  return wrk.format("POST", prefix .. "/orders", headers, body)
end

local function read() return wrk.format("GET", prefix .. "/orders/" .. number()) end

local function list() return wrk.format("GET", prefix .. "/customers/" .. email() .. "/orders?limit=20") end

-- Paying an order that is already paid succeeds and changes nothing.
local function pay()
  return wrk.format("PATCH", prefix .. "/orders/" .. number(), headers, '{"status":"paid"}')
end

local function report()
  made = made + 1
  return wrk.format("GET", prefix .. "/report?by=" .. (made % 2 == 0 and "status" or "day"))
end

local function mixed()
  local chance = math.random(100)
  if chance <= 60 then return read() end
  if chance <= 75 then return list() end
  if chance <= 90 then return create() end
  if chance <= 99 then return pay() end
  return report()
end

local requests = { create = create, read = read, report = report, mixed = mixed }

function request() return requests[mode]() end

-- Prints one line for the script: requests, microseconds, the median and the 99th percentile of the latencies in microseconds,
-- answers with an error, and requests without an answer.
function done(summary, latency)
  local errors = summary.errors
  print(string.format("RESULT %d %d %d %d %d %d", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
