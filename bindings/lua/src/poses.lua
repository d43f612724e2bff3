--[[ poses.lua - the poses of all bodies after a step, in an array that one call fills.

Invariant: reading a pose creates no object. Numbers are read straight from the array, by their offsets
in pv_pose.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local C = require('pixverlet.loader').C

local poses = {}

-- Offsets of members, counted in doubles; the id is two numbers of half that size at the beginning.
local size = ffi.sizeof 'pv_pose' / 8
local position, rotation, corner = ffi.offsetof('pv_pose', 'position') / 8, ffi.offsetof('pv_pose', 'rotation') / 8,
    ffi.offsetof('pv_pose', 'top_left') / 8
assert(size % 1 == 0 and ffi.offsetof('pv_pose', 'body') == 0 and ffi.sizeof 'pv_body_id' == 8)

local function reserve(set, capacity)
    set.list = ffi.new('pv_pose[?]', capacity)
    set.numbers, set.words = ffi.cast('double *', set.list), ffi.cast('uint32_t *', set.list)
    set.capacity = capacity
end

--- Returns an empty set of poses.
function poses.new()
    local set = { count = 0, slots = 0, by_slot = ffi.new 'int[1]' }
    reserve(set, 64)
    return set
end

-- Notes the index of each pose by the slot of its body.
local function index(set)
    local words, count = set.words, set.count
    local last = count > 0 and words[2 * size * (count - 1)] or 0
    if last >= set.slots then
        set.slots = 2 * last + 2
        set.by_slot = ffi.new('int[?]', set.slots)
    end
    for i = 0, count - 1 do set.by_slot[words[2 * size * i]] = i end
end

--- Reads the poses of the enabled bodies of a world, or of those that flags select.
function poses.read(set, pointer, flags)
    local count = C.pv_world_get_poses(pointer, flags or 0, set.list, set.capacity)
    if count > set.capacity then
        reserve(set, 2 * count)
        C.pv_world_get_poses(pointer, flags or 0, set.list, set.capacity)
    end
    set.count = count
    index(set)
end

--- Returns the index of a body's pose, or -1.
function poses.find(set, slot, generation)
    if slot >= set.slots then return -1 end
    local at = set.by_slot[slot]
    local words = set.words
    if at < set.count and words[2 * size * at] == slot and words[2 * size * at + 1] == generation then return at end
    return -1
end
local find = poses.find

--- Returns the two numbers of the id at an index.
function poses.id(set, at) return set.words[2 * size * at], set.words[2 * size * at + 1] end

function poses.center(set, at)
    local from = size * at + position
    return set.numbers[from], set.numbers[from + 1]
end

--- Stops interpolation from the current pose of a body, which jumps to another one.
function poses.forget(set, slot)
    if slot < set.slots then set.by_slot[slot] = set.count end
end

--- Returns corner, angle and center, interpolated between two sets. The rotation takes the shorter way.
-- Both sets use the current center, because carving moves it in the picture.
function poses.between(previous, current, at, alpha)
    local to, base = current.numbers, size * at
    local x, y, c, s = to[base + position], to[base + position + 1], to[base + rotation], to[base + rotation + 1]
    local left, top = to[base + corner], to[base + corner + 1]
    local before = find(previous, current.words[2 * base], current.words[2 * base + 1])
    if before < 0 or alpha == 1 then return left, top, math.atan2(s, c), x, y end
    local from, old = previous.numbers, size * before
    local old_c, old_s = from[old + rotation], from[old + rotation + 1]
    local dx, dy = c * (x - left) + s * (y - top), c * (y - top) - s * (x - left)
    local old_x, old_y = from[old + corner] + old_c * dx - old_s * dy, from[old + corner + 1] + old_s * dx + old_c * dy
    local turn_c, turn_s = old_c + alpha * (c - old_c), old_s + alpha * (s - old_s)
    local length = math.sqrt(turn_c * turn_c + turn_s * turn_s)
    if length > 0 then c, s = turn_c / length, turn_s / length end
    x, y = old_x + alpha * (x - old_x), old_y + alpha * (y - old_y)
    return x - c * dx + s * dy, y - s * dx - c * dy, math.atan2(s, c), x, y
end

return poses
