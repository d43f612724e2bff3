/* panel.c - rows of widgets, from the top down.
 *
 * Invariant: every row is as wide as the panel within its margin.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/panel.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define GROUND 0x141a26ffu
#define RULE 0x2a3346ffu
#define HEADING 0x8fc1ffffu
#define INK 0xe8ecf4ffu
#define DIM 0x97a2b6ffu

enum { MARGIN = 8, HIGH = 18, LOW = 14, GAP = 4, ABOUT = 34, GRAPH = 32, NOTCH = 40 };

/// Time between changes of the text [s]
static const double period = .25;

int panel_width(const struct panel *panel) { return panel->wanted ? PANEL_WIDTH : 0; }

void panel_toggle(struct panel *panel) { panel->wanted = !panel->wanted; }

/* Events */

static bool is_over(const struct panel *panel, const SDL_Event *event, int width) {
    switch (event->type) {
    case SDL_MOUSEBUTTONDOWN: return event->button.x < width;
    case SDL_MOUSEBUTTONUP: return panel->holds;
    case SDL_MOUSEMOTION: return panel->holds || (event->motion.x < width && !event->motion.state);
    case SDL_MOUSEWHEEL: return panel->wanted && panel->widgets.mouse.x < PANEL_WIDTH;
    default: return false;
    }
}

/// Returns an event with its position in units.
static SDL_Event in_units(const SDL_Event *event, double scale) {
    SDL_Event copy = *event;
    if (event->type == SDL_MOUSEMOTION) {
        copy.motion.x = (int)(event->motion.x / scale);
        copy.motion.y = (int)(event->motion.y / scale);
    } else if (event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP) {
        copy.button.x = (int)(event->button.x / scale);
        copy.button.y = (int)(event->button.y / scale);
    }
    return copy;
}

bool panel_hear(struct panel *panel, const SDL_Event *event, int width, double scale) {
    bool mine = is_over(panel, event, width);
    SDL_Event copy = in_units(event, scale);
    if (event->type == SDL_MOUSEMOTION || mine) widgets_hear(&panel->widgets, &copy);
    if (event->type == SDL_MOUSEBUTTONDOWN) panel->holds = mine;
    if (event->type == SDL_MOUSEBUTTONUP) panel->holds = false;
    return mine;
}

/* Text */

static void write_times(struct panel *panel) {
    pv_world_stats stats = pv_world_get_stats(panel->viewer->stage->world);
    const struct meter *meter = &panel->viewer->meter;
    meter_get_stages(meter, panel->stages);
    for (int i = 0; i < METER_STAGES; i++)
        snprintf(panel->times[i], sizeof panel->times[i], "%.2f ms",
                 panel->stages[i].seconds * 1000);
    snprintf(panel->shared, sizeof panel->shared, "%.2f ms", meter->mean.shared * 1000);
    const struct stage *stage = panel->viewer->stage;
    pv_grains_stats grains = pv_grains_get_stats(stage->world, stage->grains);
    snprintf(panel->count, sizeof panel->count, "%d of %d bodies awake", stats.awake, stats.bodies);
    if (pv_grains_is_valid(stage->world, stage->grains))
        snprintf(panel->count, sizeof panel->count, "%d of %d awake, %d grains", stats.awake,
                 stats.bodies, grains.grains);
    snprintf(panel->longest, sizeof panel->longest, "longest %.2f ms", meter_longest(meter) * 1000);
}

void panel_advance(struct panel *panel, double elapsed) {
    const struct viewer *viewer = panel->viewer;
    panel->age -= elapsed;
    if (panel->age > 0) return;
    panel->age = period;
    write_times(panel);
    panel->line_count =
        inspect_describe(viewer->stage, viewer->picked, &viewer->shape, panel->lines);
}

/* Rows */

static SDL_Rect row(struct panel *panel, int height) {
    SDL_Rect rect = {MARGIN, panel->y - panel->top, PANEL_WIDTH - 2 * MARGIN, height};
    panel->y += height;
    return rect;
}

