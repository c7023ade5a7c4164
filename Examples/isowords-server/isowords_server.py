#!/usr/bin/env python3
"""The server of isowords-home, for one machine and one afternoon.

It keeps accounts and access tokens in memory, and can be slow or broken on purpose:

    python3 isowords_server.py --port 8080 --latency 200 --fault malformed --times 2

Needs Python 3.9 and nothing else.
"""

import argparse
import json
import secrets
import ssl
import sys
import threading
import time
import zlib
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FAULTS = (
    "status", "malformed", "oversized", "hang", "drip", "reset", "expired", "endless", "bomb",
    "announced", "chunk", "other-protocol", "cut", "half-header", "trailers", "boundless",
    "long-header", "long-location", "switch", "crumbs")
MAXIMUM_BODY = 1 << 16
PLAYERS = {"timed": 20, "unlimited": 8}
SENTENCE = "WORDSHIDEONTHESIDESOFEVERYCUBEANDEACHLETTERTHATISTAKENTHREETIMESTAKESITSCUBEALONG"


class Accounts:
    """Who plays, and which access tokens are good until when."""

    def __init__(self, lifetime, stale):
        self.lifetime = lifetime
        self.stale = stale
        self.lock = threading.Lock()
        self.players = {}
        self.tokens = {}

    def authenticate(self, device, player, name):
        with self.lock:
            account = self.players.setdefault(device, {"id": player or device})
            if name is not None:
                account["displayName"] = name
            token = secrets.token_urlsafe(24)
            self.tokens[token] = time.monotonic() + (0 if self.stale > 0 else self.lifetime)
            self.stale -= 1
            return {"accessToken": token, "player": dict(account)}

    def accepts(self, token):
        with self.lock:
            return time.monotonic() < self.tokens.get(token, 0)


class Faults:
    """What is to go wrong, and how many times more."""

    def __init__(self, kind, times):
        self.kind = kind
        self.times = times
        self.lock = threading.Lock()

    def next(self):
        with self.lock:
            if self.kind is None or self.times == 0:
                return None
            self.times -= 1
            return self.kind


def endless():
    """A body that never ends."""
    yield b"HTTP/1.1 200 OK\r\n\r\n"
    while True:
        yield b" " * 65536


def bomb():
    """A body that never ends, of which a thousandth is sent."""
    yield b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
    packed = zlib.compressobj(9, zlib.DEFLATED, 31)
    while True:
        yield packed.compress(b" " * (1 << 20))


def announced():
    """A body that says that it is longer than a disk."""
    yield b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n" + b" " * 65536


def switch():
    """Another protocol, which is never spoken."""
    yield b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: nothing\r\n\r\n"
    time.sleep(60)


def crumbs():
    """A body that never ends, byte by byte."""
    yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    while True:
        yield b"1\r\n \r\n" * 10000


def header(*lines):
    return ["\r\n".join(("HTTP/1.1 200 OK", *lines, "", "")).encode()]


