/* rollback.c - two players over ENet, each with a world of its own. Each guesses what the other
 * presses, and rolls back when the guess was wrong. docs/ROLLBACK.md explains it.
 * SPDX-License-Identifier: Zlib
 *
 * Both run in one process, as two hosts on 127.0.0.1 that are served in turn. The packets are real,
 * the order of events is the same in every run, and a debugger sees both ends. Neither reads the
 * other's memory. Time is virtual: a tick is a frame. */
#include <enet/enet.h>
#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AHEAD = 8 }; /* frames that may rest on guesses: no rollback is deeper */
enum {
    SENT = 2 * AHEAD
}; /* inputs in each packet, so that the next one brings what was lost; post() says why so many */
enum { EVERY = 60 };                            /* frames from one comparison to the next */
enum { LETTERS = 256 };                         /* packets that may be in flight */
enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8 }; /* keys: bits of an input */

/* All that a rollback restores: the world, and the game's own state. */
typedef struct snapshot {
    unsigned char *bytes;
    size_t size, capacity;
    int crashes;
} snapshot;

/* Data of a packet, with numbers in network byte order. */
typedef struct packet {
    uint32_t end, check, hash[2]; /* a frame, and another one with the hash before it */
    uint8_t inputs[SENT];         /* of the frames before end, the last one first */
} packet;

typedef struct player {
    int number; /* 0 or 1: index of the own ship */
    ENetHost *host;
    ENetPeer *peer;
    pv_world *world;
    pv_body_id ships[2];
    int crashes;          /* of ships: the game's own state */
    int now;              /* the frame that is stepped next */
    int known;            /* the last frame whose input has come from the other; -1: none */
    uint8_t *inputs[2];   /* by ship and frame; the other's after known are guesses */
    snapshot ring[AHEAD]; /* the state before frame f is at f % AHEAD */
    uint64_t *hashes;     /* of the state before a frame, by frame; only some are set */
    int told,
        compared; /* frames: of the other's latest hash, and of the last one that was compared */
    uint64_t told_hash;
    ENetPacket *letters[LETTERS]; /* packets in flight */
    double due[LETTERS];          /* times at which they are sent on [ms] */
    int letter_count, rollbacks, deepest, waits;
    bool differs;
} player;

static int seed = 1, frames = 600, loss = 20, delay = 75, desync = -1; /* the options */
static uint32_t dice;                                                  /* of the simulated line */

static void must(bool good, const char *what) {
    if (good) return;
    fprintf(stderr, "rollback: %s\n", what);
    exit(2);
}

static void *room(size_t count, size_t size) {
    void *items = calloc(count, size);
    must(items != NULL, "no memory");
    return items;
}

