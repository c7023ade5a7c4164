#!/usr/bin/env python3
"""Writes recordings for tests: a search, a damaged one, ten thousand actions, large lists, and attacks.

    python3 recordings.py search|cut-off|large|table|grown|words|cleared|long|wordy|leftward|marks|edited|crowded|reported|redrawn|near|steps|tree|hostile > recording.jsonl
"""

import json
import math
import pathlib
import random
import sys


def leaf(value):
    return {"value": value}


def text(value):
    return leaf(json.dumps(value))


def record(type, kind="struct", case=None, **members):
    return {"type": type, "kind": kind, **({} if case is None else {"case": case}),
            "children": [[key, value] for key, value in members.items()]}


def array(type, *elements):
    return {"type": type, "kind": "collection",
            "children": [[str(index), value] for index, value in enumerate(elements)]}


class Recording:
    """A recording that is written event by event."""

    def __init__(self, feature, state, cases=()):
        self.lines = [{"recording": 2, "host": "Store", "feature": feature, "stateType": f"{feature}.State",
                       "actionType": f"{feature}.Action", "date": 1790000000.0, "actionCases": list(cases),
                       "place": f"{feature}.swift:12", "state": state}]
        self.at = 0
        self.actions = self.effects = self.commits = 0

    def event(self, event, **members):
        self.lines.append({"event": event, "at": round(self.at, 6), **members})

    def wait(self, seconds):
        self.at += seconds

    def start(self, label, kind="run", action=None, **members):
        self.effects += 1
        self.event("effectStarted", effect=self.effects, kind=kind, label=label,
                   action=self.actions if action is None else action, **members)
        return self.effects

    def action(self, name, *changes, effect=None, value=None, tag=None, starts=()):
        """An action, its commit, and the effects that it starts."""
        self.actions += 1
        members = {} if effect is None else {"effect": effect}
        if effect is not None:
            self.event("emission", effect=effect, action=self.actions)
        case, _, argument = name.removesuffix(")").partition("(")
        if value is None:
            value = leaf(f".{case}") if not argument else record(
                f"{self.lines[0]['feature']}.Action", kind="enum", case=case, **{"0": leaf(argument)})
        self.event("action", action=self.actions, case=case, name=name, value=value, **members)
        started = [self.start(**each) for each in starts]
        self.commits += 1
        self.event("commit", commit=self.commits, actions=[self.actions], transaction=tag or UNTAGGED,
                   changes=[{"path": list(path), **({} if old is None else {"old": old}),
                             **({} if new is None else {"new": new})} for path, old, new in changes],
                   digest=f"{self.commits:016x}")
        return started

    def end(self, effect, how="finished", by=None):
        self.event("effectEnded", effect=effect, how=how, **({} if by is None else {"by": by}))

    def waits(self, effect, seconds, on="clock"):
        self.event("effectWaits", effect=effect, on=on, until=round(self.at + seconds, 6))

    def frame(self, *rows, columns=40, height=6):
        """A screen of text. Only the rows that are given have changed."""
        self.event("frame", columns=columns, rows=height, cells=[
            {"row": row, "column": column, "text": text, "foreground": color, **more}
            for row, column, text, color, more in rows])

    def text(self, ended=True):
        if ended:
            self.event("end", events=len(self.lines) - 1)
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self.lines)


UNTAGGED = {"name": "untagged", "tagged": False}
SPRING = {"name": ".spring(bounce: 0.4)", "tagged": True, "animation": {
    "curve": ".spring(bounce: 0.4)", "duration": 0.9,
    "samples": [round(1 - math.exp(-5 * n / 24) * math.cos(8 * n / 24), 4) for n in range(25)]}}
DEFAULT = {"name": ".default", "tagged": True, "animation": {
    "curve": ".default", "duration": 0.35,
    "samples": [round(n / 24 * n / 24 * (3 - 2 * n / 24), 4) for n in range(25)]}}


