/* game.h - Rubble: a ship among rocks that lose each pixel shot out of them. These are the rules,
 * without window and sound.
 *
 * Invariant: all events follow from the stage's random numbers and the keys of each step. Only the
 * library finds contacts and splits bodies.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef GAME_H
#define GAME_H

#include "game/effects.h"

/// Size of the view [px]; a canvas of this size shows it 1:1
enum { GAME_WIDTH = 512, GAME_HEIGHT = 288 };

enum game_phase {
    /// Endless play of the autopilot
    GAME_ATTRACT,
    GAME_PLAY,
    /// End, after the last ship is lost
    GAME_OVER
};

/// Bits of the ship's controls
enum game_key { GAME_LEFT = 1, GAME_RIGHT = 2, GAME_THRUST = 4, GAME_FIRE = 8, GAME_TOOL = 16 };

/// Bits of the events in a step
enum game_event {
    GAME_FIRED = 1,
    /// A dart or the drill removed pixels
    GAME_BIT = 2,
    /// A rock split
    GAME_BROKE = 4,
    /// Collision of two rocks, or a light hit on the ship
    GAME_BUMPED = 8,
    /// Hard hit on the ship, which loses pixels
    GAME_STRUCK = 16,
    /// Loss of the ship
    GAME_LOST = 32,
    /// Arrival of a new wave of rocks
    GAME_WAVE = 64,
    /// Additional ship won
    GAME_LIFE = 128,
    /// Rescue of the pilot
    GAME_RESCUED = 256,
    /// The last pixels of a rock crumbled
    GAME_CRUMBLED = 512,
    /// A miss ended a chain of hits that multiplied points
    GAME_UNCHAINED = 1024,
    /// The gun is too hot to fire
    GAME_OVERHEATED = 2048,
    /// A crystal came free, was caught by the ship, or was shot to pieces
    GAME_FREED = 4096,
    GAME_CAUGHT = 8192,
    GAME_SHATTERED = 16384,
    /// The ship caught ore
    GAME_PATCHED = 32768,
    /// Tools were offered, or one was chosen
    GAME_OFFERED = 65536,
    GAME_CHOSEN = 131072,
    GAME_LASERED = 262144,
    GAME_EXPLODED = 524288,
    /// A foe fired a bolt
    GAME_SHOT_AT = 1 << 20,
    /// Arrivals of foes, loss of a turret, and end of the hulk
    GAME_SAUCER = 1 << 21,
    GAME_HULK = 1 << 22,
    GAME_TURRET = 1 << 23,
    GAME_HULK_BROKE = 1 << 24,
    /// Points to show at the place where they were won
    GAME_REWARDED = 1 << 25
};

/// Tool in addition to the gun
enum game_tool { GAME_BARE, GAME_LASER, GAME_BOMB, GAME_DRILL, GAME_TETHER, GAME_TOOLS };
/// Number of tools offered, and time to choose one [frames]
enum { GAME_OFFERS = 3, GAME_CHOICE_TIME = 480 };
/// Frames without fire before a tool can be taken, so that a late shot takes none
enum { GAME_CALM = 24 };

enum {
    GAME_SHIPS = 3,
    GAME_DARTS = 16,
    GAME_ROCK_KINDS = 12,
    GAME_FUSES = 96,
    GAME_TURRETS = 6,
    GAME_LETTERS = 5,
    /// Frames for which the first rocks count as the title; the autopilot spares them for half
    GAME_TITLE_TIME = 480,
    /// Waves from one hulk to the next
    GAME_HULK_WAVES = 4,
    /// Rocks of fewer pixels fall apart by themselves
    GAME_SLIVER = 300,
    /// Rocks of fewer pixels do so when no larger one is left
    GAME_SMALL = 700,
    /// Hits in a row that raise the factor of points by 1, and the greatest factor
    GAME_LINKS = 4,
    GAME_MOST_FACTOR = 8
};

struct game {
    enum game_phase phase;
    /// Keys held now, and keys held at any time in this play; bits of enum game_key
    unsigned keys, tried;
    /// Keys of the last step
    unsigned last_keys;
    /// True once the viewer's arrows fly the ship in place of the autopilot
    bool flown;
    /// Events of the last step
    unsigned events;
    int frame;
    /// Score, and the threshold that brought the last additional ship
    int score, best_life;
    /// Hits in a row, and points of the last GAME_REWARDED
    int chain, reward;
    int wave, ships;
    /// Frames until the next rocks or the next ship
    int pause;
    /// Ship and pilot; a null or invalid id: none
    pv_body_id ship, pilot;
    /// Remaining frames in which the ship passes through everything
    int safe;
    /// Frames until the next dart, and frames until the pilot is gone
    int reload, drift;
    /// Heat of the gun, 0...1; at 1 it jams until it has cooled down
    double heat;
    bool jammed;
    /// True while the engine burns
    bool burns;
    /// Remaining frames in which a struck ship takes no further damage
    int stunned;
    enum game_tool tool, offers[GAME_OFFERS];
    /// Marked offer, and remaining frames of the choice; 0: no choice
    int choice, choosing;
    /// Frames without fire in this choice, at most GAME_CALM
    int calm;
    /// Wave after which tools were last offered
    int offered;
    /// Remaining frames of the laser beam, the drill and the tether
    int beam, drilling, tethered;
    pv_vec2 beam_from;
    pv_rotation beam_way;
    pv_body_id bomb;
    int bomb_fuse;
    pv_joint_id tether;
    /// Foes; a null or invalid id: none
    pv_body_id saucer, hulk;
    /// Direction of the saucer along x, 1 or -1, and frames waited for the next one
    double saucer_way;
    int saucer_wait;
    bool turrets[GAME_TURRETS];
    /// Pixels of ore that will patch the ship, crystals caught, and remaining uses of the tool
    int ore, gems, charges;
    /// Places of the last event and of the last reward [px]
    pv_vec2 heard, rewarded;
    struct game_dart {
        pv_body_id body;
        /// Remaining frames
        int left;
    } darts[GAME_DARTS];
    /// Rocks that will crumble and other bodies that will vanish, and the frames until then
    struct game_fuse {
        pv_body_id body;
        int left;
    } fuses[GAME_FUSES];
    /// Darts fired, darts that hit, frames with rocks, and frames with only small rocks
    int fired, hits, rock_frames, small_frames;
    /// Sprites; null after a failure
    const struct sprite *rocks[GAME_ROCK_KINDS], *letters[GAME_LETTERS], *scout, *dart, *astronaut,
        *nugget, *bomb_sprite, *saucer_sprite, *hulk_sprite, *bolt_sprite;
    struct effects effects;
};

/* Setup and update of the scene */

void game_setup(struct stage *stage);
void game_update(struct stage *stage);

/// Returns the game of a stage.
/// @return null after a failure
struct game *game_of(struct stage *stage);

/// Clears the last play, and begins a new one.
void game_begin(struct stage *stage, enum game_phase phase);

/// Wraps a place beyond the edges into the view.
pv_vec2 space_seen(pv_vec2 at);

/// Returns the factor by which the current chain of hits multiplies points.
int game_factor(const struct game *game);

/// Returns the share of the ship's pixels that is left, 0...1.
double hull_left(const struct stage *stage, const struct game *game);

/// Returns the number of turrets that the hulk has left; 0 without a hulk.
int hulk_turrets(const struct stage *stage, const struct game *game);

/// Returns the keys of the autopilot.
unsigned game_autopilot(const struct stage *stage, const struct game *game);

/// Creates a rock.
/// @param sprite any sprite; the ship can fly through the hole of a ring
pv_body_id game_add_rock(struct stage *stage, const struct sprite *sprite, pv_vec2 at, double angle,
                         pv_vec2 velocity, double spin);

#endif
