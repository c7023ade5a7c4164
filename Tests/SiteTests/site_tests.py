"""Tests of the site of the documentation. See `run` beside this file."""

import functools
import http.server
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from site_files import START, Site

ROOT = pathlib.Path(__file__).parents[2]
SITE = Site(os.environ["SITE"])
SEED = int(os.environ.get("RONDO_SEED", random.randrange(1 << 32)))
SAMPLE = 16
# An example is a product for other examples, and no library.
PRODUCTS = [name for name in re.findall(r'\.library\(name: "(\w+)"', (ROOT / "Package.swift").read_text())
            if (ROOT / "Sources" / name).is_dir()]


class SiteTests(unittest.TestCase):
    """The files of the site."""

    def test_no_page_is_empty_and_no_link_is_broken(self):
        self.assertEqual(SITE.problems(), [])

    def test_every_page_of_the_documentation_is_in_the_guide(self):
        for file in (ROOT / "Documentation").rglob("*.md"):
            title = file.read_text().split("\n", 1)[0].lstrip("# ").replace("`", "")
            titles = {SITE.page(path)["metadata"]["title"] for path in SITE.paths()
                      if path.startswith(f"{START}/guide")}
            self.assertIn(title, titles)

    def test_every_library_begins_with_a_text(self):
        for library in PRODUCTS:
            page = SITE.page(f"{START}/{library.lower()}")
            self.assertIsNotNone(page, library)
            self.assertTrue(page.get("abstract") and page["primaryContentSections"], library)

    def test_the_sidebar_has_the_guide_first_and_then_the_libraries_as_in_the_package(self):
        index = json.loads((SITE.folder / "index/index.json").read_text())
        titles = [entry["title"] for entry in index["interfaceLanguages"]["swift"][0]["children"]]
        self.assertEqual(titles[:2], ["Documentation", "Rondo"])
        self.assertEqual(titles[1:], PRODUCTS)

    def test_no_file_names_a_folder_of_this_machine(self):
        for file in [*SITE.folder.rglob("*.json"), SITE.folder / "launch.html"]:
            self.assertNotIn(str(ROOT), file.read_text(), file)

    def test_the_launch_is_a_page_with_its_screen(self):
        text = (SITE.folder / "launch.html").read_text()
        self.assertIn('"event":"frame"', text)
        self.assertIn("authenticationResponse", text)


    # F8
    def test_no_example_is_among_the_libraries(self):
        self.assertEqual([path for path in SITE.paths() if "homefeature" in path], [])

    def test_every_page_can_be_found(self):
        entries = json.loads((SITE.folder / "search.json").read_text())
        self.assertEqual(sorted(entry["path"] for entry in entries), SITE.paths())
        for entry in entries:
            page = SITE.page(entry["path"])
            self.assertEqual(entry["title"], page["metadata"]["title"])
        texts = {entry["path"]: entry["text"] for entry in entries}
        self.assertIn("advance(by:", texts[f"{START}/guide/testing"])
        self.assertIn("actor StoreActor", texts[f"{START}/rondo/storeactor"])

    def test_the_first_page_is_the_readme_and_its_links_lead_to_pages(self):
        text = (SITE.folder / "index.html").read_text()
        self.assertNotIn("{{", text)
        self.assertNotIn("](", text)
        readme = (ROOT / "README.md").read_text()
        for heading in re.findall(r"^## (.*)$", readme, re.MULTILINE):
            self.assertIn(f"<h2>{heading}</h2>", text)
        for link in re.findall(r'(?:href|src|action)="(/[^"]*)"', text):
            file = SITE.folder / link[1:]
            self.assertTrue(file.is_file() or SITE.page(link.rstrip("/")), link)
        self.assertEqual(text.count("<img "), readme.count("!["))


