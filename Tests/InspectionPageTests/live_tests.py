"""Tests of the page of a program that is running, in headless Chromium. See `run` beside this file."""

import fcntl
import json
import os
import pathlib
import pty
import signal
import struct
import subprocess
import tempfile
import termios
import threading
import time
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from page_tests import start_browser
import recordings

SCREENSHOTS = os.environ.get("SCREENSHOTS")


class LiveTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser()
        cls.browser.set_window_size(1280, 800)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "a.jsonl")

    def serve(self, *arguments):
        """Starts `rondo live`, and opens the page that it names."""
        live = subprocess.Popen(
            [os.environ["RONDO"], "live", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        self.addCleanup(live.stderr.close)
        self.addCleanup(live.wait)
        self.addCleanup(live.terminate)
        address = live.stderr.readline().split()[-1]
        self.assertRegex(address, r"^http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}/$")
        threading.Thread(target=live.stderr.read, daemon=True).start()
        self.browser.get_log("browser")
        self.browser.get(address)
        return live

    def tearDown(self):
        errors = [each for each in self.browser.get_log("browser") if "favicon" not in each["message"]]
        self.assertEqual(errors, [], "the page reports an error")

    def text(self, selector):
        return self.browser.execute_script(
            "return document.querySelector(arguments[0]).textContent.replace(/\\s+/g, ' ')", selector)

    def wait(self, selector, words, seconds=30):
        end = time.time() + seconds
        while words not in (text := self.text(selector)):
            self.assertLess(time.time(), end, f"{selector} is {text!r}, without {words!r}")
            time.sleep(0.02)

    def press(self, key):
        ActionChains(self.browser).send_keys(key).perform()

    def picture(self, name):
        if SCREENSHOTS:
            self.browser.save_screenshot(str(pathlib.Path(SCREENSHOTS, f"{name}.png")))

    def test_a_real_program_is_followed_to_its_end(self):
        self.serve("--", os.environ["HOME_PROGRAM"], "--once")
        self.wait("#feature", "Home")
        self.wait("#live", "has ended with status 0")
        self.wait("#live", "The recording has ended.")
        position = self.text("#position").split()
        self.assertEqual(position[0], position[2])
        self.assertGreater(int(position[0]), 5)
        self.assertRegex(self.text("#story"), r"from outside and \d+ from \d+ effects")
        self.picture("live-home")

    def start_on_terminal(self, program):
        """Starts a program that records, on a terminal of its own."""
        process, terminal = pty.fork()
        if process == 0:
            folder = str(self.file.parent)
            os.execve(program, [program], {**os.environ, "RONDO_RECORD": str(self.file), "TERM": "xterm", "XDG_DATA_HOME": folder})
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))

        def drain():
            try:
                while os.read(terminal, 1 << 16):
                    pass
            except OSError:
                pass

        def end():
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            os.close(terminal)

        threading.Thread(target=drain, daemon=True).start()
        self.addCleanup(end)
        while not self.file.exists():
            time.sleep(0.02)

    def click(self, selector):
        self.browser.execute_script("document.querySelector(arguments[0]).click()", selector)

    def test_a_running_program_is_acted_on(self):
        """The home program on a terminal waits for its user; its page sends, goes back, holds effects, and lets them go."""
        self.start_on_terminal(os.environ["HOME_PROGRAM"])
        self.serve(self.file)
        self.wait("#feature", "TerminalScreen")
        self.wait("#control", "send again")

        def recorded(event):
            return [each for line in self.file.read_text().splitlines(keepends=True) if line.endswith("\n")
                    for each in [json.loads(line)] if each.get("event") == event]

        def wait_until(is_so, words):
            end = time.time() + 30
            while not is_so():
                self.assertLess(time.time(), end, words)
                time.sleep(0.02)

        def deeds():
            return [each["did"] for each in recorded("tool")]

        # The launch: an action of the user, and five answers. A minute may pass at any time.
        wait_until(lambda: int(self.text("#position").split()[2]) >= 6, "the launch has not ended")
        self.assertTrue(self.browser.execute_script("return document.querySelector('#to-now').disabled"))
        self.press(Keys.HOME)
        self.press(Keys.ARROW_RIGHT)
        self.wait("#title", "onAppear")
        self.picture("live-control")
        self.click("#hold")
        self.wait("#hold", "let all effects go")
        count = len(recorded("action"))
        self.click("#send-again")
        wait_until(lambda: "send" in deeds(), "the action was not sent again")
        self.wait("#held", "let ")
        self.picture("live-held")
        self.click("#held button")
        wait_until(lambda: "letGo" in deeds(), "no effect was let go")
        self.click("#hold")
        self.wait("#hold", "hold effects")
        wait_until(lambda: len(recorded("action")) >= count + 6, "the second launch has not ended")
        self.press(Keys.HOME)
        self.click("#jump")
        wait_until(lambda: deeds().count("jump") == 1, "the program is not back at the beginning")
        self.wait("#live", "is running")
        self.picture("live-jump")
        wait_until(lambda: not self.browser.execute_script("return document.querySelector('#to-now').disabled"), "there is no way back")
        self.click("#to-now")
        wait_until(lambda: deeds().count("jump") == 2, "the program is not back at its state")
        self.assertEqual(deeds(), ["hold", "send", "letGo", "release", "jump", "jump"])
        self.assertEqual(self.text("#problem"), "")

    def test_an_action_is_sent_again_with_all_digits(self):
        """A number of JavaScript has 16 digits. Nobody listens at the socket: what the page asks for is looked at."""
        data = '{"opened":{"id":9007199254740993,"price":0.1234567890123456789}}'
        lines = recordings.search().splitlines(keepends=True)
        begin = json.loads(lines[0])
        begin["control"] = "/nowhere"
        action = next(line for line in lines if '"event": "action"' in line or '"event":"action"' in line)
        commit = next(line for line in lines if '"event": "commit"' in line or '"event":"commit"' in line)
        action = action.rstrip()[:-1] + f',"data":{data}}}\n'
        self.file.write_text(json.dumps(begin) + "\n" + action + commit)
        held = self.file.open("a")
        self.addCleanup(held.close)
        fcntl.flock(held, fcntl.LOCK_EX)
        self.serve(self.file)
        self.wait("#control", "send again")
        # The answer that there is a program, and that it takes actions.
        self.browser.execute_script("""
            window.asked = [];
            window.fetch = async (_, { body }) => (asked.push(body), new Response('{"canSend":true}'));
            document.querySelector("#pace").dispatchEvent(new Event("change"));""")
        end = time.time() + 30
        while self.browser.execute_script("return document.querySelector('#send-again').disabled"):
            self.assertLess(time.time(), end, "the action cannot be sent")
            time.sleep(0.02)
        self.click("#send-again")
        self.assertEqual(self.browser.execute_script("return asked[1]"), f'{{"deed":"send","action":{data}}}')

    def test_a_program_that_is_killed_shows_as_that(self):
        self.serve("--", "/bin/sh", "-c", f"{os.environ['HOME_PROGRAM']} --once & wait $!; kill -9 $$")
        self.wait("#live", "was ended by signal 9")

    def test_the_newest_moment_is_shown_until_somebody_steps_back(self):
        lines = recordings.search().splitlines(keepends=True)
        commits = [index for index, line in enumerate(lines) if '"commit"' in line and json.loads(line).get("event") == "commit"]
        self.file.write_text("".join(lines[:commits[2] + 1]))
        self.serve(self.file)
        self.wait("#position", "3 of 3")
        self.press(Keys.ARROW_LEFT)
        title = self.text("#title")
        with self.file.open("a") as file:
            file.write("".join(lines[commits[2] + 1:commits[5] + 1]))
        self.wait("#position", "2 of 6")
        self.assertEqual(self.text("#title"), title)
        self.press(Keys.END)
        with self.file.open("a") as file:
            file.write("".join(lines[commits[5] + 1:]))
        self.wait("#position", "9 of 9")
        self.assertEqual(self.text("#title"), "cleared")
        self.wait("#live", "The recording has ended.")

    def test_a_filter_stays_while_more_comes(self):
        lines = recordings.search().splitlines(keepends=True)
        self.file.write_text("".join(lines[:8]))
        self.serve(self.file)
        self.wait("#feature", "Search")
        self.press("/")
        self.press("found")
        with self.file.open("a") as file:
            file.write("".join(lines[8:]))
        self.wait("#matches", "of 10")

    def test_another_recording_in_its_place_is_shown_from_its_start(self):
        self.file.write_text(recordings.search())
        self.serve(self.file)
        self.wait("#position", "9 of 9")
        new = self.file.with_suffix(".new")
        new.write_text(recordings.cleared())
        new.rename(self.file)
        self.wait("#position", "1 of 1")
        self.file.write_text('{"recording":3}\n')
        self.wait("#live", "Use a newer version of Rondo.")

    def test_a_line_that_is_damaged_is_said_and_the_others_are_shown(self):
        lines = recordings.search().splitlines(keepends=True)
        self.file.write_text("".join(lines[:4]) + "{damaged <b>\n" + "".join(lines[4:]))
        self.serve(self.file)
        self.wait("#notes", "A line cannot be read: {damaged <b>")
        self.wait("#position", "9 of 9")

    def test_a_hostile_recording_changes_nothing(self):
        self.file.write_text(recordings.RECORDINGS["hostile"]())
        self.serve(self.file)
        self.wait("#position", "of")
        self.assertIsNone(self.browser.execute_script("return window.attacked ?? null"))
        self.assertEqual(self.browser.execute_script("return document.scripts.length"), 2)

    def test_the_page_says_when_its_server_has_ended(self):
        self.file.write_text(recordings.search())
        live = self.serve(self.file)
        self.wait("#position", "9 of 9")
        live.send_signal(signal.SIGINT)
        self.assertEqual(live.wait(10), 0)
        self.wait("#live", "The connection is lost")
        self.browser.get("about:blank")
        self.browser.get_log("browser")

    def test_ten_actions_a_millisecond_leave_the_page_and_the_program_their_time(self):
        head = json.loads(recordings.search().splitlines()[0])
        head["state"] = {"type": "S", "kind": "struct", "children": [["n", {"value": "0"}]]}
        self.file.write_text(json.dumps(head) + "\n")
        self.serve(self.file)
        self.wait("#live", "stopped")
        self.browser.execute_script("""
            window.longest = 0;
            let last = performance.now();
            const tick = (now) => { window.longest = Math.max(window.longest, now - last); last = now; requestAnimationFrame(tick); };
            requestAnimationFrame(tick);
            """)
        count, events = 20_000, []
        for number in range(1, count + 1):
            at = number / 10_000
            events.append(json.dumps({"event": "action", "at": at, "action": number, "case": "add", "name": ".add", "value": {"value": ".add"}}))
            events.append(json.dumps({
                "event": "commit", "at": at, "commit": number, "actions": [number], "transaction": {"name": "untagged", "tagged": False},
                "changes": [{"path": ["n"], "old": {"value": str(number - 1)}, "new": {"value": str(number)}}], "digest": "0" * 16}))
        start, wrote = time.time(), 0.0
        with self.file.open("a") as file:
            # Every hundredth of a second what ten actions a millisecond make.
            for step in range(0, len(events), 200):
                before = time.time()
                file.write("\n".join(events[step:step + 200]) + "\n")
                file.flush()
                wrote += time.time() - before
                time.sleep(max(0, start + step / 20_000 - time.time()))
        self.wait("#title", "add")
        self.wait('[data-path="n"]', str(count))
        behind = time.time() - start - 2
        longest = self.browser.execute_script("return window.longest")
        print(f"longest frame {longest:.0f} ms, {behind:.1f} s behind, written in {wrote * 1000:.0f} ms")
        self.assertLess(longest, 1000)
        self.assertLess(behind, 20)
        self.assertIn("left out here", self.text("#live"))


if __name__ == "__main__":
    unittest.main(verbosity=1)
