"""Tests of what an editor offers, in the bodies of features and in their tests."""

import os
import pathlib
import tempfile
import unittest

from language_server import LanguageServer

FEATURE = """import Rondo
import RondoTestStore

@Reducer
struct Child {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    var count = 0
  }
  enum Action { case tapped, renamed(String) }
  var body: some ReducerOf<Self> { Reduce { _, _ in .none } }
}

@Reducer
struct ParentCONFORMANCE {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var title = ""
    var child = Child.State(id: 0)
    @Presents var sheet: Child.State?
  }
  enum Action {
    case increment
    case named(String)
    case child(Child.Action)
    case sheet(PresentationAction<Child.Action>)
  }
  var body: some ReducerOf<Self> {
BODY  }
}

TEST"""

OTHERS = {
    "scope": "    Scope(state: \\.child, action: \\.child) { Child() }\n",
    "reduce": """    Reduce { state, action in
      switch action {
      case .named(let name):
        state.title = name
        return .none
      default: return .none
      }
    }
""",
    "empty": "    EmptyReducer()\n",
}

# The bodies: how many reducers there are, which come before the one that is written, and which after
# it.
BODIES = {
    "one reducer": ([], [], ""),
    "one reducer with a child": ([], [], "    .ifLet(\\.$sheet, action: \\.sheet) { Child() }\n"),
    "two reducers, in the first": ([], ["scope"], ""),
    "two reducers, in the second": (["scope"], [], ""),
    "two reducers with a child": (
        ["scope"], [], "    .ifLet(\\.$sheet, action: \\.sheet) { Child() }\n"),
    "six reducers": (["scope", "reduce", "empty"], ["reduce", "empty"], ""),
}

# What is being written, with a mark where the cursor is, and the words that must be offered.
PLACES = {
    "state.": (
        """    Reduce { state, action in
      switch action {
      case .increment:
        state.#
        return .none
      default: return .none
      }
    }
""", ["count", "title", "child", "sheet"]),
    "state.child.": (
        """    Reduce { state, action in
      state.child.#
      return .none
    }
""", ["count", "id"]),
    "return .": (
        """    Reduce { state, action in
      switch action {
      case .increment:
        state.count += 1
        return .#
      default: return .none
      }
    }
""", ["none", "run", "send", "merge"]),
    "case .": (
        """    Reduce { state, action in
      switch action {
      case .#
      }
    }
""", ["increment", "named", "child", "sheet"]),
    "case .child(.": (
        """    Reduce { state, action in
      switch action {
      case .child(.#)
      default: return .none
      }
    }
""", ["tapped", "renamed"]),
    "send(.": (
        """    Reduce { state, action in
      switch action {
      case .increment:
        return .run { send in
          await send(.#)
        }
      default: return .none
      }
    }
""", ["increment", "named"]),
}

LONE = "    Reduce { _, _ in .none }\n"

TESTS = {
    "send(.": ("await store.send(.#)", ["increment", "named", "child"]),
    "send(.child(.": ("await store.send(.child(.#))", ["tapped", "renamed"]),
    "send { $0.": ("await store.send(.increment) { $0.# }", ["count", "title"]),
    "receive(\\.child.": ("await store.receive(\\.child.#)", ["tapped", "renamed"]),
    "receive { $0.": ("await store.receive(\\.named) { $0.# }", ["count", "title"]),
}

STORES = {
    "store.": ("_ = store.#", ["count", "title", "send", "scope"]),
    "store.send(.": ("store.send(.#)", ["increment", "named"]),
    "scope(state: \\.": (
        "_ = store.scope(state: \\.#, action: \\.child)", ["child", "sheet"]),
    "scope(action: \\.": (
        "_ = store.scope(state: \\.child, action: \\.#)", ["child", "named"]),
}


class Place:
    """A document with one place at which words are asked for."""

    def __init__(self, label, text, expected):
        self.label = label
        self.expected = expected
        before, after = text.split("#")
        self.text = before + after
        lines = before.split("\n")
        self.line = len(lines) - 1
        self.column = len(lines[-1])


def places():
    for body, (before, after, operators) in BODIES.items():
        for place, (source, expected) in PLACES.items():
            text = (
                "".join(OTHERS[name] for name in before) + source + operators
                + "".join(OTHERS[name] for name in after))
            # The compiler does not use the builder that the macro writes while it looks for words.
            # One reducer needs none, and several have that of a conformance that is written out.
            conformance = "" if body.startswith("one ") else ": Reducer"
            source = FEATURE.replace("CONFORMANCE", conformance).replace("BODY", text)
            yield Place(f"{place} in {body}", source.replace("TEST", ""), expected)
    feature = FEATURE.replace("CONFORMANCE", "").replace("BODY", LONE)
    for place, (source, expected) in TESTS.items():
        test = (
            "@MainActor func test() async {\n"
            "  let store = TestStore(initialState: Parent.State()) { Parent() }\n"
            f"  {source}\n}}\n")
        yield Place(
            f"{place} in a test", feature.replace("TEST", test), expected)
    for place, (source, expected) in STORES.items():
        use = f"@MainActor func use(_ store: StoreOf<Parent>) {{\n  {source}\n}}\n"
        yield Place(place, feature.replace("TEST", use), expected)


def arguments():
    products = pathlib.Path(os.environ["PRODUCTS"])
    return [
        "-swift-version", "6", "-I", str(products / "Modules"),
        "-Xcc", f"-fmodule-map-file={products}/RondoConcurrencyShims.build/module.modulemap",
        "-load-plugin-executable", f"{products}/RondoMacros-tool#RondoMacros",
    ]


class EditorTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.server = LanguageServer(cls.folder.name, arguments())
        cls.places = list(places())
        for number, place in enumerate(cls.places):
            cls.server.add(f"Place{number}.swift", place.text)
        cls.addClassCleanup(cls.server.stop)
        cls.server.start()
        # The first answer of all loads the modules.
        cls.server.words("Place0.swift", cls.places[0].line, cls.places[0].column)

    # F2
    def test_the_expected_words_are_offered_at_once(self):
        rows = []
        for number, place in enumerate(self.places):
            with self.subTest(place.label):
                words, seconds = self.server.words(
                    f"Place{number}.swift", place.line, place.column)
                rows.append(f"| `{place.label}` | {len(words)} | {seconds * 1000:.0f} ms |")
                rows[-1] += f" {', '.join(words[:5])} |"
                missing = [word for word in place.expected if word not in words]
                self.assertEqual(missing, [], f"of {len(words)}: {words[:10]}")
                self.assertLess(seconds, 1)
                # What Rondo has for itself comes behind everything else.
                hidden = [word.startswith("_") for word in words]
                self.assertEqual(hidden, sorted(hidden), words[:10])
        if table := os.environ.get("TABLE"):
            head = "| place | words | time | first |\n|---|---|---|---|\n"
            pathlib.Path(table).write_text(head + "\n".join(rows) + "\n")


if __name__ == "__main__":
    unittest.main()
