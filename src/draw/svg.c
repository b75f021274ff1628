/* svg.c: tags, escaped text, and numbers that do not know of locales. */
#include "draw/svg.h"

#include <string.h>

#include "text/unicode/utf8.h"

void dgm_svg_start(struct dgm_svg *svg, struct dgm_env *env, struct dgm_buf *out)
{
    svg->env = env;
    svg->out = out;
    svg->status = DGM_OK;
    svg->tag_open = 0;
}

static void add(struct dgm_svg *svg, const char *bytes, size_t count)
{
    if (svg->status == DGM_OK)
        svg->status = dgm_buf_add(svg->env, svg->out, bytes, count);
}

static void add_text(struct dgm_svg *svg, const char *text)
{
    add(svg, text, strlen(text));
}

static void close_tag(struct dgm_svg *svg)
{
    if (svg->tag_open)
        add(svg, ">", 1);
    svg->tag_open = 0;
}

/* "12", "12.5", "-0.5" */
static void add_number(struct dgm_svg *svg, int64_t tenths)
{
    uint64_t size = tenths < 0 ? 0 - (uint64_t)tenths : (uint64_t)tenths;
    if (svg->status != DGM_OK)
        return;
    svg->status = dgm_buf_add_format(svg->env, svg->out, "%s%llu", tenths < 0 ? "-" : "",
                                     (unsigned long long)(size / 10));
    if (size % 10 != 0) {
        char rest[2] = { '.', '0' };
        rest[1] = (char)('0' + size % 10);
        add(svg, rest, 2);
    }
}

/* ---- text -------------------------------------------------------------------------------- */

/* The Char of XML 1.0, production 2, less the C1 controls. */
static int is_allowed(uint32_t code)
{
    if (code == DGM_UTF8_BAD || code == 0xFFFE || code == 0xFFFF)
        return 0;
    if (code < 0x20)
        return code == '\t' || code == '\n';
    return !(code >= 0x7F && code < 0xA0);
}

static const char *entity(uint32_t code)
{
    switch (code) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

static void add_escaped(struct dgm_svg *svg, const char *text)
{
    size_t left = strlen(text);
    while (left > 0 && svg->status == DGM_OK) {
        uint32_t code;
        size_t used = dgm_utf8_decode(&code, text, left);
        if (entity(code) != NULL)
            add_text(svg, entity(code));
        else if (is_allowed(code))
            add(svg, text, used);
        else
            add_text(svg, "\357\277\275");
        text += used;
        left -= used;
    }
}

void dgm_svg_text(struct dgm_svg *svg, const char *text)
{
    close_tag(svg);
    add_escaped(svg, text);
}

void dgm_svg_newline(struct dgm_svg *svg)
{
    dgm_svg_text(svg, "\n");
}

/* ---- tags -------------------------------------------------------------------------------- */

void dgm_svg_begin(struct dgm_svg *svg, const char *name)
{
    close_tag(svg);
    add(svg, "<", 1);
    add_text(svg, name);
    svg->tag_open = 1;
}

void dgm_svg_end(struct dgm_svg *svg, const char *name)
{
    if (svg->tag_open) {
        add(svg, "/>", 2);
        svg->tag_open = 0;
        return;
    }
    add(svg, "</", 2);
    add_text(svg, name);
    add(svg, ">", 1);
}

void dgm_svg_end_line(struct dgm_svg *svg, const char *name)
{
    dgm_svg_end(svg, name);
    dgm_svg_newline(svg);
}

void dgm_svg_element(struct dgm_svg *svg, const char *name, const char *text)
{
    dgm_svg_begin(svg, name);
    dgm_svg_text(svg, text);
    dgm_svg_end(svg, name);
}

/* ---- attributes -------------------------------------------------------------------------- */

static void attribute_begin(struct dgm_svg *svg, const char *name)
{
    add(svg, " ", 1);
    add_text(svg, name);
    add(svg, "=\"", 2);
}

void dgm_svg_text_attribute(struct dgm_svg *svg, const char *name, const char *value)
{
    attribute_begin(svg, name);
    add_escaped(svg, value);
    add(svg, "\"", 1);
}

void dgm_svg_attribute(struct dgm_svg *svg, const char *name, int64_t tenths)
{
    attribute_begin(svg, name);
    add_number(svg, tenths);
    add(svg, "\"", 1);
}

void dgm_svg_move(struct dgm_svg *svg, int64_t x, int64_t y)
{
    attribute_begin(svg, "transform");
    add_text(svg, "translate(");
    add_number(svg, x);
    add(svg, ",", 1);
    add_number(svg, y);
    add(svg, ")\"", 2);
}

void dgm_svg_turn(struct dgm_svg *svg, int degrees, int64_t x, int64_t y)
{
    attribute_begin(svg, "transform");
    add_text(svg, "rotate(");
    add_number(svg, (int64_t)degrees * 10);
    add(svg, ",", 1);
    add_number(svg, x);
    add(svg, ",", 1);
    add_number(svg, y);
    add(svg, ")\"", 2);
}

void dgm_svg_path_begin(struct dgm_svg *svg)
{
    attribute_begin(svg, "d");
}

void dgm_svg_path(struct dgm_svg *svg, char command, int64_t x, int64_t y)
{
    add(svg, &command, 1);
    if (command == 'Z')
        return;
    add_number(svg, x);
    if (command == 'H' || command == 'V')
        return;
    add(svg, " ", 1);
    add_number(svg, y);
}

void dgm_svg_path_end(struct dgm_svg *svg)
{
    add(svg, "\"", 1);
}