def search():
    """Somebody types; every key cancels the search before; one search fails."""
    result = Recording(
        "Search",
        record("Search.State", query=text(""), results=array("Array<String>"), isSearching=leaf("false"),
               error=leaf("nil"), user=record("User", name=text("Blob"), token={"redacted": True})),
        ["appeared", "queryChanged", "found", "failed", "cleared", "tick"])
    timer, = result.action("appeared", starts=[dict(label="timer", place="Search.swift:31", ids=["CancelID.timer"])])
    result.waits(timer, 1)
    result.frame((0, 1, "Search", "#ffffff", {}), (2, 1, "> ", "#8fe0a3", {}))
    result.wait(0.2)
    query, running, previous = "", None, "false"
    for key in ["s", "w", "i"]:
        old, query = query, query + key
        if running:
            result.end(running, "cancelled", by={"action": result.actions + 1})
        running, = result.action(
            f"queryChanged({json.dumps(query)})", (["query"], text(old), text(query)),
            *([] if previous == "true" else [(["isSearching"], leaf("false"), leaf("true"))]),
            starts=[dict(label="search", place="Search.swift:40", ids=["CancelID.search"])])
        previous = "true"
        result.frame((2, 3, query, "#8fe0a3", {}))
        result.waits(running, 0.3, on="scheduler")
        result.wait(0.12)
    result.wait(0.18)
    result.event("effectResumed", effect=running)
    result.wait(0.1)
    result.action("found([\"Swift\", \"Swing\"])", (["isSearching"], leaf("true"), leaf("false")),
                  (["results"], array("Array<String>"), array("Array<String>", text("Swift"), text("Swing"))),
                  effect=running, tag=DEFAULT,
                  value=record("Search.Action", kind="enum", case="found", **{"0": array("Array<String>", text("Swift"), text("Swing"))}))
    result.end(running)
    result.frame((3, 1, "Swift", "#666666", {}), (4, 1, "Swing", "#666666", {}))
    result.wait(0.1)
    result.frame((3, 1, "Swift", "#ffffff", {"background": "#333366"}), (4, 1, "Swing", "#ffffff", {}))
    result.wait(0.08)
    result.event("effectResumed", effect=timer)
    result.action("tick", effect=timer)
    result.waits(timer, 1)
    running, = result.action("queryChanged(\"swim\")", (["query"], text("swi"), text("swim")),
                             (["isSearching"], leaf("false"), leaf("true")),
                             starts=[dict(label="search", place="Search.swift:40", ids=["CancelID.search"])])
    result.waits(running, 0.3, on="scheduler")
    result.wait(0.3)
    result.event("effectResumed", effect=running)
    result.wait(0.25)
    result.action("failed(\"offline\")", (["error"], leaf("nil"), text("offline")),
                  (["isSearching"], leaf("true"), leaf("false")), effect=running, tag=SPRING)
    result.event("issue", message="The server could not be reached.", place="Search.swift:52")
    result.end(running, "failed")
    result.wait(60 * 7)
    result.action("cleared", (["query"], text("swim"), text("")), (["error"], text("offline"), leaf("nil")),
                  (["results", "1"], text("Swing"), None), (["results", "0"], text("Swift"), None))
    result.end(timer, "cancelled", by={"action": result.actions})
    return result.text()


def cut_off():
    """The search, as it is left by a program that was killed in the middle of a line."""
    text = search()
    return text[:text.index('"event": "issue"') - 20]


def large(count=10_000):
    """Ten thousand actions of a list of two hundred rows, with an effect for every tenth."""
    rows = [record("Row", id=leaf(str(n)), title=text(f"Row {n}"), count=leaf("0")) for n in range(200)]
    result = Recording("Counters", record("Counters.State", total=leaf("0"), rows=array("Array<Row>", *rows)),
                       ["rowTapped", "saved", "reset"])
    counts, total, saving = [0] * 200, 0, []
    while result.actions < count:
        result.wait(0.05 if result.actions % 500 else 40)
        if saving and result.actions % 10 == 9:
            effect = saving.pop(0)
            result.event("effectResumed", effect=effect)
            result.action("saved", effect=effect, tag=DEFAULT)
            result.end(effect)
            continue
        row = result.actions * 7 % 200
        counts[row] += 1
        total += 1
        starts = [dict(label="save", place="Counters.swift:44", ids=[f"Save({row})"])] if result.actions % 10 == 1 else []
        started = result.action(
            f"rowTapped({row})", (["total"], leaf(str(total - 1)), leaf(str(total))),
            (["rows", str(row), "count"], leaf(str(counts[row] - 1)), leaf(str(counts[row]))), starts=starts)
        for effect in started:
            result.waits(effect, 0.4)
            saving.append(effect)
    return result.text()