/// Returns one of count cells side by side.
static SDL_Rect cell(SDL_Rect whole, int which, int count) {
    int left = (whole.w + GAP) * which / count, right = (whole.w + GAP) * (which + 1) / count - GAP;
    return (SDL_Rect){whole.x + left, whole.y, right - left, whole.h};
}

/// Draws a heading.
/// @return its row, for further content
static SDL_Rect heading(struct panel *panel, const char *name, const char *aside) {
    panel->y += GAP;
    widgets_fill(&panel->widgets, row(panel, 1), RULE);
    panel->y += 1;
    SDL_Rect rect = row(panel, HIGH);
    widgets_words(&panel->widgets, rect, name, 0, HEADING);
    widgets_words(&panel->widgets, rect, aside, 1, DIM);
    return rect;
}

/* The source of the scene */

/// Opens the source of the scene with the desktop's program, or else copies its path.
static void open_source(struct panel *panel) {
    char url[1100] = "file://";
    char *path = url + strlen(url);
    snprintf(path, sizeof url - strlen(url), DATA_SRCDIR "/%s", panel->source);
    bool there = access(path, R_OK) == 0;
    if (there && SDL_OpenURL(url) == 0)
        viewer_say(panel->viewer, "opening %s", panel->source);
    else if (SDL_SetClipboardText(there ? path : panel->source) == 0)
        viewer_say(panel->viewer, "copied: %s", there ? path : panel->source);
    else
        viewer_say(panel->viewer, "%s: %s", panel->source, SDL_GetError());
}

/// Draws a heading with the source of the scene as a button.
static void link_source(struct panel *panel, const char *name) {
    SDL_Rect rect = heading(panel, name, "");
    int width = hud_measure(panel->widgets.hud, HUD_SMALL, panel->source).x + 2 * GAP;
    SDL_Rect link = {rect.x + rect.w - width, rect.y, width, rect.h};
    if (widgets_button(&panel->widgets, link, panel->source, false)) open_source(panel);
}

/* Scenes, and their time */

/// Lists the scenes whose names contain the typed text, or all scenes, below their groups.
static void fill_list(struct panel_list *list) {
    const char *group = NULL;
    list->count = 0;
    for (int i = 0; scene_at(i) && list->count + 2 <= PANEL_ROWS; i++) {
        if (!strstr(scene_at(i)->name, list->typed)) continue;
        if (list->typed[0] == 0 && scene_group_at(i) != group) list->scenes[list->count++] = -1 - i;
        group = scene_group_at(i);
        list->scenes[list->count++] = i;
    }
}

static const char *name_of(const void *user_data, int row) {
    const struct panel_list *list = user_data;
    int scene = list->scenes[row];
    return scene < 0 ? scene_group_at(-1 - scene) : scene_at(scene)->name;
}

static bool is_title(const void *user_data, int row) {
    return ((const struct panel_list *)user_data)->scenes[row] < 0;
}

/// Draws the list of scenes. It scrolls to a scene that a key has started.
static void list_scenes(struct panel *panel, SDL_Rect place) {
    struct panel_list *list = &panel->list;
    int current = -1;
    fill_list(list);
    for (int i = 0; i < list->count; i++)
        if (list->scenes[i] >= 0 && scene_at(list->scenes[i]) == panel->viewer->scene) current = i;
    if (list->shown != panel->viewer->scene)
        list->rows.scroll = current - place.h / WIDGETS_ROW / 2;
    list->shown = panel->viewer->scene;
    struct widgets_names names = {name_of, is_title, list};
    int clicked = widgets_rows(&panel->widgets, place, &list->rows, list->count, &names, current);
    if (clicked < 0 || list->scenes[clicked] < 0) return;
    viewer_start(panel->viewer, scene_at(list->scenes[clicked]));
    list->shown = panel->viewer->scene;
}

void panel_search(struct panel *panel) {
    panel->wanted = true;
    panel->tools = false;
    panel->list.searches = true;
    panel->list.typed[0] = 0;
    SDL_StartTextInput(); /* the game has stopped it */
}

static void end_search(struct panel_list *list) {
    list->searches = false;
    list->typed[0] = 0;
    SDL_StopTextInput();
}

