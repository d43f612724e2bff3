/* viewer.h - the scene viewer without its window: what is played, how time goes, and what the
 * player can do.
 *
 * Invariant: there is always a stage, and nothing here knows SDL.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef VIEWER_H
#define VIEWER_H

#include "hand.h"
#include "inspect.h"
#include "meter.h"
#include "record.h"
#include "scene.h"
#include "tuning.h"
#include "view.h"

/// Files of the player's that come back at every start of a scene.
#define VIEWER_MAX_FILES 64

struct viewer {
    const struct scene *scene;
    uint64_t seed;
    struct stage *stage;
    struct motion motion;
    char *files[VIEWER_MAX_FILES];
    int file_count;

    /// Of the canvas [px]
    int width, height;
    struct camera camera;
    /// There is a canvas, and a player who sees it
    bool shown;
    /// The camera shows the scene's whole view, whatever the size of the canvas
    bool fitted;
    /// What the zoom eases to
    double zoom_wanted;
    /// The point of the canvas that stays where it is
    pv_vec2 zoom_about;

    pv_clock clock;
    bool paused, slow;
    /// As of struct view
    unsigned overlays;
    struct tuning tuning;
    struct meter meter;
    struct record record;
    /// Until files are looked at again [s]
    double reload_left;

    struct hand hand;
    /// On the canvas [px]
    pv_vec2 cursor;
    /// Of enum stage_arrow, those that are held
    unsigned arrows;
    /// The scene has taken the mouse, until it is released
    bool taken;
    /// The right button is held where it digs
    bool digging;
    /// As far as it has dug, in the world [px]
    pv_vec2 dug;

    /// What the player wants to know about, or the null name
    pv_body_id picked;
    /// Of what is picked
    struct inspect_shape shape;
    /// Until it is measured again [s]
    double measure_left;

    /// What the player should know
    char message[160];
    /// How much longer [s]
    double message_left;
};

/// Starts a scene.
/// @return exit status, after a complaint when it is not EXIT_SUCCESS; give the viewer to
/// viewer_close() either way
int viewer_open(struct viewer *viewer, const struct scene *scene, uint64_t seed, char *const *files,
                int file_count);

/// Frees all.
void viewer_close(struct viewer *viewer);

/// Tells the size of the canvas [px].
void viewer_resize(struct viewer *viewer, int width, int height);

/// Lets time pass [s].
void viewer_advance(struct viewer *viewer, double elapsed);

/// Paints the whole canvas.
void viewer_draw(const struct viewer *viewer, const pv_canvas *canvas);

/* What the player can do. Points are on the canvas [px]. */

void viewer_restart(struct viewer *viewer);
/// Goes to a scene, as it was made: nothing is tuned.
void viewer_start(struct viewer *viewer, const struct scene *scene);
/// Tunes a number of the scene. Substeps start it again.
void viewer_tune(struct viewer *viewer, enum tuning_knob knob, double value);
/// Starts the scene again as it was made.
void viewer_untune(struct viewer *viewer);
/// Shows the usual overlays, or none if there are any.
void viewer_toggle_overlays(struct viewer *viewer);
/// Begins to record, or ends what is being recorded.
void viewer_record(struct viewer *viewer, enum record_kind kind);
/// Records what was drawn last; to be called after each viewer_draw().
void viewer_show(struct viewer *viewer, const pv_canvas *canvas);
/// Goes to the scene that many places further in the list, round and round.
void viewer_change_scene(struct viewer *viewer, int places);
/// Pauses and does one step.
void viewer_single_step(struct viewer *viewer);
/// Puts a random thing under the cursor.
void viewer_spawn(struct viewer *viewer);
/// Puts a PNG file as a body at a point, and at every restart again.
void viewer_add_file(struct viewer *viewer, const char *path, pv_vec2 point);
/// The left button goes down: for the scene, or to seize what is under the cursor. Either way a
/// body there is picked.
void viewer_seize(struct viewer *viewer);
void viewer_release(struct viewer *viewer);
/// The right button goes down: it digs where the scene can be dug in.
void viewer_dig(struct viewer *viewer);
void viewer_stop_digging(struct viewer *viewer);
/// Multiplies the zoom, keeping the point under the cursor.
void viewer_zoom(struct viewer *viewer, double factor);
void viewer_pan(struct viewer *viewer, pv_vec2 by);
/// Shows the whole view again.
void viewer_fit(struct viewer *viewer);
/// Tells the player something for a while; printf's format.
void viewer_say(struct viewer *viewer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
