// The files of the page of a recording, as texts of the program.
//
// The C compiler embeds a file at once. As an array in Swift, which SwiftPM makes of one, it takes eight seconds.

#include "RondoPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char html[] = {
#embed "page.html"
    , 0};
static const char css[] = {
#embed "page.css"
    , 0};
static const char js[] = {
#embed "page.js"
    , 0};

const char *rondo_pageHTML(void) { return html; }
const char *rondo_pageCSS(void) { return css; }
const char *rondo_pageJS(void) { return js; }