static void type_key(struct panel *panel, SDL_Keycode key) {
    struct panel_list *list = &panel->list;
    size_t length = strlen(list->typed);
    fill_list(list);
    if (key == SDLK_BACKSPACE && length > 0) list->typed[length - 1] = 0;
    if (key == SDLK_RETURN && length > 0 && list->count > 0)
        viewer_start(panel->viewer, scene_at(list->scenes[0]));
    if (key == SDLK_RETURN || key == SDLK_ESCAPE) end_search(list);
}

bool panel_type(struct panel *panel, const SDL_Event *event) {
    struct panel_list *list = &panel->list;
    if (!panel->wanted || !list->searches) return false;
    if (event->type == SDL_KEYDOWN)
        type_key(panel, event->key.keysym.sym);
    else if (event->type == SDL_TEXTINPUT && event->text.text[0] != '/')
        snprintf(list->typed + strlen(list->typed), sizeof list->typed - strlen(list->typed), "%s",
                 event->text.text);
    return event->type == SDL_KEYDOWN || event->type == SDL_TEXTINPUT;
}

static void control_time(struct panel *panel) {
    struct viewer *viewer = panel->viewer;
    struct widgets *widgets = &panel->widgets;
    panel->y += GAP;
    SDL_Rect buttons = row(panel, HIGH + 2);
    if (widgets_button(widgets, cell(buttons, 0, 4), "restart", false)) viewer_restart(viewer);
    if (widgets_button(widgets, cell(buttons, 1, 4), "pause", viewer->paused))
        viewer->paused = !viewer->paused;
    if (widgets_button(widgets, cell(buttons, 2, 4), "step", false)) viewer_single_step(viewer);
    if (widgets_button(widgets, cell(buttons, 3, 4), "slow", panel->slow))
        panel->slow = !panel->slow;
}

/* Tuning */

/// Returns the scene's own value for a slider. Materials are the picked body's.
static double own_value(const struct viewer *viewer, enum tuning_knob knob) {
    const pv_world *world = viewer->stage->world;
    pv_body_def def = pv_body_is_valid(world, viewer->picked)
                          ? pv_body_get_def(world, viewer->picked)
                          : pv_body_def_default();
    switch (knob) {
    case TUNING_GRAVITY_X: return pv_world_get_gravity(world).x;
    case TUNING_GRAVITY_Y: return pv_world_get_gravity(world).y;
    case TUNING_STATIC_FRICTION: return def.static_friction;
    case TUNING_KINETIC_FRICTION: return def.friction;
    case TUNING_RESTITUTION: return def.restitution;
    default: return 16;
    }
}

static bool is_the_worlds(enum tuning_knob knob) {
    return knob == TUNING_GRAVITY_X || knob == TUNING_GRAVITY_Y;
}

/// Writes a value as text; "own" stands for the scene's value.
static void write_value(char *text, size_t size, enum tuning_knob knob, double value, bool set) {
    if (set || is_the_worlds(knob))
        snprintf(text, size, tuning_ranges[knob].notch < 1 ? "%.2f" : "%.0f", value);
    else
        snprintf(text, size, "own");
}

/// Draws a slider. Substeps change only on release, because they restart the scene.
static void tune(struct panel *panel, enum tuning_knob knob) {
    struct viewer *viewer = panel->viewer;
    const struct tuning_range *range = &tuning_ranges[knob];
    bool set = viewer->tuning.set[knob], waits = knob == TUNING_SUBSTEPS;
    double value = set ? viewer->tuning.value[knob] : own_value(viewer, knob);
    char text[16];
    if (waits && panel->substeps > 0) {
        value = (int)(panel->substeps + .5);
        set = true;
    }
    write_value(text, sizeof text, knob, value, set);
    enum widgets_grip grip = widgets_slider(&panel->widgets, row(panel, HIGH), range->name, &value,
                                            range->least, range->most, text, set);
    if (waits) panel->substeps = grip == WIDGETS_MOVES ? value : 0;
    if (grip == WIDGETS_LETS_GO || (grip == WIDGETS_MOVES && !waits))
        viewer_tune(viewer, knob, value);
}

