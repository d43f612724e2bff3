/* header.cpp - pixverlet.h in a C++ program: it compiles, and its names link as C's.
 * SPDX-License-Identifier: Zlib
 */
#include <pixverlet.h>

int main() {
    pv_status status = PV_ERROR_ARGUMENT;
    pv_world_def def = pv_world_def_default();
    pv_world *world = pv_world_create(&def, &status);
    pv_body_def body = pv_body_def_default();
    body.position.x = 1;
    pv_body_id none = pv_body_create(world, &body, &status);
    bool refused = !pv_body_is_valid(world, none) && status != PV_OK && pv_status_to_string(status) != nullptr;
    pv_world_destroy(world);
    return refused ? 0 : 1;
}