class CheckTests(unittest.TestCase):
    """The checks themselves, on small sites that have one thing wrong."""

    def problems(self, alone=False, **changes):
        link = {"a": {"type": "topic", "url": f"{START}/a"}}
        start = {"abstract": ["…"], "references": {} if alone else link}
        other = {"abstract": ["…"], "references": {}, **changes}
        with tempfile.TemporaryDirectory() as folder:
            for path, page in [(START, start), (f"{START}/a", other)]:
                file = pathlib.Path(folder, f"data{path}.json")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(page))
                html = pathlib.Path(folder, path[1:], "index.html")
                html.parent.mkdir(parents=True, exist_ok=True)
                html.touch()
            return Site(folder).problems()

    def test_a_sound_site_has_no_problems(self):
        self.assertEqual(self.problems(), [])

    def test_an_empty_page_is_found(self):
        self.assertEqual(self.problems(abstract=[]), [f"{START}/a is empty"])

    def test_a_link_to_a_missing_page_is_found(self):
        self.assertEqual(
            self.problems(references={"b": {"type": "topic", "url": f"{START}/b"}}),
            [f"{START}/a links to {START}/b, which is no page"])

    def test_a_link_to_a_missing_heading_is_found(self):
        self.assertEqual(
            self.problems(references={"b": {"type": "topic", "url": f"{START}#End"}}),
            [f"{START}/a links to {START}#End, where no such heading is"])

    def test_a_missing_image_is_found(self):
        image = {"type": "image", "variants": [{"url": "/images/a.svg"}]}
        self.assertEqual(
            self.problems(references={"b": image}),
            [f"{START}/a shows /images/a.svg, which is no file"])

    def test_a_link_without_a_target_is_found(self):
        self.assertEqual(
            self.problems(topicSections=[{"identifiers": ["b"]}]),
            [f"{START}/a shows a link to b, of which it knows nothing"])

    def test_a_page_that_nothing_leads_to_is_found(self):
        self.assertEqual(
            self.problems(alone=True), [f"{START}/a cannot be reached from {START}"])


class ToolTests(unittest.TestCase):
    """The program that prepares what the converter reads."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.tool = pathlib.Path(cls.folder.name, "site")
        subprocess.run(
            ["swiftc", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors",
             *(ROOT / "Documentation").glob("*.swift"), "-o", cls.tool], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_tool(self, *arguments):
        return subprocess.run([self.tool, *arguments], capture_output=True, text=True)

    def graph(self, *symbols):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder.name))
        (folder / "M.symbols.json").write_text(json.dumps({"symbols": symbols}))
        return folder

    def symbol(self, name, *comment, parameters=()):
        return {
            "kind": {"identifier": "swift.struct"}, "pathComponents": [name],
            "location": {"uri": "file:///p/Sources/M.swift", "position": {"line": 6}},
            "docComment": {"lines": [{"text": line} for line in comment]},
            "functionSignature": {"parameters": [{"name": name} for name in parameters]},
        }

    def test_a_symbol_without_a_comment_is_an_error(self):
        result = self.run_tool("graphs", "/p", self.graph(
            self.symbol("A", "…"), self.symbol("B", " "), self.symbol("C", "", "- Parameter a: …")))
        self.assertEqual(result.returncode, 1)
        self.assertIn("2 of 3 public symbols", result.stderr)
        self.assertIn("\nSources/M.swift:7: B\n", result.stderr)

    def test_symbols_with_comments_are_counted(self):
        result = self.run_tool("graphs", "/p", self.graph(self.symbol("A", "…")))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, "All 1 public symbols have a documentation comment.\n")

    def test_the_place_of_a_call_needs_no_description(self):
        folder = self.graph(
            self.symbol("A", "…", parameters=["a", "fileID", "line"]),
            self.symbol("B", "- line: …", parameters=["fileID", "line"]))
        self.assertEqual(self.run_tool("graphs", "/p", folder).returncode, 0)
        symbols = json.loads((folder / "M.symbols.json").read_text())["symbols"]
        names = [[p["name"] for p in s["functionSignature"]["parameters"]] for s in symbols]
        self.assertEqual(names, [["a"], ["line"]])

    def test_only_requirements_of_the_same_module_have_default_implementations(self):
        folder = self.graph({**self.symbol("A", "…"), "identifier": {"precise": "s:A"}})
        file = folder / "M.symbols.json"
        links = [{"kind": "defaultImplementationOf", "target": target} for target in ("s:A", "s:B")]
        links.append({"kind": "memberOf", "target": "s:B"})
        file.write_text(json.dumps({**json.loads(file.read_text()), "relationships": links}))
        self.run_tool("graphs", "/p", folder)
        self.assertEqual(json.loads(file.read_text())["relationships"], [links[0], links[2]])

    def articles(self, *graphs, **pages):
        """The result of making a catalog of some pages, and the pages in it."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder.name))
        for name, text in {"README": "# Pages\n", **pages}.items():
            file = folder / f"Pages/{name.replace('__', '/')}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        (folder / "Sources.swift").touch()
        result = self.run_tool("articles", folder / "Pages", folder / "Catalog", *graphs)
        return result, {f.stem: f.read_text() for f in (folder / "Catalog").glob("*.md")}

    def test_links_between_pages_lead_to_articles(self):
        result, articles = self.articles(
            A="[b](Sub/B.md#two-words) [here](#a) `[c](C.md)`\n# A\n",
            Sub__B="# B\n## Two `words`\n[a](../A.md)\n```\n[c](C.md)\n```\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(
            articles["A"], "[b](doc:Sub-B#Two-words) [here](doc:A#A) `[c](C.md)`\n# A\n")
        self.assertEqual(
            articles["Sub-B"], "# B\n## Two `words`\n[a](doc:A)\n```\n[c](C.md)\n```\n")

    def test_a_link_may_go_over_the_end_of_a_line(self):
        _, articles = self.articles(A="# A\n\nSee [the\nfirst page](README.md), and\nmore.\n")
        self.assertEqual(articles["A"], "# A\n\nSee [the\nfirst page](doc:Guide), and\nmore.\n")

    def test_the_first_paragraph_has_no_link_to_the_web(self):
        _, articles = self.articles(
            A="# A\n\nAs [the web](https://example.org)\nsays.\n\n[The web](https://example.org).\n")
        self.assertEqual(
            articles["A"],
            "# A\n\nAs the web (https://example.org)\nsays.\n\n[The web](https://example.org).\n")

    def test_a_link_to_a_source_becomes_its_path(self):
        _, articles = self.articles(A="[the code](../Sources.swift), [Sources.swift](../Sources.swift)")
        self.assertEqual(articles["A"], "the code (`Sources.swift`), Sources.swift")

    def test_the_first_name_of_a_type_leads_to_it(self):
        _, articles = self.articles(
            self.graph(self.symbol("Store", "…")), A="# `Store`\n`Store`, `Store`, `Other`")
        module = next(iter(articles["A"].split("``/")[1:])).split("/")[0]
        self.assertEqual(articles["A"], f"# `Store`\n``/{module}/Store``, `Store`, `Other`")

    def test_a_link_to_nothing_is_an_error(self):
        for text in ["[b](B.md)", "[a](#none)", "![b](b.svg)", "[s](../None.swift)", "[s]: A.md"]:
            result, _ = self.articles(A=f"# A\n{text}\n")
            self.assertEqual(result.returncode, 1, text)
            self.assertIn("Pages/A.md:2: ", result.stderr)

    def test_pages_are_listed_in_the_order_of_the_first_page(self):
        _, articles = self.articles(
            README="# R\n[b](B.md)\n## More of it\n[a](A.md) [b](B.md)\n", A="# A", B="# B", C="# C")
        topics = articles["Guide"].split("## Topics")[1].split("@Metadata")[0]
        self.assertEqual(
            [line for line in topics.split("\n") if line],
            ["### Pages", "- <doc:B>", "### More of it", "- <doc:A>", "### More", "- <doc:C>"])

    def test_the_pages_of_a_folder_are_listed_below_its_first_page(self):
        _, articles = self.articles(
            README="# R\n[s](Sub/README.md) [a](Sub/A.md)\n", Sub__README="# S\n[a](A.md)\n", Sub__A="# A")
        topics = {name: [line for line in text.split("\n") if line.startswith("- <doc:")]
                  for name, text in articles.items()}
        self.assertEqual(topics, {"Guide": ["- <doc:Sub>"], "Sub": ["- <doc:Sub-A>"], "Sub-A": []})