/// Draws the sliders of the scene. Some restart it on release.
static void turn_knobs(struct panel *panel) {
    struct stage *stage = panel->viewer->stage;
    if (stage->knob_count > 0) heading(panel, panel->viewer->scene->name, "");
    for (int i = 0; i < stage->knob_count; i++) {
        struct stage_knob *knob = &stage->knobs[i];
        char text[16];
        snprintf(text, sizeof text, knob->most - knob->least < 10 ? "%.2f" : "%.0f", knob->value);
        enum widgets_grip grip = widgets_slider(&panel->widgets, row(panel, HIGH), knob->name,
                                                &knob->value, knob->least, knob->most, text, true);
        if (grip == WIDGETS_LETS_GO && knob->restarts) {
            viewer_restart(panel->viewer);
            return;
        }
    }
}

static void tune_all(struct panel *panel) {
    SDL_Rect rect = heading(panel, "Tuning", "");
    if (widgets_button(&panel->widgets, cell(rect, 3, 4), "reset", false))
        viewer_untune(panel->viewer);
    for (int knob = 0; knob < TUNING_KNOBS; knob++) tune(panel, (enum tuning_knob)knob);
}

/* Overlays */

static void choose_overlays(struct panel *panel) {
    static const struct {
        const char *name;
        unsigned flag;
    } overlays[] = {{"contacts", PV_DEBUG_NORMALS},   {"masks", PV_DEBUG_MASKS},
                    {"contours", PV_DEBUG_CONTOURS},  {"field", VIEW_FIELD},
                    {"boxes", PV_DEBUG_BOUNDS},       {"islands", PV_DEBUG_ISLANDS},
                    {"constraints", PV_DEBUG_JOINTS}, {"particles", PV_DEBUG_PARTICLES},
                    {"polygons", PV_DEBUG_POLYGONS}};
    unsigned *shown = &panel->viewer->overlays;
    SDL_Rect line = {0, 0, 0, 0};
    heading(panel, "Show", "D: the usual ones");
    for (int i = 0; i < (int)(sizeof overlays / sizeof overlays[0]); i++) {
        if (i % 3 == 0) line = row(panel, HIGH);
        if (widgets_toggle(&panel->widgets, cell(line, i % 3, 3), overlays[i].name,
                           *shown & overlays[i].flag))
            *shown ^= overlays[i].flag;
    }
}

/* Timings */

/// Scale of a graph with a round number of seconds at its top
struct scale {
    const struct meter *meter;
    /// Time at the top [s]
    double top;
};

static double column(const void *user_data, int i) {
    const struct scale *scale = user_data;
    return meter_step(scale->meter, i) / scale->top;
}

/// Returns 1, 2 or 5 times a power of ten, at least the longest step and at most 1 [s].
static double round_top(double longest) {
    static const double rounds[] = {.0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1};
    int i = 0;
    while (i < 10 && rounds[i] < longest) i++;
    return rounds[i];
}

/// Draws a button for each usual number of threads.
static void choose_workers(struct panel *panel) {
    SDL_Rect line = row(panel, HIGH);
    char text[12];
    widgets_words(&panel->widgets, cell(line, 0, 4), "workers", 0, DIM);
    for (int i = 0, workers = 1; workers <= VIEWER_MAX_WORKERS; i++, workers *= 2) {
        snprintf(text, sizeof text, "%d", workers);
        if (widgets_button(&panel->widgets, cell(line, i + 2, 7), text,
                           panel->viewer->workers == workers))
            viewer_set_workers(panel->viewer, workers);
    }
}