def table(rows=1_000, count=10_000):
    """Ten thousand actions of a list of a thousand rows, of which a few insert or remove a row in front."""
    element = lambda n: record("Row", id=leaf(str(n)), title=text(f"Row {n}"), isOn=leaf("false"), count=leaf("0"))
    elements = [element(n) for n in range(rows)]
    result = Recording("Table", record("Table.State", total=leaf("0"), rows=array("Array<Row>", *elements)),
                       ["rowTapped", "rowInserted", "rowRemoved"])
    total = 0

    def member(row, name):
        return next(each for each in row["children"] if each[0] == name)

    while result.actions < count:
        result.wait(0.05)
        if result.actions % 500 == 499:
            # The elements of a list are recorded by their positions, so that all of them change.
            isInserted = result.actions % 1_000 == 499
            new = [element(rows + result.actions), *elements] if isInserted else elements[1:]
            changes = []
            for index, (before, after) in enumerate(zip(elements, new)):
                changes += [(["rows", str(index), old[0]], old[1], value[1])
                            for old, value in zip(before["children"], after["children"]) if old != value]
            changes.append((["rows", str(len(elements))], None, new[-1]) if isInserted
                           else (["rows", str(len(new))], elements[-1], None))
            elements = new
            result.action("rowInserted" if isInserted else "rowRemoved", *changes)
            continue
        index = result.actions * 7 % len(elements)
        pair = member(elements[index], "count")
        old, new = pair[1], leaf(str(int(pair[1]["value"]) + 1))
        elements[index] = {**elements[index], "children": [
            ["count", new] if each[0] == "count" else each for each in elements[index]["children"]]}
        result.action(f"rowTapped({index})", (["total"], leaf(str(total)), leaf(str(total + 1))),
                      (["rows", str(index), "count"], old, new))
        total += 1
    return result.text()


def grown(count=10_000):
    """A list that has a row more behind each of ten thousand actions."""
    result = Recording("Grown", record("Grown.State", rows=array("Array<Row>")), ["rowAdded"])
    for number in range(count):
        result.wait(0.05)
        row = record("Row", id=leaf(str(number)), title=text(f"Row {number}"))
        result.action("rowAdded", (["rows", str(number)], None, row))
    return result.text()


def words():
    """A list of words without ids: the changes that are recorded go by position."""
    result = Recording("Words", record("Words.State", words=array("Array<String>", text("b"), text("c"))), ["next"])
    for old, new in [("bc", "abc"), ("abc", "bc")]:
        longer, common = max(len(old), len(new)), min(len(old), len(new))
        changes = [(["words", str(at)], text(old[at]), text(new[at])) for at in range(common)]
        for at in range(common, longer):
            changes.append((["words", str(at)], text(old[at]) if at < len(old) else None, text(new[at]) if at < len(new) else None))
        result.wait(0.1)
        result.action("next", *changes)
    return result.text()


def cleared():
    """A list of three elements, all of which go at once, from its front."""
    result = Recording("Cleared", record("Cleared.State", results=array("Array<Int>", leaf("1"), leaf("2"), leaf("3"))), ["clear"])
    result.action("clear", *[(["results", str(at)], leaf(str(at + 1)), None) for at in range(3)])
    return result.text()


