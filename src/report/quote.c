/* quote.c: text made fit for the formats of export.h and of the reporters. */
#include <ctype.h>
#include <string.h>

#include "report/export.h"
#include "report/shown.h"

/* Applies `one` to each character of what is fit to be shown. */
static void quote(eo_text *text, const char *chars, void (*one)(eo_text *, const char *, size_t, uint32_t)) {
  eo_text shown;
  eo__text_init(&shown);
  eo__shown_add(&shown, chars);
  for (const char *c = shown.chars; *c != '\0';) {
    uint32_t character = 0;
    size_t length = eo__utf8(c, &character);
    one(text, c, length > 0 ? length : 1, character);
    c += length > 0 ? length : 1;
  }
  if (shown.failed) text->failed = true;
  eo__text_release(&shown);
}

/* XML 1.0 has no characters U+FFFE and U+FFFF, whatever they are written as. */
static void one_for_xml(eo_text *text, const char *bytes, size_t length, uint32_t character) {
  switch (character) {
    case '<': eo__text_add(text, "&lt;"); break;
    case '>': eo__text_add(text, "&gt;"); break;
    case '&': eo__text_add(text, "&amp;"); break;
    case '"': eo__text_add(text, "&quot;"); break;
    case '\'': eo__text_add(text, "&#39;"); break;
    case 0xfffe:
    case 0xffff: eo__text_add(text, "\xef\xbf\xbd"); break;
    default: eo__text_append(text, bytes, length);
  }
}

void eo__quote_xml(eo_text *text, const char *chars) { quote(text, chars, one_for_xml); }

void eo__quote_xml_shown(eo_text *text, const char *shown) {
  for (const char *c = shown; *c != '\0';) {
    uint32_t character = 0;
    size_t length = eo__utf8(c, &character);
    one_for_xml(text, c, length > 0 ? length : 1, character);
    c += length > 0 ? length : 1;
  }
}

/* Whatever could mean something to Mermaid, or to Markdown or HTML around it, as its number. */
static void one_for_mermaid(eo_text *text, const char *bytes, size_t length, uint32_t character) {
  if (character >= 0x80 || isalnum((int)character) || strchr(" .,()[]/=_+", (int)character) != NULL)
    eo__text_append(text, bytes, length);
  else
    eo__text_add(text, "#%u;", (unsigned)character);
}

void eo__quote_mermaid(eo_text *text, const char *chars) { quote(text, chars, one_for_mermaid); }

/* In a label a backslash begins an escape, and `&` an entity of HTML. */
static void one_for_dot(eo_text *text, const char *bytes, size_t length, uint32_t character) {
  switch (character) {
    case '"': eo__text_add(text, "\\\""); break;
    case '\\': eo__text_add(text, "\\\\"); break;
    case '&': eo__text_add(text, "&amp;"); break;
    case '<': eo__text_add(text, "&lt;"); break;
    case '>': eo__text_add(text, "&gt;"); break;
    case 0xfffe:
    case 0xffff: eo__text_add(text, "\xef\xbf\xbd"); break;
    default: eo__text_append(text, bytes, length);
  }
}

void eo__quote_dot(eo_text *text, const char *chars) { quote(text, chars, one_for_dot); }
