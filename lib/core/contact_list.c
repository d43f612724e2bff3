/* contact_list.c - the contacts of each body, as linked lists.
 *
 * Invariant: between steps every manifold that touches, also a sleeping one, is in the lists of
 * both bodies. Lists have no order, and are not saved. A link is 2 * index + 1 for a contact's
 * first body, 2 * index + 2 for its second one. Contacts of pixels are found anew in each substep,
 * so their lists are built at the end of a step.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/contact_list.h"

static pv__contact_links *links_of(const pv_world *world, int link) {
    int index = pv__contact_list_index(link);
    return world->def.contact_mode == PV_CONTACT_MODE_PIXELS ? &world->bitmaps.contacts[index].links
                                                             : &world->manifolds.items[index].links;
}

static int side_of(int link) { return (link - 1) & 1; }

int pv__contact_list_next(const pv_world *world, int link) {
    return links_of(world, link)->next[side_of(link)];
}

/// Puts a link at the beginning of a body's list.
static void push(pv_world *world, int link, int body) {
    pv__contact_links *links = links_of(world, link);
    int *first = &world->bodies.items[body].first_contact, side = side_of(link);
    if (*first) links_of(world, *first)->previous[side_of(*first)] = link;
    links->next[side] = *first;
    links->previous[side] = 0;
    *first = link;
}

static void pull(pv_world *world, int link, int body) {
    const pv__contact_links *links = links_of(world, link);
    int next = links->next[side_of(link)], previous = links->previous[side_of(link)];
    if (next) links_of(world, next)->previous[side_of(next)] = previous;
    if (previous)
        links_of(world, previous)->next[side_of(previous)] = next;
    else
        world->bodies.items[body].first_contact = next;
}

void pv__contact_list_add(pv_world *world, pv__manifold *m) {
    int link = 2 * (int)(m - world->manifolds.items) + 1;
    push(world, link, m->a);
    push(world, link + 1, m->b);
}

void pv__contact_list_remove(pv_world *world, pv__manifold *m) {
    int link = 2 * (int)(m - world->manifolds.items) + 1;
    pull(world, link, m->a);
    pull(world, link + 1, m->b);
}

void pv__contact_list_fill(pv_world *world) {
    for (int i = 0; i < world->bodies.count; i++) world->bodies.items[i].first_contact = 0;
    bool pixels = world->def.contact_mode == PV_CONTACT_MODE_PIXELS;
    for (int i = 0; pixels && i < world->bitmaps.contact_count; i++) {
        push(world, 2 * i + 1, world->bitmaps.contacts[i].a);
        push(world, 2 * i + 2, world->bitmaps.contacts[i].b);
    }
    for (int i = 0; !pixels && i < world->manifolds.count; i++) {
        pv__manifold *m = &world->manifolds.items[i];
        if (m->a >= 0 && m->touches) pv__contact_list_add(world, m);
    }
}
