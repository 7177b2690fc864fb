-- SPDX-License-Identifier: Apache-2.0
-- One renewal: what io.flexpool.fleet.FleetLedger does, by the server's clock. The contract compares the two.
-- KEYS[1]: a hash with "calm", "server" and one field for each member, "m:" and its name: granted held want cap reserve sequence renewed
-- KEYS[2]: a hash with a field for each database whose pools have a fleet of this name: its address, when one of them renewed
-- ARGV: member, sequence, held, want, cap (0 if it has none), instancesMax, reserve, then the rules' times and bounds
local own_name = ARGV[1]
local sequence, held, want = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local own_cap, instances, own_reserve = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local ttl, pause, ghost, calm_for = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
local boot, most, most_shown, longest = tonumber(ARGV[12]), tonumber(ARGV[13]), tonumber(ARGV[14]), tonumber(ARGV[15])
local kept_for, address, acknowledged = tonumber(ARGV[16]), ARGV[17], tonumber(ARGV[18])
-- How many entries that make no sense one renewal removes, and up to where a number is exact.
local most_removed, most_sequence = 1000, 9007199254740992

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local function short(name)
  if #name <= longest then
    return true
  end
  -- Each character has one byte that does not continue another.
  local _, letters = string.gsub(name, '[^\128-\191]', '')
  return letters <= longest
end

local function valid(row)
  return string.find(row.name, '%S') and short(row.name) and not string.find(row.name, '%c')
    and row.granted <= most and row.held <= most and row.want <= most and row.cap <= most
    and row.reserve < math.max(1, row.cap) and row.sequence > 0 and row.sequence < most_sequence and row.renewed > 0
end

local function parse(name, text)
  local g, h, w, c, v, s, r = string.match(text, '^(%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)$')
  if not g then
    return nil
  end
  local row = { name = name, granted = tonumber(g), held = tonumber(h), want = tonumber(w), cap = tonumber(c),
    reserve = tonumber(v), sequence = tonumber(s), renewed = tonumber(r) }
  return valid(row) and row or nil
end

local function keep(row)
  redis.call('HSET', KEYS[1], 'm:' .. row.name, string.format('%.0f %.0f %.0f %.0f %.0f %.0f %.0f',
    row.granted, row.held, row.want, row.cap, row.reserve, row.sequence, row.renewed))
end

-- Which server this is: its start, and its place in the history of its replicas. Empty if the user may not read that.
local function identity(section, name)
  local text = redis.pcall('INFO', section)
  return type(text) == 'string' and string.match(text, name .. ':(%x+)') or ''
end

local server = identity('server', 'run_id') .. identity('replication', 'master_replid')

local function live(row)
  return now - row.renewed <= ttl
end

local function had(row)
  return math.max(row.granted, row.held)
end

