// The files of the page of a recording, as texts of the program.

#ifndef RONDO_PAGE_H
#define RONDO_PAGE_H

const char *rondo_pageHTML(void);
const char *rondo_pageCSS(void);
const char *rondo_pageJS(void);

#endif