def lists(seed, count=300):
    """
    Random changes of a list, and the list behind each of them, as pairs of a name and a value.

    Most changes are those that a store records: by place, what is removed in front. Others remove, replace and
    insert elements anywhere, so that the names of the others are no longer their places.
    """
    choice = random.Random(seed)
    values = (str(number) for number in range(1_000_000))
    pairs = [[str(at), next(values)] for at in range(5)]
    result = Recording("Lists", record("Lists.State", list={"kind": "collection", "type": "Array<Int>", "children": [
        [name, leaf(value)] for name, value in pairs]}), ["next"])
    states = [[tuple(each) for each in pairs]]

    def recorded():
        """The list as it is recorded: its elements are named by their places."""
        new = [value for _, value in pairs]
        if choice.random() < 0.3:
            new = new[choice.randrange(len(new) + 1):]
        for _ in range(choice.randrange(3)):
            new.insert(choice.randrange(len(new) + 1), next(values))
        if choice.random() < 0.5:
            new = new[:choice.randrange(len(new) + 1)]
        while choice.random() < 0.6 and len(new) < 30:
            new.append(next(values))
        names = [str(at) for at in range(len(new))]
        if [name for name, _ in pairs[:len(new)]] != names[:len(pairs)]:
            pairs[:] = [[name, value] for name, value in zip(names, new)]
            return [(["list"], None, {"kind": "collection", "type": "Array<Int>", "children": [
                [name, leaf(value)] for name, value in pairs]}, None)]
        removed = [(["list", name], leaf(value), None, None) for name, value in pairs[len(new):]]
        kept = [(["list", old[0]], leaf(old[1]), leaf(value), None) for old, value in zip(pairs, new) if old[1] != value]
        inserted = [(["list", name], None, leaf(value), None) for name, value in list(zip(names, new))[len(pairs):]]
        pairs[:] = [[name, value] for name, value in zip(names, new)]
        return removed + kept + inserted

    def shifted():
        """Changes by name, which leave gaps and names in another order."""
        changes = []
        for _ in range(choice.randrange(1, 6)):
            kind = choice.randrange(3)
            if kind == 0 and pairs:
                name, value = pairs.pop(choice.randrange(len(pairs)))
                changes.append((["list", name], leaf(value), None, None))
            elif kind == 1 and pairs:
                pair = choice.choice(pairs)
                old, pair[1] = pair[1], next(values)
                changes.append((["list", pair[0]], leaf(old), leaf(pair[1]), None))
            else:
                name = choice.choice([str(at) for at in range(40) if str(at) not in [each for each, _ in pairs]])
                place = choice.randrange(len(pairs) + 1)
                pairs.insert(place, [name, next(values)])
                changes.append((["list", name], None, leaf(pairs[place][1]), place))
        return changes

    for _ in range(count):
        result.wait(0.1)
        changes = recorded() if choice.random() < 0.7 else shifted()
        result.action("next", *[change[:3] for change in changes])
        for line, change in zip(result.lines[-1]["changes"], changes):
            if change[3] is not None:
                line["index"] = change[3]
        states.append([tuple(each) for each in pairs])
    return result.text(), states


def long():
    """Values that are too long to be shown whole, and effects and issues with places."""
    filler = [text(f"a line of the note, with the number {n}") for n in range(20)]
    note = lambda word: record("Note", lines=array("Array<String>", *filler, text(f"and {word}")))
    result = Recording("Notes", record("Notes.State", notes=array("Array<Note>"), isSaved=leaf("false")),
                       ["noteWritten", "saved"])
    result.action("noteWritten", (["notes", "0"], None, note("marzipan")), value=record(
        "Notes.Action", kind="enum", case="noteWritten", **{"0": note("saffron")}))
    saving, = result.action("saveTapped", starts=[dict(label="save", place="Sources/Notes/NoteEffects.swift:77", ids=[])])
    result.wait(0.1)
    result.action("saved", (["isSaved"], leaf("false"), leaf("true")), effect=saving)
    result.event("issue", message="It took too long.", place="Sources/Notes/Disk.swift:9")
    result.end(saving)
    return result.text()


def reported():
    """Issues: of the first action before its commit, of an effect behind the second, of two actions in one commit."""
    result = Recording("Reported", record("Reported.State", count=leaf("0")), ["a", "b", "c", "d"])
    issue = lambda message: result.event("issue", message=message, place="Reported.swift:1")

    def action(name):
        result.action(name)
        return result.lines.pop()

    commit = action("a")
    issue("of a")
    result.lines.append(commit)
    result.action("b")
    issue("behind b")
    action("c")
    issue("of c")
    commit = action("d")
    issue("of d")
    result.lines.append({**commit, "actions": [3, 4], "commit": 3})
    return result.text()


def wordy():
    """A name, a title and a text of fifty thousand words, and as many issues and parts of one effect."""
    words = "lorem ipsum " * 25_000
    result = Recording("Wordy", record("Wordy.State", name=text("needle in the initial state")), ["named", "busy"])
    result.action("named", (["name"], text("needle in the initial state"), text(words)), value=record(
        "Wordy.Action", kind="enum", case="named", **{"0": text(words)}))
    outer, = result.action("busy", starts=[dict(label="busy", place="Wordy.swift:5", ids=[])])
    part = result.start("delay", kind="delay", parent=outer, place="Wordy.swift:6", ids=[])
    for _ in range(130_000):
        result.event("effectWaits", effect=part, on="turn")
        result.event("effectResumed", effect=part)
    for number in range(70_000):
        result.event("issue", message=f"issue {number}", place="Wordy.swift:7")
    return result.text()


def redrawn():
    """A screen that shows an action before its commit."""
    result = Recording("Redrawn", record("Redrawn.State", count=leaf("0")), ["a", "b"])
    result.action("a")
    result.frame((0, 0, "after a", "#ffffff", {}))
    result.wait(0.1)
    result.action("b")
    commit = result.lines.pop()
    result.frame((0, 0, "after b", "#ffffff", {}))
    result.lines.append(commit)
    return result.text()


