#!/usr/bin/env python3
"""Makes one mistake in a feature that is recorded: `mutations.py FOLDER NUMBER`; without a number it lists them.

FOLDER has the sources of LiveFeatures. The status is 1 behind the last mistake.
"""

import pathlib
import sys

# The file, what is in it, and what is there in its place.
MUTATIONS = [
    ("Courier", "state.parcels.remove(id: id)", "_ = id"),
    ("Courier", "state.shift += .milliseconds(75)", "state.shift += .milliseconds(76)"),
    ("Courier", "clock.timer(interval: .milliseconds(75))", "clock.timer(interval: .milliseconds(85))"),
    ("Courier", "state.visits[street, default: 0] += 1", "state.visits[street] = 1"),
    ("Courier", "        state.conditions = nil\n", ""),
    ("Courier", "milliseconds(25 * step)", "milliseconds(20 * step)"),
    ("Courier", "send(.shiftTicked, animation: .linear)", "send(.shiftTicked)"),
    ("Courier", "state.age += 1", "state.age += 2"),
    ("Courier", "state.$delivered.withLock { $0 += 1 }", "state.$delivered.withLock { $0 += 2 }"),
    ("Courier", "guard state.isOnDuty else { return .cancel(id: CancelID.shift) }", "guard state.isOnDuty else { return .none }"),
]


def main():
    if len(sys.argv) == 2:
        for number, (file, old, new) in enumerate(MUTATIONS):
            print(f"{number} {file}: {old.strip()!r} -> {new.strip()!r}")
        return
    folder, number = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    if number >= len(MUTATIONS):
        sys.exit(1)
    file, old, new = MUTATIONS[number]
    path = folder / f"{file}.swift"
    text = path.read_text()
    if text.count(old) < 1:
        sys.exit(f"mutations: {path} has no {old!r}")
    path.write_text(text.replace(old, new, 1))


if __name__ == "__main__":
    main()
