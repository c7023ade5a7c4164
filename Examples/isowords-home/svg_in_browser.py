#!/usr/bin/env python3
"""Opens the animated SVG of the launch in a browser, and compares it with the golden frames.

    swift run isowords-home --data Examples/isowords-home/Sample --svg launch.svg --virtual-time
    python3 Examples/isowords-home/svg_in_browser.py launch.svg --screenshots .

The browser is Chromium, or whatever understands its options (BROWSER). For each instant it is asked
which pieces of text are visible, and where; those make up the lines that are compared. Bars, which
the picture draws as rectangles, are left to the screenshots. Exits with 1 if anything differs.
"""

import argparse
import difflib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
CELL = (8.4, 18)
MARGIN = 10
SIZE = (80, 24)
SHAPES = str.maketrans("▌█━─", "    ")

LOOK = """
<pre id="seen"></pre><script>
  const svg = document.querySelector("svg");
  svg.pauseAnimations();
  svg.setCurrentTime(%f);
  // Once it has been painted: styles are those of an animation from then on.
  addEventListener("load", () => requestAnimationFrame(() => requestAnimationFrame(() => {
    document.querySelector("#seen").textContent = JSON.stringify(
      [...svg.querySelectorAll("text")]
        .filter(text => getComputedStyle(text).visibility === "visible" && text.getBBox().width > 0)
        .map(text => [+text.getAttribute("x"), +text.getAttribute("y"), text.textContent]));
  })));
</script>
"""


def browser():
    names = [os.environ.get("BROWSER"), "chromium", "chromium-browser", "google-chrome"]
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    return found or sys.exit("svg_in_browser: no browser was found; set BROWSER")


def run(program, page, *options, isDone=lambda output: True):
    """Asks the browser until it has done it: on a busy machine it may give up too early."""
    width, height = (round(n * cell + 2 * MARGIN) for n, cell in zip(SIZE, CELL))
    problem = "it has drawn nothing"
    for attempt in range(5):
        if attempt:
            time.sleep(2 * attempt)
        try:
            output = subprocess.run(
                [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                 f"--virtual-time-budget={1000 * (attempt + 1)}",
                 f"--window-size={width},{height}", *options, page.as_uri()],
                check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300,
            ).stdout.decode()
            if isDone(output):
                return output
        except (subprocess.SubprocessError, OSError) as error:
            problem = error
    sys.exit(f"svg_in_browser: the browser {program} does not answer: {problem}")


SEEN = re.compile(r'<pre id="seen">(.+?)</pre>', re.S)


def lines(texts):
    """The lines of a screen that texts at their places add up to."""
    grid = [[" "] * SIZE[0] for _ in range(SIZE[1])]
    for x, y, text in texts:
        column, row = round((x - MARGIN) / CELL[0]), int((y - MARGIN) / CELL[1])
        grid[row][column:column + len(text)] = text
    return ["".join(row).rstrip() for row in grid]


def golden(path):
    """The frames of a golden file, by their milliseconds."""
    parts = re.split(r"^== (\d+) ms\n", path.read_text(), flags=re.MULTILINE)[1:]
    return {
        int(ms): [line.translate(SHAPES).rstrip() for line in text.splitlines()]
        for ms, text in zip(parts[::2], parts[1::2])
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("svg", type=pathlib.Path)
    parser.add_argument("--golden", type=pathlib.Path, default=HERE / "Golden/launch-frames.txt")
    parser.add_argument("--at", type=int, nargs="*", default=[100, 500, 1000], metavar="MS")
    parser.add_argument("--screenshots", type=pathlib.Path, metavar="DIR")
    options = parser.parse_args()
    try:
        picture = options.svg.read_text()
    except (OSError, UnicodeDecodeError) as error:
        parser.error(f"{options.svg} cannot be read: {error}")
    if "<svg" not in picture:
        parser.error(f"{options.svg} is no SVG")
    try:
        frames = golden(options.golden)
    except (OSError, UnicodeDecodeError) as error:
        parser.error(f"{options.golden} cannot be read: {error}")
    if not frames:
        parser.error(f"{options.golden} has no frames: a line == MS ms begins each")
    for ms in options.at:
        if ms not in frames:
            parser.error(f"there is no frame at {ms} ms; there are {', '.join(map(str, frames))}")
    if options.screenshots and not options.screenshots.is_dir():
        parser.error(f"{options.screenshots} is no folder")

    program, differs = browser(), False
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        for ms in options.at:
            page.write_text(
                '<!doctype html><meta charset="utf-8"><body style="margin:0">'
                + picture + LOOK % (ms / 1000))
            seen = SEEN.search(run(program, page, "--dump-dom", isDone=SEEN.search))
            texts = json.loads(
                seen[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
            difference = list(difflib.unified_diff(
                frames[ms], lines(texts), "golden", "browser", lineterm=""))
            print(f"{ms} ms:", "differs" if difference else "agrees", *difference, sep="\n  ")
            differs = differs or bool(difference)
            if options.screenshots:
                file = options.screenshots.resolve() / f"launch-{ms}ms.png"
                file.unlink(missing_ok=True)
                run(program, page, f"--screenshot={file}", isDone=lambda _: file.exists())
    sys.exit(differs)


if __name__ == "__main__":
    main()
