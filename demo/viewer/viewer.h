/* viewer.h - the scene viewer without its window: scene, time, and the player's actions.
 *
 * Invariant: there is always a stage, and this file knows no SDL.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef VIEWER_H
#define VIEWER_H

#include "draw/view.h"
#include "stage/scene.h"
#include "stage/tuning.h"
#include "viewer/hand.h"
#include "viewer/inspect.h"
#include "viewer/meter.h"
#include "viewer/rewind.h"

/// Greatest number of the player's files, which come back at every start of a scene
#define VIEWER_MAX_FILES 64
/// Greatest number of threads that the player can choose
#define VIEWER_MAX_WORKERS 16

struct viewer {
    const struct scene *scene;
    uint64_t seed;
    struct stage *stage;
    struct motion motion;
    char *files[VIEWER_MAX_FILES];
    int file_count;

    /// Size of the canvas [px]
    int width, height;
    struct camera camera;
    /// True if there is a canvas, and a player who sees it
    bool shown;
    /// True if the camera shows the scene's whole view at any size of the canvas
    bool fitted;
    /// True if that view may have a zoom that is not whole
    bool filled;
    /// Zoom that the camera approaches gradually
    double zoom_wanted;
    /// Point of the canvas that stays in place while the zoom changes
    pv_vec2 zoom_about;

    pv_clock clock;
    bool paused, slow;
    struct rewind rewind;
    /// Moment to which the player went back; -1: the present
    int moment;
    /// Overlays as in struct view
    unsigned overlays;
    struct tuning tuning;
    struct meter meter;
    /// Number of threads that take part in steps
    int workers;
    /// True if the scenes have contacts by pixels
    bool by_pixels;
    /// Time until the next check of files [s]
    double reload_left;

    struct hand hand;
    /// Place of the cursor on the canvas [px]
    pv_vec2 cursor;
    /// True while the cursor is over the canvas
    bool hovered;
    /// Held arrows, bits of enum stage_arrow
    unsigned arrows;
    /// True if the scene has the mouse, until its release
    bool taken;
    /// True while the left button moves the view
    bool panning;
    /// True while the right button bites
    bool biting;
    /// Last place of the bites, in the world [px]
    pv_vec2 bitten;

    /// Number of bodies that left the scene since the last message about it
    int left_count;

    /// Picked body, or the null id
    pv_body_id picked;
    /// Data of the picked body's pixels
    struct inspect_shape shape;
    /// Time until the next measurement [s]
    double measure_left;

    /// Message for the player
    char message[160];
    /// Remaining time of the message [s]
    double message_left;
};

/// Starts a scene.
/// @return exit status, after a complaint on a failure; give the viewer to viewer_close() either
/// way
int viewer_open(struct viewer *viewer, const struct scene *scene, uint64_t seed, char *const *files,
                int file_count);

/// Frees all memory of a viewer.
void viewer_close(struct viewer *viewer);

/// Sets the size of the canvas [px].
void viewer_resize(struct viewer *viewer, int width, int height);

/// Lets time pass [s].
void viewer_advance(struct viewer *viewer, double elapsed);

/// Paints the whole canvas.
void viewer_draw(const struct viewer *viewer, const pv_canvas *canvas);

/* Actions of the player. Points are on the canvas [px]. */

void viewer_restart(struct viewer *viewer);
/// Goes to a scene in its original state, without tuning.
void viewer_start(struct viewer *viewer, const struct scene *scene);
/// Tunes a number of the scene. A change of substeps restarts it.
void viewer_tune(struct viewer *viewer, enum tuning_knob knob, double value);
/// Restarts the scene without tuning.
void viewer_untune(struct viewer *viewer);
/// Restarts the scene with contacts by pixels, or with its own. Later scenes do the same.
void viewer_set_contacts(struct viewer *viewer, bool by_pixels);
/// Sets the number of threads that take part in steps, of this scene and of later ones.
/// @param workers as for stage_set_workers()
/// @return false with nothing changed, after a message
bool viewer_set_workers(struct viewer *viewer, int workers);
/// Doubles the number of threads that take part in steps; after the greatest number comes 1.
void viewer_change_workers(struct viewer *viewer);
/// Hides all overlays, or shows the usual ones if there are none.
void viewer_toggle_overlays(struct viewer *viewer);
/// Goes a number of places further in the list of scenes, which wraps around.
void viewer_change_scene(struct viewer *viewer, int places);
/// Pauses, and goes back to a moment of the last seconds, from 0: the oldest, to 1: the present.
void viewer_scrub(struct viewer *viewer, double part);
/// Returns the moment that is shown, as for viewer_scrub().
double viewer_scrubbed(const struct viewer *viewer);
/// Pauses and does one step.
void viewer_single_step(struct viewer *viewer);
/// Creates a random object under the cursor.
void viewer_spawn(struct viewer *viewer);
/// Creates a body from a PNG file at a point, and again at every restart.
void viewer_add_file(struct viewer *viewer, const char *path, pv_vec2 point);
/// Notes the cursor's place on the canvas; null: it has left the window.
void viewer_hover(struct viewer *viewer, const pv_vec2 *cursor);
/// Handles a press of the left button. It picks the body under the cursor, and goes to the scene or
/// grabs the object. In empty space it begins to move the view.
void viewer_seize(struct viewer *viewer);
void viewer_release(struct viewer *viewer);
/// Handles a press of the right button, which bites pixels out of bodies.
void viewer_bite(struct viewer *viewer);
void viewer_stop_biting(struct viewer *viewer);
/// Multiplies the zoom, and keeps the point under the cursor in place.
void viewer_zoom(struct viewer *viewer, double factor);
void viewer_pan(struct viewer *viewer, pv_vec2 by);
/// Shows the whole view again, at a whole zoom if it is enlarged and not filled.
void viewer_fit(struct viewer *viewer);
/// Shows the whole view again. If it is already shown, turns filling on or off.
void viewer_fill(struct viewer *viewer);
/// Shows a message for a while, with printf's format.
void viewer_say(struct viewer *viewer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
