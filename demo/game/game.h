/* game.h - Rubble: a ship among rocks that lose every pixel that is shot out of them. These are the
 * rules, without window and sound.
 *
 * Invariant: all events follow from the stage's random numbers and the keys of each step. The
 * library alone finds contacts and breaks.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef GAME_H
#define GAME_H

#include "game/effects.h"

/// Size of the view; canvases of this size show it pixel by pixel
enum { GAME_WIDTH = 512, GAME_HEIGHT = 288 };

enum game_phase {
    /// Endless play of the autopilot
    GAME_ATTRACT,
    GAME_PLAY,
    /// End, after the loss of the last ship
    GAME_OVER
};

/// Bits of the ship's controls
enum game_key { GAME_LEFT = 1, GAME_RIGHT = 2, GAME_THRUST = 4, GAME_FIRE = 8, GAME_TOOL = 16 };

/// Bits of the events in a step
enum game_event {
    GAME_FIRED = 1,
    /// A dart removed pixels of a rock
    GAME_BIT = 2,
    /// A rock broke in two
    GAME_BROKE = 4,
    /// Impact of two rocks, or a light one of the ship
    GAME_BUMPED = 8,
    /// Hard impact of the ship, which loses pixels
    GAME_STRUCK = 16,
    /// Loss of the ship
    GAME_LOST = 32,
    /// Arrival of new rocks
    GAME_WAVE = 64,
    /// Gain of a ship
    GAME_LIFE = 128,
    /// Rescue of the pilot
    GAME_RESCUED = 256,
    /// A rock went to its last pixels
    GAME_CRUMBLED = 512,
    /// A miss broke a chain that was worth something
    GAME_UNCHAINED = 1024,
    /// The gun is too hot to fire
    GAME_OVERHEATED = 2048,
    /// A crystal came free, was caught by the ship, or was shot to pieces
    GAME_FREED = 4096,
    GAME_CAUGHT = 8192,
    GAME_SHATTERED = 16384,
    /// The ship caught ore
    GAME_PATCHED = 32768,
    /// Tools to choose from, and the choice
    GAME_OFFERED = 65536,
    GAME_CHOSEN = 131072,
    GAME_LASERED = 262144,
    GAME_EXPLODED = 524288,
    /// A bolt of a foe
    GAME_SHOT_AT = 1 << 20,
    /// Arrivals of foes, the loss of a turret, and the end of the hulk
    GAME_SAUCER = 1 << 21,
    GAME_HULK = 1 << 22,
    GAME_TURRET = 1 << 23,
    GAME_HULK_BROKE = 1 << 24,
    /// Points to show where they were made
    GAME_REWARDED = 1 << 25
};

/// Tool beside the gun
enum game_tool { GAME_BARE, GAME_LASER, GAME_BOMB, GAME_DRILL, GAME_TETHER, GAME_TOOLS };
/// Number of tools to choose from, and time for it [frames]
enum { GAME_OFFERS = 3, GAME_CHOICE_TIME = 480 };
/// Frames without fire that a choice waits for, so that a shot takes no tool
enum { GAME_CALM = 24 };

enum {
    GAME_SHIPS = 3,
    GAME_DARTS = 16,
    GAME_ROCK_KINDS = 12,
    GAME_FUSES = 96,
    GAME_TURRETS = 6,
    GAME_LETTERS = 5,
    /// Frames for which the title of rocks is mostly there; the autopilot spares it for half of them
    GAME_TITLE_TIME = 480,
    /// Number of waves from hulk to hulk
    GAME_HULK_WAVES = 4,
    /// Rocks of fewer pixels fall apart by themselves
    GAME_SLIVER = 300,
    /// Rocks of fewer pixels do so, too, when no larger one is left
    GAME_SMALL = 700,
    /// Number of hits in a row for each further factor of the points, and the greatest factor
    GAME_LINKS = 4,
    GAME_MOST_FACTOR = 8
};

struct game {
    enum game_phase phase;
    /// Keys that the player holds, and those that he has held in this play, bits of enum game_key
    unsigned keys, tried;
    /// Keys of the last step
    unsigned last_keys;
    /// True if a visitor flies in place of the autopilot
    bool flown;
    /// Events of the last step
    unsigned events;
    int frame;
    /// Score, and the score that brought the last additional ship
    int score, best_life;
    /// Hits in a row, and points of the last split
    int chain, reward;
    int wave, ships;
    /// Frames until the next rocks or the next ship
    int pause;
    /// Ship and pilot; a null or invalid id: none
    pv_body_id ship, pilot;
    /// Frames for which the ship passes through everything
    int safe;
    /// Frames until the next dart, and frames for which the pilot stays
    int reload, drift;
    /// Heat of the gun, 0...1; true from 1 on until it has cooled down
    double heat;
    bool jammed;
    /// True while the engine burns
    bool burns;
    /// Frames for which a struck ship takes no further harm
    int stunned;
    enum game_tool tool, offers[GAME_OFFERS];
    /// Offer that is marked, and frames that are left for the choice; 0: none
    int choice, choosing;
    /// Frames without fire in this choice, at most GAME_CALM
    int calm;
    /// Wave after which there was the last choice
    int offered;
    /// Remaining frames of the laser's light, of the drill, and of the tether
    int beam, drilling, tethered;
    pv_vec2 beam_from;
    pv_rotation beam_way;
    pv_body_id bomb;
    int bomb_fuse;
    pv_joint_id tether;
    /// Foes; a null or invalid id: none
    pv_body_id saucer, hulk;
    /// Direction of the saucer along x, and frames without one
    double saucer_way;
    int saucer_wait;
    bool turrets[GAME_TURRETS];
    /// Pixels of ore that will patch the ship; crystals caught; uses of the tool that are left
    int ore, gems, charges;
    /// Places of the last event and of the last reward [px]
    pv_vec2 heard, rewarded;
    struct game_dart {
        pv_body_id body;
        /// Remaining frames
        int left;
    } darts[GAME_DARTS];
    /// Rocks that fall apart and finds that vanish, and the frames until they do
    struct game_fuse {
        pv_body_id body;
        int left;
    } fuses[GAME_FUSES];
    /// Darts fired and darts that hit; frames with rocks, and those with small rocks alone
    int fired, hits, rock_frames, small_frames;
    /// Null after a failure
    const struct sprite *rocks[GAME_ROCK_KINDS], *letters[GAME_LETTERS], *scout, *dart, *astronaut,
        *nugget, *bomb_sprite, *saucer_sprite, *hulk_sprite, *bolt_sprite;
    struct effects effects;
};

/* A scene's hooks */

void game_setup(struct stage *stage);
void game_update(struct stage *stage);

/// Returns the game of a stage.
/// @return null after a failure
struct game *game_of(struct stage *stage);

/// Begins a play, and clears the last one.
void game_begin(struct stage *stage, enum game_phase phase);

/// Returns the place in the view of a place beyond its edges.
pv_vec2 space_seen(pv_vec2 at);

/// Returns the factor of points that the chain of hits has reached.
int game_factor(const struct game *game);

/// Returns the part of the ship's pixels that is left, 0...1.
double hull_left(const struct stage *stage, const struct game *game);

/// Returns the number of turrets that the hulk has left; 0 without a hulk.
int hulk_turrets(const struct stage *stage, const struct game *game);

/// Returns the keys of the autopilot.
unsigned game_autopilot(const struct stage *stage, const struct game *game);

/// Creates a rock.
/// @param sprite any sprite; with a ring the ship flies through its hole
pv_body_id game_add_rock(struct stage *stage, const struct sprite *sprite, pv_vec2 at, double angle,
                         pv_vec2 velocity, double spin);

#endif