static void show_times(struct panel *panel) {
    const struct meter *meter = &panel->viewer->meter;
    struct scale scale = {meter, round_top(meter_longest(meter))};
    char top[32];
    heading(panel, "Time of a step", panel->count);
    for (int i = 0; i < METER_STAGES; i++) {
        double share = meter->mean.total > 0 ? panel->stages[i].seconds / meter->mean.total : 0;
        widgets_bar(&panel->widgets, row(panel, LOW), panel->stages[i].name, share,
                    panel->times[i]);
    }
    double shared = meter->mean.total > 0 ? meter->mean.shared / meter->mean.total : 0;
    widgets_bar(&panel->widgets, row(panel, LOW), "shared", shared, panel->shared);
    choose_workers(panel);
    SDL_Rect words = row(panel, HIGH);
    snprintf(top, sizeof top, "graph of %g ms", scale.top * 1000);
    widgets_words(&panel->widgets, words, top, 0, DIM);
    widgets_words(&panel->widgets, words, panel->longest, 1, DIM);
    widgets_graph(&panel->widgets, row(panel, GRAPH), meter_steps(meter), column, &scale);
}

/* Picked body */

/// Draws the description of the picked body, its sprite in the heading.
static void show_body(struct panel *panel) {
    heading(panel, "Body", panel->line_count == 0 ? "click on one" : panel->lines[0].text);
    for (int i = 1; i < panel->line_count; i++) {
        SDL_Rect rect = row(panel, LOW), text = {rect.x + 72, rect.y, rect.w - 72, rect.h};
        widgets_words(&panel->widgets, rect, panel->lines[i].name, 0, DIM);
        widgets_words(&panel->widgets, text, panel->lines[i].text, 0, INK);
    }
}

/* Whole panel */

/// Scrolls the tools with the wheel.
static void scroll(struct panel *panel, int height) {
    int most = panel->bottom > height ? panel->bottom - height : 0;
    if (panel->widgets.mouse.x < PANEL_WIDTH) panel->top -= panel->widgets.wheel * NOTCH;
    panel->top = panel->top > most ? most : panel->top < 0 ? 0 : panel->top;
    if (most == 0) return;
    SDL_Rect thumb = {PANEL_WIDTH - 4, height * panel->top / panel->bottom, 4,
                      height * height / panel->bottom};
    widgets_fill(&panel->widgets, thumb, DIM);
}

/// Draws the buttons of both pages.
static void choose_page(struct panel *panel) {
    panel->y += GAP;
    SDL_Rect pages = row(panel, HIGH + 2);
    if (widgets_button(&panel->widgets, cell(pages, 0, 2), "scenes", !panel->tools))
        panel->tools = false;
    if (widgets_button(&panel->widgets, cell(pages, 1, 2), "tools", panel->tools))
        panel->tools = true;
    panel->y += GAP;
}

/// Draws the list above the description of the scene. Together they fill the panel's height.
static void draw_scenes(struct panel *panel, int height) {
    const struct panel_list *list = &panel->list;
    char search[40];
    snprintf(search, sizeof search, "%s_", list->typed);
    SDL_Rect line = row(panel, HIGH);
    widgets_words(&panel->widgets, line, "Scenes", 0, HEADING);
    widgets_words(&panel->widgets, line, list->searches ? search : "/: search", 1, DIM);
    int below = ABOUT + 3 * HIGH + 3 * GAP;
    list_scenes(panel, row(panel, height - panel->y - below));
    const struct scene *scene = panel->viewer->scene;
    snprintf(panel->source, sizeof panel->source, "demo/scenes/%s.c", scene->name);
    link_source(panel, scene->name);
    hud_wrap(panel->widgets.hud, HUD_SMALL, INK, scene->description, row(panel, ABOUT));
    control_time(panel);
}

static void draw_tools(struct panel *panel, int height) {
    control_time(panel);
    turn_knobs(panel);
    tune_all(panel);
    choose_overlays(panel);
    show_times(panel);
    show_body(panel);
    panel->bottom = panel->y + MARGIN;
    scroll(panel, height);
}

void panel_draw(struct panel *panel, struct hud *hud, SDL_Renderer *renderer, int height) {
    SDL_Rect all = {0, 0, PANEL_WIDTH, height};
    panel->widgets.hud = hud;
    panel->widgets.renderer = renderer;
    widgets_begin(&panel->widgets, all);
    widgets_fill(&panel->widgets, all, GROUND);
    if (!panel->tools) panel->top = 0;
    panel->y = 0;
    choose_page(panel);
    (panel->tools ? draw_tools : draw_scenes)(panel, height);
    widgets_end(&panel->widgets);
}