local calm, written_by = nil, ''
local last = nil
local others = {}
local ignored = 0
local newest = nil
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  local field, text = all[at], all[at + 1]
  if field == 'calm' then
    calm = tonumber(text)
  elseif field == 'server' then
    written_by = text
  else
    local row = string.sub(field, 1, 2) == 'm:' and parse(string.sub(field, 3), text) or nil
    if not row then
      ignored = ignored + 1
      if ignored <= most_removed and field ~= 'm:' .. own_name then
        redis.call('HDEL', KEYS[1], field)
      end
    else
      -- A time from after the clock counts as now.
      if row.renewed > now then
        row.renewed = now
        if row.name ~= own_name then
          keep(row)
        end
      end
      newest = math.max(newest or row.renewed, row.renewed)
      if row.name == own_name then
        last = row
      else
        others[#others + 1] = row
      end
    end
  end
end

local until_then
if not calm or acknowledged > (last and last.sequence or 0) or (newest and now - newest > ttl)
  or (written_by ~= '' and server ~= '' and written_by ~= server) then
  until_then = now + calm_for
else
  until_then = math.min(calm, now + calm_for)
end

-- For how long the member could have renewed and did not: nobody could before the store was reached again.
local function missed(row)
  return now - math.max(row.renewed, until_then - calm_for)
end

local known = {}
for _, row in ipairs(others) do
  if missed(row) > ghost then
    redis.call('HDEL', KEYS[1], 'm:' .. row.name)
  else
    known[#known + 1] = row
  end
end
others = known

-- The smallest number that a live member has, 0 if none has one, and the largest reserve of these members.
local cap, reserve = own_cap, own_reserve
for _, row in ipairs(others) do
  if row.cap > 0 and live(row) then
    if cap == 0 or row.cap < cap then
      cap, reserve = row.cap, row.reserve
    elseif row.cap == cap then
      reserve = math.max(reserve, row.reserve)
    end
  end
end
local share = math.max(boot, math.floor((cap - reserve) / instances))

local function booked(row)
  if live(row) then
    return had(row)
  end
  return missed(row) <= pause and math.max(had(row), share) or share
end

local function wish(wanted)
  return math.max(boot, math.min(cap, wanted))
end

local function capacity(members)
  return cap - reserve - boot * math.max(0, instances - members)
end

local own = last
if not last or sequence > last.sequence then
  local silent, taken, mine = 0, 0, wish(want)
  -- How many are served before it: those that want less, and of those that want as much the ones with a smaller name.
  local wishes, before = { mine }, 0
  for _, row in ipairs(others) do
    local now_booked = booked(row)
    taken = taken + now_booked
    if live(row) then
      local wanted = wish(row.want)
      wishes[#wishes + 1] = wanted
      if wanted < mine or (wanted == mine and row.name < own_name) then
        before = before + 1
      end
    else
      silent = silent + now_booked
    end
  end
  -- Without a function that compares: that is most of the time with many members.
  table.sort(wishes)
  local free = capacity(#others + 1)
  local left, sharers = math.max(0, free - silent), #wishes
  for at = 1, before do
    left = left - math.min(wishes[at], math.floor(left / sharers))
    sharers = sharers - 1
  end
  local entitled = math.min(mine, math.floor(left / sharers))
  local limit = now < until_then and held or math.max(held, free - taken)
  if cap == 0 then
    entitled, limit = want, held
  end
  -- One that does not know the last renewal may be a copy of another member, and what that has stays booked.
  local booked_held = last and acknowledged < last.sequence and math.max(held, had(last)) or held
  own = { name = own_name, granted = math.max(boot, math.min(entitled, limit)), held = booked_held, want = want, cap = own_cap,
    reserve = own_reserve, sequence = sequence, renewed = now }
end

if until_then ~= calm then
  redis.call('HSET', KEYS[1], 'calm', string.format('%.0f', until_then))
end
if server ~= '' and server ~= written_by then
  redis.call('HSET', KEYS[1], 'server', server)
end
keep(own)
redis.call('PEXPIRE', KEYS[1], kept_for)

-- Another database of this name whose pools have renewed lately; empty if there is none.
local elsewhere = ''
local databases = redis.call('HGETALL', KEYS[2])
for at = 1, #databases, 2 do
  local seen = tonumber(databases[at + 1])
  if not seen or now - seen > ghost then
    redis.call('HDEL', KEYS[2], databases[at])
  elseif databases[at] ~= address and now - seen <= ttl then
    elsewhere = databases[at]
  end
end
redis.call('HSET', KEYS[2], address, string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[2], kept_for)

-- The members to show: those that had most, kept in order as they come.
local function comes_before(a, b)
  return had(a) > had(b) or (had(a) == had(b) and a.name < b.name)
end

others[#others + 1] = own
local taken, members, first, differs = 0, 0, {}, nil
for _, row in ipairs(others) do
  taken = taken + booked(row)
  if live(row) then
    members = members + 1
    if row.cap > 0 and own.cap > 0 and (row.cap ~= own.cap or row.reserve ~= own.reserve)
      and (not differs or row.cap < differs.cap or (row.cap == differs.cap and row.name < differs.name)) then
      differs = row
    end
  end
  if #first < most_shown or comes_before(row, first[#first]) then
    local at = math.min(#first + 1, most_shown)
    while at > 1 and comes_before(row, first[at - 1]) do
      first[at] = first[at - 1]
      at = at - 1
    end
    first[at] = row
  end
end
local function described(row)
  return { row.name, row.granted, row.held, row.want, row.cap, row.reserve, math.max(0, now - row.renewed), live(row) and 0 or 1 }
end

local shown = {}
for at, row in ipairs(first) do
  shown[at] = described(row)
end
return { math.max(boot, own.granted), members, taken, cap > 0 and capacity(#others) - taken or 0, now < until_then and 1 or 0, ignored,
  shown, cap > 0 and cap or -1, reserve, differs and described(differs) or {}, elsewhere,
  last and last.sequence or 0 }
