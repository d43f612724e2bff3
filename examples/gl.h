/* gl.h - what the programs for the GPU share: shaders, transform feedback, and a context without a
 * window.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef EXAMPLES_GL_H
#define EXAMPLES_GL_H

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/// Exit status without GL, and greatest length of a shader [bytes]
enum { NO_GL = 77, MOST_SOURCE = 1 << 16 };

static void fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static char *read_source(const char *path, const char *version) {
    static char text[MOST_SOURCE];
    FILE *file = fopen(path, "rb");
    if (!file) fail(path, "cannot be read");
    size_t used = (size_t)snprintf(text, sizeof text, "%s\n", version);
    used += fread(text + used, 1, sizeof text - used - 1, file);
    text[used] = 0;
    fclose(file);
    return text;
}

static void add_shader(GLuint program, GLenum type, const char *source) {
    GLuint shader = glCreateShader(type);
    GLint good;
    char log[2048];
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!good) fail("shader", log);
    glAttachShader(program, shader);
    glDeleteShader(shader);
}

static void link_program(GLuint program) {
    GLint good;
    char log[2048];
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (!good) fail("program", log);
}

/// Links a program that moves vertices by transform feedback, from an attribute to "moved".
static GLuint make_step(const char *path, const char *attribute) {
    const char *outputs[] = {"moved"};
    GLuint program = glCreateProgram();
    add_shader(program, GL_VERTEX_SHADER, read_source(path, "#version 300 es"));
    add_shader(program, GL_FRAGMENT_SHADER, "#version 300 es\nvoid main() {}\n");
    glBindAttribLocation(program, 0, attribute);
    glTransformFeedbackVaryings(program, 1, outputs, GL_INTERLEAVED_ATTRIBS);
    link_program(program);
    return program;
}

/// Moves all vertices of an array, and writes them to a buffer.
static void run_step(GLuint array, GLuint to, int count) {
    glEnable(GL_RASTERIZER_DISCARD);
    glBindVertexArray(array);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, to);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, count);
    glEndTransformFeedback();
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    glDisable(GL_RASTERIZER_DISCARD);
}

static int number_of(const char *text, int least, int most) {
    char *end;
    long n = strtol(text, &end, 10);
    if (*text == 0 || *end != 0 || n < least || n > most) fail(text, "not a number in range");
    return (int)n;
}

/// Opens a context without a window; returns false if there is none.
static bool open_context(void) {
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    EGLDisplay display =
        get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) return false;
    eglBindAPI(EGL_OPENGL_ES_API);
    if (!eglChooseConfig(display, wanted, &config, 1, &count)) return false;
    EGLContext context =
        eglCreateContext(display, count ? config : EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        return false;
    GLuint frame, color; /* without a surface, drawing needs its own framebuffer */
    glGenFramebuffers(1, &frame);
    glGenRenderbuffers(1, &color);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glBindRenderbuffer(GL_RENDERBUFFER, color);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

#endif