def near():
    """Actions a millisecond apart."""
    result = Recording("Near", record("Near.State", count=leaf("0")), ["a", "b", "c", "d"])
    for name in "abcd":
        result.wait(0.001)
        result.action(name)
    return result.text()


def edited():
    """A text of five thousand characters, of which one changes, and which goes at last."""
    before, after = "x" * 3_000 + "OLD" + "y" * 2_000, "x" * 3_000 + "NEW" + "y" * 2_000
    result = Recording("Edited", record("Edited.State", note=text(before), rest=text(after)), ["edited", "emptied"])
    result.action("edited", (["note"], text(before), text(after)))
    result.wait(0.1)
    result.action("emptied", (["note"], text(after), text("")))
    return result.text()


# Texts with marks that cannot be seen, and what is shown of them.
MARKS = {
    "family": ("\U0001f469\u200d\U0001f469\u200d\U0001f467", None), "heart": ("\u2764\ufe0f\u200d\U0001f525", None),
    "keycap": ("1\ufe0f\u20e3", None), "flag": ("\U0001f3f3\ufe0f\u200d\U0001f308!", None),
    "dark": ("\U0001f9d1\U0001f3ff\u200d\U0001f680", None),
    "alone": ("\u200d", "\\u{200d}"), "letters": ("pay\u200dpal", "pay\\u{200d}pal"),
    "behind": ("\U0001f469\u200d", "\U0001f469\\u{200d}"), "twice": ("\U0001f469\u200d\u200d\U0001f467", "\U0001f469\\u{200d}\\u{200d}\U0001f467"),
    "accent": ("a\u200d\u0301", "a\\u{200d}\u0301"), "selector": ("\ufe0f", "\\u{fe0f}"),
    "selectors": ("a\ufe01\ufe02", "a\ufe01\\u{fe02}"), "turned": ("\u202e\U0001f469\u200d\U0001f467\u200b", "\\u{202e}\U0001f469\u200d\U0001f467\\u{200b}"),
}


def marks():
    """Joined characters, and joiners and selectors where no character needs them."""
    return Recording("Marks", record("Marks.State", **{name: leaf(value) for name, (value, _) in MARKS.items()})).text()


def leftward():
    """Names and values that are written from right to left, with numbers in them."""
    name = lambda number: f"مرحبا بالعالم {number} هذا اسم طويل جدا لا يتسع له المكان في القائمة {number}"
    value = lambda number: leaf(f'"עולם {number}"')
    result = Recording("Leftward", record("Leftward.State", name=value(0)), ["nameChanged"])
    for number in range(3):
        result.action(f'nameChanged("{name(number)}")', (["name"], value(number), value(number + 1)))
        result.wait(0.04)
    return result.text()


def crowded():
    """Long and short names close to each other, and an effect whose parts wait at one time."""
    result = Recording("Crowded", record("Crowded.State", count=leaf("0")), ["named", "go", "ok"])
    names = ['nameChanged("ada")', "go", 'loggedIn("token of ada")', "ok", "日本語日本語日本語日本語", 'tag("tag5")', 'WWWWWWWWWWWWW', "m"]
    load, = result.action("appeared", starts=[dict(label="load", place="Crowded.swift:4", ids=[])])
    parts = [result.start("delay", kind="delay", parent=load, place=f"Crowded.swift:{number}", ids=[]) for number in range(5)]
    for number, part in enumerate(parts):
        result.waits(part, 5 + number)
        result.wait(0.06)
    for number in range(60):
        result.wait(0.01 if number % 4 else 0.2)
        result.action(names[number * 5 % len(names)])
    for part in parts:
        result.event("effectResumed", effect=part)
        result.wait(0.05)
    return result.text()


HOSTILE = [
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\"><svg onload=document.title='owned'>",
    "javascript:document.title='owned'",
    "<!--<script>", "]]>", "</style><style>*{display:none}</style>",
    "\u202egnirts dnuorа denrut a\u202c", "\u2066hidden\u2069", "a\u0000b\u0007c\u001b[31mred", "\u2028line\u2029",
    "{{page.js}}", "__proto__", "constructor", "x" * 20_000, "\U0001f9d1\u200d\U0001f680", "\ufeff", "${1+1}",
]


