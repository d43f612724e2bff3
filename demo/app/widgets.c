/* widgets.c - draws widgets with SDL's rectangles and the words of the HUD.
 *
 * Invariant: a click counts if the button went down and up again on the same widget.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/widgets.h"

#define INK 0xe8ecf4ffu
#define DIM 0x97a2b6ffu
#define GROUND 0x2a3346ffu
#define HOVER 0x3a4661ffu
#define LIT 0x3f7fd0ffu

void widgets_hear(struct widgets *widgets, const SDL_Event *event) {
    switch (event->type) {
    case SDL_MOUSEBUTTONDOWN:
        if (event->button.button != SDL_BUTTON_LEFT) break;
        widgets->down = widgets->mouse = (SDL_Point){event->button.x, event->button.y};
        widgets->pressed = true;
        break;
    case SDL_MOUSEBUTTONUP:
        if (event->button.button != SDL_BUTTON_LEFT) break;
        widgets->mouse = (SDL_Point){event->button.x, event->button.y};
        widgets->released = true;
        break;
    case SDL_MOUSEMOTION: widgets->mouse = (SDL_Point){event->motion.x, event->motion.y}; break;
    case SDL_MOUSEWHEEL: widgets->wheel += event->wheel.y; break;
    default: break;
    }
}

void widgets_begin(struct widgets *widgets, SDL_Rect seen) {
    widgets->seen = seen;
    SDL_RenderSetClipRect(widgets->renderer, &seen);
}

void widgets_end(struct widgets *widgets) {
    SDL_RenderSetClipRect(widgets->renderer, NULL);
    if (widgets->released) widgets->active = NULL;
    widgets->pressed = widgets->released = false;
    widgets->wheel = 0;
}

static bool is_in(const struct widgets *widgets, SDL_Rect rect, SDL_Point point) {
    return SDL_PointInRect(&point, &rect) && SDL_PointInRect(&point, &widgets->seen);
}

/// Gives the mouse to a widget that was pressed; tells whether the widget has it.
static bool takes(struct widgets *widgets, SDL_Rect rect, const void *id) {
    if (widgets->pressed && is_in(widgets, rect, widgets->down)) widgets->active = id;
    return widgets->active == id;
}

static bool is_clicked(struct widgets *widgets, SDL_Rect rect, const void *id) {
    return takes(widgets, rect, id) && widgets->released && is_in(widgets, rect, widgets->mouse);
}

static uint32_t ground(const struct widgets *widgets, SDL_Rect rect, const void *id) {
    bool free = !widgets->active || widgets->active == id;
    return free && is_in(widgets, rect, widgets->mouse) ? HOVER : GROUND;
}

void widgets_fill(struct widgets *widgets, SDL_Rect rect, uint32_t color) {
    SDL_SetRenderDrawColor(widgets->renderer, (Uint8)(color >> 24), (Uint8)(color >> 16),
                           (Uint8)(color >> 8), (Uint8)color);
    SDL_RenderFillRect(widgets->renderer, &rect);
}

void widgets_words(struct widgets *widgets, SDL_Rect rect, const char *text, double align,
                   uint32_t color) {
    SDL_Point at = {rect.x + (int)(rect.w * align), rect.y + rect.h / 2};
    if (!SDL_HasIntersection(&rect, &widgets->seen)) return;
    hud_write(widgets->hud, HUD_SMALL, color, text, at, align, .5);
}

bool widgets_button(struct widgets *widgets, SDL_Rect rect, const char *label, bool lit) {
    bool clicked = is_clicked(widgets, rect, label);
    widgets_fill(widgets, rect, lit ? LIT : ground(widgets, rect, label));
    widgets_words(widgets, rect, label, .5, INK);
    return clicked;
}

bool widgets_toggle(struct widgets *widgets, SDL_Rect rect, const char *label, bool on) {
    bool clicked = is_clicked(widgets, rect, label);
    SDL_Rect box = {rect.x, rect.y + (rect.h - 11) / 2, 11, 11},
             tick = {box.x + 3, box.y + 3, 5, 5};
    widgets_fill(widgets, box, on ? LIT : ground(widgets, rect, label));
    if (on) widgets_fill(widgets, tick, INK);
    widgets_words(widgets, (SDL_Rect){rect.x + 16, rect.y, rect.w - 16, rect.h}, label, 0,
                  on ? INK : DIM);
    return clicked;
}

/* Sliders */

enum { LABEL = 96, VALUE = 44, KNOB = 8 };

