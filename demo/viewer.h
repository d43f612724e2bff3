/* viewer.h - the scene viewer without its window: what is played, how time goes, and what the player can do.
 *
 * Invariant: there is always a stage, and nothing here knows SDL.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef VIEWER_H
#define VIEWER_H

#include "hand.h"
#include "scene.h"
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

    int width, height; ///< of the canvas [px]
    struct camera camera;
    bool shown;         ///< there is a canvas, and a player who sees it
    bool fitted;        ///< the camera shows the scene's whole view, whatever the size of the canvas
    double zoom_wanted; ///< what the zoom eases to
    pv_vec2 zoom_about; ///< the point of the canvas that stays where it is

    pv_clock clock;
    bool paused, slow, debug;
    double step_seconds; ///< length of a step on the player's machine, smoothed [s]

    struct hand hand;
    pv_vec2 cursor;  ///< on the canvas [px]
    unsigned arrows; ///< of enum stage_arrow, those that are held
    bool taken;      ///< the scene has taken the mouse, until it is released
    bool digging;    ///< the right button is held where it digs
    pv_vec2 dug;     ///< as far as it has dug, in the world [px]

    char message[160];   ///< what the player should know
    double message_left; ///< how much longer [s]
};

/// Starts a scene.
/// @return exit status, after a complaint when it is not EXIT_SUCCESS; give the game to viewer_close() either way
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
/// Goes to the scene that many places further in the list, round and round.
void viewer_change_scene(struct viewer *viewer, int places);
/// Pauses and does one step.
void viewer_single_step(struct viewer *viewer);
/// Puts a random thing under the cursor.
void viewer_spawn(struct viewer *viewer);
/// Puts a PNG file as a body at a point, and at every restart again.
void viewer_add_file(struct viewer *viewer, const char *path, pv_vec2 point);
/// The left button goes down: for the scene, or to seize what is under the cursor.
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
void viewer_say(struct viewer *viewer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
