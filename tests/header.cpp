/* header.cpp - pixverlet.h in a C++ program: it compiles, and its names link as C's.
 * SPDX-License-Identifier: Zlib
 */
#include <pixverlet.h>

int main() {
    pv_error error{};
    pv_world_def def = pv_world_def_default();
    pv_world *world = pv_world_create(&def, &error);
    pv_body_def body = pv_body_def_default();
    body.position.x = 1;
    pv_body_id none = pv_body_create(world, &body, &error);
    bool refused = !pv_body_is_valid(world, none) && error.status != PV_OK && error.message[0];
    pv_world_destroy(world);
    return refused ? 0 : 1;
}
