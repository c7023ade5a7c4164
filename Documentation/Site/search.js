// The search of the site: the pages that have all words, the best ones first.

"use strict";

const base = document.body.dataset.base;
const field = document.querySelector("input[name=q]");
const count = document.querySelector("#count");
const results = document.querySelector("#results");
const maximum = 50;
let pages = [];

// How well a page fits; 0 where a word is missing.
function score(page, words) {
  let sum = 0;
  for (const word of words) {
    const place = page.titleText.indexOf(word);
    if (page.titleText === word) sum += 100;
    else if (place === 0) sum += 40;
    else if (place > 0) sum += 20;
    else if (page.summaryText.includes(word)) sum += 5;
    else if (page.allText.includes(word)) sum += 1;
    else return 0;
  }
  // A page of the guide explains, and a symbol is one of many.
  return sum + (page.path.includes("/guide/") ? 3 : 0) - page.path.split("/").length / 10;
}

// The part of a text around the first of the words.
function excerpt(page, words) {
  const text = page.summary + " " + page.text;
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const first = Math.max(0, Math.min(...places, text.length) - 60);
  const start = first === 0 || places.length === 0 ? 0 : text.indexOf(" ", first) + 1;
  return (start > 0 ? "… " : "") + text.slice(start, start + 220) + (text.length > start + 220 ? " …" : "");
}

// A text with the words marked, as nodes: nothing of a page is taken for HTML.
function marked(text, words) {
  const fragment = document.createDocumentFragment();
  const lower = text.toLowerCase();
  let from = 0;
  while (from < text.length) {
    let next = text.length;
    let length = 0;
    for (const word of words) {
      const place = lower.indexOf(word, from);
      if (place >= 0 && place < next) [next, length] = [place, word.length];
    }
    fragment.append(text.slice(from, next));
    if (length > 0) {
      const mark = document.createElement("mark");
      mark.textContent = text.slice(next, next + length);
      fragment.append(mark);
    }
    from = next + length;
    if (length === 0) break;
  }
  return fragment;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  results.replaceChildren();
  if (words.length === 0) {
    count.textContent = `${pages.length} pages`;
    return;
  }
  const found = pages
    .map((page) => ({ page, score: score(page, words) }))
    .filter((entry) => entry.score > 0)
    .sort((a, b) => b.score - a.score);
  count.textContent =
    found.length === 0 ? "No page has all of these words." : found.length === 1 ? "1 page" : `${found.length} pages`;
  for (const { page } of found.slice(0, maximum)) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = base + page.path;
    link.append(marked(page.title, words));
    const kind = document.createElement("small");
    kind.textContent = page.kind;
    const text = document.createElement("p");
    text.append(marked(excerpt(page, words), words));
    item.append(link, " ", kind, text);
    results.append(item);
  }
}

async function start() {
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  try {
    const answer = await fetch(`${base}/search.json`);
    if (!answer.ok) throw new Error(`the server says ${answer.status}`);
    pages = await answer.json();
  } catch (error) {
    count.textContent = `The list of pages cannot be loaded: ${error.message}`;
    return;
  }
  for (const page of pages) {
    page.titleText = page.title.toLowerCase();
    page.summaryText = page.summary.toLowerCase();
    page.allText = page.text.toLowerCase();
  }
  field.addEventListener("input", () => {
    history.replaceState(null, "", field.value === "" ? location.pathname : `?q=${encodeURIComponent(field.value)}`);
    show();
  });
  show();
}

document.querySelector("main form").addEventListener("submit", (event) => event.preventDefault());
start();