class ExampleTests(unittest.TestCase):
    """The examples on the first pages of the libraries."""

    COUNTER = """
        struct Counter: Reducer {
          struct State: Equatable { var count = 0 }
          enum Action: Equatable { case increment }
          func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
        }
        """

    def source(self, library, example):
        """An example as a file of its own."""
        counter = self.COUNTER if "Counter" in example and "struct Counter" not in example else ""
        if example.startswith("import"):
            return example + counter
        store = ", store: StoreOf<Counter>" if "store." in example and "let store" not in example else ""
        counter = self.COUNTER if store else counter
        rondo = "import Rondo\nimport RondoRecording\n" if store else ""
        return (f"import Foundation\nimport {library}\n{rondo}{counter}"
                f"@MainActor func example(_: Int{store}) async throws {{\n{example}\n}}\n")

    def test_they_compile(self):
        run = functools.partial(subprocess.run, capture_output=True, text=True, cwd=ROOT)
        binaries = pathlib.Path(run(["swift", "build", "--show-bin-path"], check=True).stdout.strip())
        compiler = json.loads(run(["swiftc", "-print-target-info"], check=True).stdout)
        plugins = pathlib.Path(compiler["paths"]["runtimeResourcePath"]) / "host/plugins/testing"
        # Modules in C, which those in Swift import.
        maps = [f"-fmodule-map-file={map}" for map in binaries.glob("Rondo*.build/module.modulemap")]
        maps = [word for map in maps for word in ("-Xcc", map)]
        count = 0
        for page in [*ROOT.glob("Sources/*/*.docc/*.md"), *ROOT.glob("Examples/*/*/*.docc/*.md")]:
            for example in re.findall(r"```swift\n(.*?)```", page.read_text(), re.DOTALL):
                with self.subTest(page=page.name), tempfile.TemporaryDirectory() as folder:
                    file = pathlib.Path(folder, "main.swift")
                    file.write_text(self.source(page.stem, example))
                    mode = ["-parse-as-library"] if "@Test" in example else []
                    result = run(
                        ["swiftc", "-typecheck", "-swift-version", "6", "-I", binaries / "Modules",
                         *maps, "-plugin-path", plugins, *mode, file])
                    self.assertEqual(result.returncode, 0, result.stderr)
                    count += 1
        self.assertGreater(count, 5)


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