static uint32_t mix(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* ---- the game: all of it follows from the inputs ---- */

static pv_body_id put(pv_world *world, const char *path, pv_body_type type, double x, double y) {
    pv_body_def def = pv_body_def_default();
    def.mask = pv_mask_load(path, NULL, NULL);
    must(def.mask != NULL, path);
    def.type = type;
    def.position = PV_VEC2(x, y);
    def.restitution = 0.7;
    def.linear_damping = 0.2;
    pv_body_id body = pv_body_create(world, &def, NULL);
    pv_mask_release(def.mask); /* the body has its own reference */
    return body;
}

/* Creates a world. Both ends create the same bodies in the same order, so their results agree. */
static void make_world(player *p) {
    static const char *const loose[] = {"sprites/rock_medium.png", "sprites/rock_small.png",
                                        "sprites/ball.png", "sprites/gear_small.png"};
    pv_world_def def = pv_world_def_default();
    def.gravity = (pv_vec2){0, 0};
    must((p->world = pv_world_create(&def, NULL)) != NULL, "no memory");
    for (int side = 0; side < 2; side++) {
        put(p->world, "sprites/wall.png", PV_BODY_STATIC, side * 640, 240);
        put(p->world, "sprites/floor.png", PV_BODY_STATIC, 320, side * 480);
        p->ships[side] = put(p->world, "sprites/ship.png", PV_BODY_DYNAMIC, 160 + 320 * side, 240);
    }
    for (int i = 0; i < 16; i++)
        put(p->world, loose[i % 4], PV_BODY_DYNAMIC, 110 + 140 * (i % 4), 80 + 110 * (i / 4));
}

/* Returns what a player presses in a frame: at random, but for 12 frames, as people hold keys. */
static uint8_t pressed(int number, int frame) {
    return mix(mix((uint32_t)seed * 2 + (uint32_t)number) + (uint32_t)frame / 12) & 15;
}

static void push(player *p, int ship, int keys) {
    double force = 600 * pv_body_get_mass(p->world, p->ships[ship]);
    int x = !!(keys & RIGHT) - !!(keys & LEFT), y = !!(keys & DOWN) - !!(keys & UP);
    pv_body_apply_force(p->world, p->ships[ship], (pv_vec2){force * x, force * y});
}

static void count_crashes(player *p) {
    pv_events events = pv_world_get_events(p->world);
    for (int i = 0; i < events.hit_count; i++)
        for (int ship = 0; ship < 2; ship++)
            p->crashes += events.hits[i].a.index == p->ships[ship].index ||
                          events.hits[i].b.index == p->ships[ship].index;
}

/* ---- rollback ---- */

static void save(player *p) {
    snapshot *s = &p->ring[p->now % AHEAD];
    pv_status status;
    while ((status = pv_world_save(p->world, 0, s->bytes, s->capacity, &s->size)) ==
           PV_ERROR_TOO_LARGE) {
        free(s->bytes);
        s->bytes = room(s->capacity = s->size + s->size / 4, 1);
    }
    must(status == PV_OK, pv_status_to_string(status));
    s->crashes = p->crashes;
}

/* Steps a frame, for the first time or again. Where its input is unknown, the other player is
 * assumed to press what it pressed last. */
static void step(player *p) {
    uint8_t *other = p->inputs[!p->number];
    if (p->now > p->known) other[p->now] = p->known < 0 ? 0 : other[p->known];
    save(p);
    for (int ship = 0; ship < 2; ship++) push(p, ship, p->inputs[ship][p->now]);
    if (p->now == desync) push(p, p->number, RIGHT); /* a fault: the two worlds differ */
    pv_world_step(p->world, 1.0 / 60);
    count_crashes(p);
    p->now++;
    if (p->now % EVERY == 0 || p->now == frames) /* the last one written is right */
        p->hashes[p->now] =
            pv_world_compute_hash(p->world) + (uint64_t)p->crashes * 0x9e3779b97f4a7c15u;
}

/* Goes back to before a frame with a wrong guess, and steps from there to the present again. */
static void roll_back(player *p, int frame) {
    const snapshot *s = &p->ring[frame % AHEAD];
    int until = p->now;
    must(pv_world_restore(p->world, s->bytes, s->size) == PV_OK, "a snapshot is refused");
    p->crashes = s->crashes;
    p->now = frame;
    while (p->now < until) step(p);
    if (until - frame > p->deepest) p->deepest = until - frame;
    p->rollbacks++;
}

/* Returns the latest frame before which nothing is guessed. */
static int confirmed(const player *p) { return p->now <= p->known ? p->now : p->known + 1; }

static void advance(player *p) {
    bool waits = p->now - p->known > AHEAD; /* what has left the ring cannot be restored */
    p->waits += waits && p->now < frames;
    if (waits || p->now == frames) return;
    p->inputs[p->number][p->now] = pressed(p->number, p->now);
    step(p);
}

/* ---- the line ---- */

/* Sends the latest inputs in every tick, as any packet may be lost, and the latest hash without a
 * guess. We are at most AHEAD frames past the other's known input. The other is at most AHEAD past
 * ours. So it lacks at most 2 * AHEAD of our inputs. */
static void post(player *p, double time) {
    int check = confirmed(p) == frames ? frames : confirmed(p) - confirmed(p) % EVERY;
    uint64_t hash = p->hashes[check];
    packet sent = {
        ENET_HOST_TO_NET_32((uint32_t)p->now),
        ENET_HOST_TO_NET_32((uint32_t)check),
        {ENET_HOST_TO_NET_32((uint32_t)(hash >> 32)), ENET_HOST_TO_NET_32((uint32_t)hash)},
        {0}};
    for (int i = 0; i < SENT && i < p->now; i++)
        sent.inputs[i] = p->inputs[p->number][p->now - 1 - i];
    dice = mix(dice + 0x9e3779b9u);
    if (dice % 100 < (uint32_t)loss) return;
    must(p->letter_count < LETTERS, "too much is under way");
    p->due[p->letter_count] =
        time + delay * (0.4 + 1.2 * (dice >> 16) / 65536); /* so packets overtake each other; */
    p->letters[p->letter_count++] = /* unsequenced, since late ones are still useful */
        enet_packet_create(&sent, sizeof sent, ENET_PACKET_FLAG_UNSEQUENCED);
}

static void deliver(player *p, double time) {
    for (int i = p->letter_count - 1; i >= 0; i--) {
        if (p->due[i] > time) continue;
        if (enet_peer_send(p->peer, 0, p->letters[i]) != 0) enet_packet_destroy(p->letters[i]);
        p->letters[i] = p->letters[--p->letter_count];
        p->due[i] = p->due[p->letter_count];
    }
    enet_host_flush(p->host);
}

/* Reads a packet, and returns the smaller of `wrong` and the first frame with a wrong guess.
 * Whatever the packet holds, it stays inside the arrays. */
static int read_packet(player *p, const ENetPacket *from, int wrong) {
    packet got;
    if (from->dataLength != sizeof got) return wrong;
    memcpy(&got, from->data, sizeof got);
    uint32_t end = ENET_NET_TO_HOST_32(got.end), check = ENET_NET_TO_HOST_32(got.check);
    if (end > (uint32_t)frames || end > (uint32_t)p->known + 1 + SENT || check > end) return wrong;
    for (int f = p->known + 1; f < (int)end; f++) {
        uint8_t *guess = &p->inputs[!p->number][f], real = got.inputs[(int)end - 1 - f];
        if (f < p->now && f < wrong && *guess != real) wrong = f;
        *guess = real;
        p->known = f;
    }
    if ((int)check <= p->told) return wrong;
    p->told = (int)check;
    p->told_hash =
        (uint64_t)ENET_NET_TO_HOST_32(got.hash[0]) << 32 | ENET_NET_TO_HOST_32(got.hash[1]);
    return wrong;
}

/* Reads all packets that have come, with at most one rollback. */
static void receive(player *p) {
    ENetEvent event;
    int wrong = frames;
    while (enet_host_service(p->host, &event, 0) > 0) {
        if (event.type != ENET_EVENT_TYPE_RECEIVE) continue;
        wrong = read_packet(p, event.packet, wrong);
        enet_packet_destroy(event.packet);
    }
    if (wrong < p->now) roll_back(p, wrong);
    if (p->told <= p->compared || p->told > confirmed(p)) return;
    p->compared = p->told;
    p->differs |= p->hashes[p->told] != p->told_hash;
}

/* ---- both ---- */

static void open_player(player *p, int number, const ENetAddress *address) {
    p->number = number;
    p->known = -1;
    must((p->host = enet_host_create(address, 1, 1, 0, 0)) != NULL, "no socket on 127.0.0.1");
    for (int i = 0; i < 2; i++) p->inputs[i] = room((size_t)frames, 1);
    for (int i = 0; i < AHEAD; i++) p->ring[i].bytes = room(p->ring[i].capacity = 4096, 1);
    p->hashes = room((size_t)frames + 1, sizeof *p->hashes);
    make_world(p);
}

static void join(player *a, player *b) {
    ENetAddress address = {.port = ENET_PORT_ANY};
    enet_address_set_host_ip(&address, "127.0.0.1");
    open_player(a, 0, &address);
    open_player(b, 1, &address);
    enet_socket_get_address(a->host->socket, &address); /* the port that it got */
    must((b->peer = enet_host_connect(b->host, &address, 1, 0)) != NULL, "no peer");
    ENetEvent event;
    for (int i = 0; i < 5000 && !a->peer; i++) { /* b is connected before a is */
        enet_host_service(b->host, &event, 1);
        if (enet_host_service(a->host, &event, 1) > 0) a->peer = event.peer;
    }
    must(a->peer != NULL, "they do not find each other");
    /* ENet would drop packets when it finds the link slow; here only the simulated line may */
    enet_peer_throttle_configure(a->peer, 5000, ENET_PEER_PACKET_THROTTLE_SCALE, 0);
    enet_peer_throttle_configure(b->peer, 5000, ENET_PEER_PACKET_THROTTLE_SCALE, 0);
}

static void close_player(player *p) {
    for (int i = 0; i < p->letter_count; i++) enet_packet_destroy(p->letters[i]);
    for (int i = 0; i < AHEAD; i++) free(p->ring[i].bytes);
    for (int i = 0; i < 2; i++) free(p->inputs[i]);
    free(p->hashes);
    enet_host_destroy(p->host);
    pv_world_destroy(p->world);
}

static void read_options(int argc, char **argv) {
    static const struct {
        const char *name;
        int *value, low, high;
    } options[] = {{"--seed", &seed, 0, 1 << 30},
                   {"--frames", &frames, 1, 1000000},
                   {"--loss", &loss, 0, 90},     /* percent */
                   {"--delay", &delay, 0, 1000}, /* ms; times 0.4 to 1.6 */
                   {"--desync", &desync, 0,
                    1 << 30}}; /* a frame in which the worlds diverge, to test that it is found */
    for (int i = 1; i < argc; i += 2) {
        size_t k = 0;
        while (k < 5 && strcmp(argv[i], options[k].name) != 0) k++;
        long number = k < 5 && i + 1 < argc ? strtol(argv[i + 1], NULL, 10) : -1;
        must(k < 5 && number >= options[k].low && number <= options[k].high, argv[i]);
        *options[k].value = (int)number;
    }
}

int main(int argc, char **argv) {
    static player players[2];
    player *a = &players[0], *b = &players[1];
    read_options(argc, argv);
    must(enet_initialize() == 0, "no ENet");
    dice = mix((uint32_t)seed);
    join(a, b);
    for (int tick = 0; a->compared < frames || b->compared < frames; tick++) {
        must(tick < 100 * frames + 10000, "nothing comes through");
        for (player *p = a; p <= b; p++) {
            receive(p);
            advance(p);
            post(p, tick * 1000.0 / 60);
            deliver(p, tick * 1000.0 / 60);
        }
    }
    bool same = !a->differs && !b->differs && a->hashes[frames] == b->hashes[frames];
    printf("%d frames, %d rollbacks, %d deep at most, %d waits, %d crashes, %zu bytes a snapshot, "
           "hashes %016llx "
           "%016llx: %s\n",
           frames, a->rollbacks + b->rollbacks, a->deepest > b->deepest ? a->deepest : b->deepest,
           a->waits + b->waits, a->crashes, a->ring[0].size, (unsigned long long)a->hashes[frames],
           (unsigned long long)b->hashes[frames], same ? "same" : "DIFFERENT");
    close_player(a);
    close_player(b);
    enet_deinitialize();
    return !same;
}
