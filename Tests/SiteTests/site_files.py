"""The files of a site, and what is wrong with them."""

import collections
import json
import pathlib
import re
import urllib.parse

START = "/documentation"


class Site:
    """A folder that `Documentation/build` has made, for a server that has it at its top."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def paths(self):
        """The paths of all pages that there are."""
        data = self.folder / "data"
        return sorted(f"/{file.relative_to(data).with_suffix('')}" for file in data.rglob("*.json"))

    def page(self, path):
        """The content of a page; `None` where there is no such page."""
        file = self.folder / f"data{path}.json"
        return json.loads(file.read_text()) if file.is_file() else None

    def problems(self):
        """A line for each page that is empty or not to be reached, and for each broken link."""
        pages = {path: self.page(path) for path in self.paths()}
        anchors = {path: set(anchors_of(page)) for path, page in pages.items()}
        problems = []
        for path, page in pages.items():
            if is_empty(page):
                problems.append(f"{path} is empty")
            if not (self.folder / path[1:] / "index.html").is_file():
                problems.append(f"{path} has no file that a server would answer with")
            for used in used_references(page):
                reference = page["references"].get(used)
                if reference is None:
                    problems.append(f"{path} shows a link to {used}, of which it knows nothing")
            for reference in page["references"].values():
                problems += [f"{path} {what}" for what in self.broken(reference, anchors)]
        reached = {START}
        waiting = collections.deque(reached & pages.keys())
        while waiting:
            for reference in pages[waiting.popleft()]["references"].values():
                target = reference.get("url", "").split("#")[0]
                if reference["type"] == "topic" and target in pages and target not in reached:
                    reached.add(target)
                    waiting.append(target)
        problems += [f"{path} cannot be reached from {START}" for path in sorted(pages.keys() - reached)]
        return problems

    def broken(self, reference, anchors):
        """What is broken in a link or an image of a page."""
        if reference["type"] in ("image", "video", "download"):
            addresses = [v["url"] for v in reference.get("variants", [reference])]
            return [f"shows {a}, which is no file" for a in addresses
                    if not (self.folder / urllib.parse.unquote(a)[1:]).is_file()]
        if reference["type"] == "topic" or reference.get("url", "").startswith("/"):
            target, _, anchor = reference["url"].partition("#")
            if target not in anchors:
                return [f"links to {target}, which is no page"]
            if anchor and urllib.parse.unquote(anchor) not in anchors[target]:
                return [f"links to {reference['url']}, where no such heading is"]
        elif reference["type"] == "link" and not re.match(r"https?://", reference["url"]):
            return [f"links to {reference['url']}, which is no address"]
        return []


def is_empty(page):
    """Whether a page says nothing: it has no first sentence, and leads to no other page either."""
    return not page.get("abstract") and not page.get("topicSections")


def nodes(value):
    """All objects in a piece of JSON."""
    if isinstance(value, dict):
        yield value
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from nodes(child)


def used_references(page):
    """The identifiers that the text and the lists of a page lead to."""
    for key in ("abstract", "primaryContentSections", "topicSections", "seeAlsoSections"):
        for node in nodes(page.get(key, [])):
            if node.get("type") in ("reference", "image") and "identifier" in node:
                yield node["identifier"]
            if key.endswith("Sections") and isinstance(node.get("identifiers"), list):
                yield from node["identifiers"]


def anchors_of(page):
    """The anchors of the headings of a page, as they are in an address."""
    for node in nodes(page.get("primaryContentSections", [])):
        if node.get("type") == "heading":
            yield node["anchor"]
