#!/usr/bin/env python3
"""Checks that the page allows its own script and style, and nothing else; --write makes it so.

    python3 Tests/InspectionPageTests/policy.py [--write]

The page names the digests of both in its head. Whoever changes one writes its digest anew.
"""

import base64
import hashlib
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).parents[2] / "Sources/RondoPage"


def digest(name):
    content = (PAGE / name).read_bytes()
    return "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode()


def main():
    page = PAGE / "page.html"
    old = page.read_text()
    new = re.sub(r"script-src '[^']*'", f"script-src '{digest('page.js')}'", old)
    new = re.sub(r"style-src '[^']*'", f"style-src '{digest('page.css')}'", new)
    if new == old:
        return
    if sys.argv[1:] != ["--write"]:
        sys.exit("policy: the page does not allow its script or style; run it with --write")
    page.write_text(new)


if __name__ == "__main__":
    main()