static double slid(const struct widgets *widgets, SDL_Rect groove, double least, double most) {
    double share = (double)(widgets->mouse.x - groove.x - KNOB / 2) / (groove.w - KNOB);
    return least + (most - least) * (share < 0 ? 0 : share > 1 ? 1 : share);
}

enum widgets_grip widgets_slider(struct widgets *widgets, SDL_Rect rect, const char *label,
                                 double *value, double least, double most, const char *shown,
                                 bool set) {
    SDL_Rect groove = {rect.x + LABEL, rect.y, rect.w - LABEL - VALUE, rect.h};
    SDL_Rect line = {groove.x, groove.y + groove.h / 2 - 2, groove.w, 4};
    bool held = takes(widgets, groove, label);
    if (held) *value = slid(widgets, groove, least, most);
    double share = (*value - least) / (most - least);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    SDL_Rect knob = {groove.x + (int)(share * (groove.w - KNOB)), rect.y + 2, KNOB, rect.h - 4};
    widgets_words(widgets, rect, label, 0, INK);
    widgets_fill(widgets, line, ground(widgets, groove, label));
    widgets_fill(widgets, knob, set ? LIT : DIM);
    widgets_words(widgets, rect, shown, 1, set ? INK : DIM);
    return !held ? WIDGETS_NOTHING : widgets->released ? WIDGETS_LETS_GO : WIDGETS_MOVES;
}

/* Lists */

static int clamp(int x, int least, int most) { return x > most ? most : x < least ? least : x; }

static void draw_position(struct widgets *widgets, SDL_Rect rect, int first, int rows, int count) {
    SDL_Rect track = {rect.x + rect.w - 4, rect.y, 4, rect.h};
    widgets_fill(widgets, track, GROUND);
    track.y += rect.h * first / count;
    track.h = rect.h * rows / count;
    widgets_fill(widgets, track, DIM);
}

int widgets_rows(struct widgets *widgets, SDL_Rect rect, struct widgets_list *list, int count,
                 const struct widgets_names *names, int current) {
    int rows = rect.h / WIDGETS_ROW, clicked = -1, most = count > rows ? count - rows : 0;
    if (is_in(widgets, rect, widgets->mouse)) {
        list->scroll -= widgets->wheel * 2;
        widgets->wheel = 0;
    }
    list->scroll = clamp(list->scroll, 0, most);
    if (is_clicked(widgets, rect, list))
        clicked = list->scroll + (widgets->mouse.y - rect.y) / WIDGETS_ROW;
    for (int i = 0; i < rows && list->scroll + i < count; i++) {
        SDL_Rect row = {rect.x, rect.y + i * WIDGETS_ROW, rect.w - 6, WIDGETS_ROW},
                 words = {row.x + 6, row.y, row.w, row.h};
        int which = list->scroll + i;
        bool title = names->is_title(names->user_data, which);
        if (!title) words.x += 10;
        if (which == current)
            widgets_fill(widgets, row, LIT);
        else if (!title && is_in(widgets, row, widgets->mouse))
            widgets_fill(widgets, row, ground(widgets, row, list));
        widgets_words(widgets, words, names->name(names->user_data, which), 0, title ? DIM : INK);
    }
    if (most > 0) draw_position(widgets, rect, list->scroll, rows, count);
    return clicked < count ? clicked : -1;
}

/* Figures */

void widgets_bar(struct widgets *widgets, SDL_Rect rect, const char *label, double share,
                 const char *words) {
    SDL_Rect groove = {rect.x + LABEL - 24, rect.y + 3, rect.w - LABEL - 32, rect.h - 6};
    widgets_words(widgets, rect, label, 0, INK);
    widgets_fill(widgets, groove, GROUND);
    groove.w = (int)(groove.w * (share > 1 ? 1 : share));
    widgets_fill(widgets, groove, LIT);
    widgets_words(widgets, rect, words, 1, INK);
}

void widgets_graph(struct widgets *widgets, SDL_Rect rect, int count,
                   double (*value)(const void *user_data, int i), const void *user_data) {
    int columns = count < rect.w ? count : rect.w;
    widgets_fill(widgets, rect, GROUND);
    for (int i = 0; i < columns; i++) {
        double share = value(user_data, count - columns + i);
        int height = (int)(rect.h * (share > 1 ? 1 : share) + .5);
        widgets_fill(widgets,
                     (SDL_Rect){rect.x + rect.w - columns + i, rect.y + rect.h - height, 1, height},
                     LIT);
    }
}