HOSTILE = {
    "switch": switch, "crumbs": crumbs,
    "half-header": lambda: [b"HTTP/1.1 200 OK\r\nContent-"],
    "trailers": lambda: header("Transfer-Encoding: chunked") + [b"1\r\n[\r\n0\r\nA: b\r\n\r\n"],
    "boundless": lambda: header("Content-Length: 9223372036854775807"),
    "long-header": lambda: header("A: " + "a" * 200000),
    "long-location": lambda: [
        b"HTTP/1.1 302 Found\r\nLocation: /" + b"a" * 90000 + b"\r\nContent-Length: 0\r\n\r\n"],
    "endless": endless, "bomb": bomb, "announced": announced,
    "chunk": lambda: [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
    "other-protocol": lambda: [b"SSH-2.0-nobody\r\n"],
    "cut": lambda: [b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}"],
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.respond({
            "/api/daily-challenges/today": challenges,
            "/api/leaderboard/week-in-review": self.week_in_review,
        })

    def do_POST(self):
        self.respond({
            "/api/authenticate": self.authenticate,
            "/api/daily-challenges/start": self.start,
        })

    def respond(self, routes):
        body = self.body()
        route = self.path.partition("?")[0]
        time.sleep(self.server.latency)
        if body is None or route not in routes:
            return self.send(400 if route in routes else 404, b"")
        if route != "/api/authenticate":
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            fault = self.server.faults.next()
            if fault is not None:
                return self.fail(fault)
            if not self.server.accounts.accepts(token):
                return self.fail("expired")
        try:
            answer = routes[route](body)
        except (KeyError, TypeError):
            return self.send(400, b"")
        self.send(200, json.dumps(answer).encode())

    def body(self):
        """The body as JSON; an empty object if there is none, None if it is no JSON."""
        try:
            length = int(self.headers.get("Content-Length", 0))
            if not 0 <= length <= MAXIMUM_BODY:
                # What is not read would be taken for the next request.
                self.close_connection = True
                return None
            return json.loads(self.rfile.read(length) or b"{}")
        except ValueError:
            return None

    def fail(self, fault):
        if fault == "status":
            self.send(503, b"")
        elif fault == "expired":
            self.send(401, b"", {"WWW-Authenticate": 'Bearer realm="isowords"'})
        elif fault == "malformed":
            self.send(200, b'{"ranks": [')
        elif fault == "oversized":
            self.send(200, b" " * (4 << 20))
        elif fault == "drip":
            self.drip(60)
        elif fault in HOSTILE:
            self.close_connection = True
            try:
                for piece in HOSTILE[fault]():
                    self.connection.sendall(piece)
            except OSError:
                pass
            self.connection.close()
        else:
            if fault == "hang":
                time.sleep(60)
            self.close_connection = True
            self.connection.close()

    def drip(self, seconds):
        """An answer of which a byte comes every now and then, so that nobody seems to be away."""
        try:
            self.send_response(200)
            self.send_header("Content-Length", str(10 * seconds))
            self.end_headers()
            for _ in range(10 * seconds):
                self.wfile.write(b" ")
                time.sleep(0.1)
        except OSError:
            self.close_connection = True

    def send(self, status, body, headers={}):
        try:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            self.close_connection = True

    def authenticate(self, body):
        return self.server.accounts.authenticate(
            body["deviceId"], body.get("playerId"), body.get("displayName"))

    def week_in_review(self, _):
        return week_in_review(self.server.word)

    def start(self, body):
        return game(body["gameMode"], body["language"])


def midnight():
    today = datetime.now(timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
    return today + timedelta(days=1)


def challenge_id(mode):
    return datetime.now(timezone.utc).strftime("%Y-%m-%d-") + mode


def challenges(_):
    return [{
        "dailyChallenge": {
            "endsAt": midnight().timestamp(), "gameMode": mode, "id": challenge_id(mode),
            "language": "en",
        },
        "yourResult": {"outOf": players, "started": False},
    } for mode, players in PLAYERS.items()]


def week_in_review(word):
    return {
        "ranks": [
            {"gameMode": "timed", "outOf": 230, "rank": 12},
            {"gameMode": "unlimited", "outOf": 185, "rank": 3},
        ],
        "word": {"letters": word, "score": 312},
    }


def game(mode, language):
    letters = iter(SENTENCE)
    face = lambda: {"letter": next(letters), "useCount": 0}
    return {
        "cubes": [[[
            {"left": face(), "right": face(), "top": face()}
            for _ in range(3)] for _ in range(3)] for _ in range(3)],
        "dailyChallengeId": challenge_id(mode), "gameMode": mode,
        "gameStartTime": time.time(), "language": language, "moves": [], "secondsPlayed": 0,
    }


def number(low, high, kind=float):
    """A type of arguments: a number of this range."""
    def parse(text):
        value = kind(text)
        # Also no number at all ("nan") is not between the two.
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is not between {low} and {high}")
        return value
    parse.__name__ = kind.__name__
    return parse


def end(problem):
    """Ends the program, with one line about what it was given."""
    print(f"isowords_server.py: {problem}", file=sys.stderr)
    sys.exit(2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=number(0, 65535, int), default=8080,
                        help="0 for any that is free")
    parser.add_argument("--latency", type=number(0, 3_600_000), default=0, metavar="MS")
    parser.add_argument("--token-lifetime", type=float, default=86400, metavar="SECONDS")
    parser.add_argument("--stale-tokens", type=number(0, 1_000_000, int), default=0, metavar="N",
                        help="the first N tokens are too old from the beginning")
    parser.add_argument("--fault", choices=FAULTS, help="what goes wrong after signing in")
    parser.add_argument("--times", type=int, default=-1, help="how often; always if not given")
    parser.add_argument("--word", default="LAUNCHES", help="the best word of the week")
    parser.add_argument("--certificate", metavar="FILE", help="a key and a certificate, for https")
    options = parser.parse_args()

    context = None
    try:
        if options.certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(options.certificate)
    except OSError as error:
        end(f"{options.certificate}: {error.strerror or error}")
    try:
        server = ThreadingHTTPServer((options.host, options.port), Handler)
    except (OSError, UnicodeError) as error:
        end(f"{options.host}, port {options.port}: {getattr(error, 'strerror', None) or error}")
    server.daemon_threads = True
    server.latency = options.latency / 1000
    server.accounts = Accounts(options.token_lifetime, options.stale_tokens)
    server.faults = Faults(options.fault, options.times)
    server.word = options.word
    scheme = "http"
    if context is not None:
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False)
        scheme = "https"
    print(f"{scheme}://{options.host}:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