class BrowserTests(unittest.TestCase):
    """Pages in a browser, from a server of files."""

    @classmethod
    def setUpClass(cls):
        handler = functools.partial(QuietHandler, directory=SITE.folder)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,800"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.server.shutdown()
        cls.server.server_close()

    def open(self, path):
        self.browser.get(f"http://127.0.0.1:{self.server.server_port}{path}")

    def wait(self, condition):
        return WebDriverWait(self.browser, 60, poll_frequency=0.05).until(condition)

    def texts(self, selector):
        return self.browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent.trim())", selector)

    def check(self, path):
        """Opens a page: it shows its title and first sentence, and its links lead to pages."""
        page = SITE.page(path)
        title = page["metadata"]["title"]
        self.open(path)
        self.wait(lambda _: any(t == title for t in self.texts("main h1")))
        content = self.texts("main")[0]
        for part in page.get("abstract", []):
            self.assertIn(" ".join(part.get("text", "").split()), " ".join(content.split()))
        links = self.browser.execute_script(
            "return [...document.querySelectorAll('main a[href]')].map(a => a.getAttribute('href'))")
        for link in links:
            if link.startswith("/"):
                self.assertIsNotNone(SITE.page(link.split("#")[0].rstrip("/")), f"{path}: {link}")
        self.assertEqual(self.browser.get_log("browser"), [], f"{path} reports an error")

    def test_pages_show_their_content(self):
        first = [path for path in SITE.paths() if path.count("/") <= 2]
        others = [path for path in SITE.paths() if path not in first]
        for path in first + random.Random(SEED).sample(others, SAMPLE):
            with self.subTest(path=path, seed=SEED):
                self.check(path)

    # F8
    def test_the_first_page_shows_what_it_is_and_searches(self):
        self.open("/")
        self.assertEqual(self.texts("main h1"), ["Rondo"])
        loaded = self.browser.execute_script(
            "return [...document.images].every(image => image.complete && image.naturalWidth > 0)")
        self.assertTrue(loaded or self.wait(lambda browser: browser.execute_script(
            "return [...document.images].every(image => image.naturalWidth > 0)")))
        field = self.browser.find_element(By.CSS_SELECTOR, "nav input")
        field.send_keys("debounce")
        field.submit()
        self.wait(lambda _: any("Debounced search" in t for t in self.texts("#results a")))
        self.assertEqual(self.browser.get_log("browser"), [])

    # F8
    def test_the_search_finds_words_in_the_text_of_pages(self):
        self.open("/search.html?q=virtual+time+clock")
        titles = self.wait(lambda _: self.texts("#results a"))
        self.assertLessEqual(len(titles), 50)
        for text in self.texts("#results li"):
            self.assertTrue(text)
        self.browser.find_element(By.CSS_SELECTOR, "main input").send_keys(" nosuchwordanywhere")
        self.wait(lambda _: self.texts("#count") == ["No page has all of these words."])
        self.assertEqual(self.texts("#results li"), [])
        # Nothing that is typed becomes a part of the page.
        self.open("/search.html?q=%3Cimg%20src%3Dx%3E")
        self.wait(lambda _: self.texts("#count")[0] != "")
        self.assertEqual(self.texts("#results img"), [])

    def test_the_best_page_is_the_first(self):
        for word, title in [("storeactor", "StoreActor"), ("tutorial", "From nothing to a tested feature")]:
            self.open(f"/search.html?q={word}")
            titles = self.wait(lambda _: self.texts("#results a"))
            self.assertIn(title, titles[:3], word)

    def test_every_page_leads_to_the_search(self):
        self.open(f"{START}/guide")
        self.assertIn("Search all pages", self.texts("body > a"))

    def test_the_sidebar_lists_the_guide_and_the_libraries(self):
        self.open(START)
        self.wait(lambda _: {"Documentation", "Rondo", "RondoTesting"}
                  <= set(self.texts(".navigator .leaf-link")))

    def test_the_filter_of_the_sidebar_finds_a_type(self):
        self.open(f"{START}/rondo")
        field = self.wait(lambda browser: browser.find_element(By.CSS_SELECTOR, ".navigator input"))
        field.send_keys("StoreActor")
        self.wait(lambda _: "StoreActor" in self.texts(".navigator .leaf-link"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