def steps():
    """A concatenation: one effect, then two beside each other, all under one cancellation id."""
    result = Recording("Home", record("Home.State", count=leaf("0")), ["appeared", "loaded"])
    first, = result.action("appeared", starts=[
        dict(label="run", place="Home.swift:20", ids=[".load"], steps=[{"of": 1, "step": 1}])])
    result.event("drawn", effect=first, endpoint="HomeClient.authenticate")
    result.wait(0.1)
    result.action("loaded(theAnswerOfTheAuthenticationThatIsLong)", effect=first)
    result.end(first)
    both = [result.start("run", place=f"Home.swift:{line}", ids=[".load"], action=1, steps=[{"of": 1, "step": 2}])
            for line in (24, 25)]
    for effect, seconds in zip(both, [0.3, 1.6]):
        result.wait(seconds)
        result.action("loaded", effect=effect)
        result.end(effect)
    return result.text()


def tree():
    """A concatenation: one effect, then two operators beside each other, of which the first has three parts with names."""
    result = Recording("Home", record("Home.State", count=leaf("0")), ["appeared", "loaded"])

    def start(step, kind, name=None, **fields):
        label = f'{kind} "{name}"' if name else kind
        return result.start(label, kind=kind, ids=[".load"], action=1, steps=[{"of": 1, "step": step}], **fields)

    result.action("appeared")
    first = start(1, "future", "files.load", place="Files.swift:3")
    result.wait(0.1)
    result.end(first)
    outer = start(2, "receive", place="Home.swift:40")
    login = start(2, "future", "server.logIn", parent=outer)
    other = start(2, "receive", place="Home.swift:41")
    only = start(2, "future", "matches.load", parent=other)
    result.wait(0.2)
    parts = [start(2, "future", name, parent=outer, after=login) for name in ("server.week", "server.today")]
    result.end(login)
    for part in parts:
        result.wait(0.3)
        result.end(part)
        result.action("loaded", effect=outer, tag=DEFAULT)
    for effect in (only, other, outer):
        result.end(effect)
    return result.text()


def hostile():
    """Every string of the recording is an attack; numbers and objects have surprising forms."""
    lines = []
    for number, attack in enumerate(HOSTILE, 1):
        node = {"type": attack, "kind": "enum", "case": attack, "children": [[attack, {"value": attack}], ["__proto__", {"value": attack}]]}
        if number == 1:
            lines.append({"recording": 2, "host": attack, "feature": attack, "stateType": attack, "actionType": attack,
                          "date": 1, "actionCases": [attack], "place": attack,
                          "state": {"type": attack, "kind": "struct", "children": [[each, {"value": each}] for each in HOSTILE]}})
        lines.append({"event": "effectStarted", "at": number, "effect": number, "kind": attack, "label": attack, "place": attack,
                      "ids": [attack, attack], "action": number})
        lines.append({"event": "effectWaits", "at": number, "effect": number, "on": "turn", "until": number + 0.5})
        lines.append({"event": "action", "at": number, "action": number, "case": attack, "name": attack, "value": node,
                      **({"effect": number - 1} if number > 1 else {})})
        lines.append({"event": "commit", "at": number, "commit": number, "actions": [number], "digest": attack,
                      "transaction": {"name": attack, "tagged": True, "animation": {"curve": attack, "duration": 1, "samples": [0, 1e308, -1e308, 1]}},
                      "changes": [{"path": [attack], "old": {"value": attack}, "new": node}]})
        lines.append({"event": "frame", "at": number, "columns": 20, "rows": 2, "cells": [
            {"row": 0, "column": 0, "text": attack, "foreground": attack, "background": attack}]})
        lines.append({"event": "issue", "at": number, "message": attack, "place": attack})
        lines.append({"event": "effectEnded", "at": number, "effect": number, "how": "cancelled", "by": "host"})
    lines.append({"event": "end", "at": 99, "events": len(lines) - 1})
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def kept(name):
    """A recording of an example."""
    return (pathlib.Path(__file__).parents[1] / "RecordedTests" / f"{name}.jsonl").read_text()


RECORDINGS = {"launch": lambda: kept("launch"), "sign-up": lambda: kept("sign-up"), "search": search, "cut-off": cut_off, "large": large, "table": table, "grown": grown, "words": words, "cleared": cleared, "long": long, "wordy": wordy, "leftward": leftward, "marks": marks, "edited": edited, "crowded": crowded, "reported": reported, "redrawn": redrawn, "near": near, "steps": steps, "tree": tree, "hostile": hostile}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in RECORDINGS:
        sys.exit(__doc__)
    sys.stdout.write(RECORDINGS[sys.argv[1]]())
