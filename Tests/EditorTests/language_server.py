"""A client of sourcekit-lsp: opens documents and asks what can be written at a place."""

import json
import pathlib
import shutil
import subprocess
import threading
import time


class LanguageServer:
    """A running sourcekit-lsp, and the folder that it serves."""

    def __init__(self, folder, arguments):
        """Starts the server.

        - folder: An empty folder for the documents.
        - arguments: The arguments of the compiler for each document, without its name.
        """
        self.folder = pathlib.Path(folder).resolve()
        self.arguments = arguments
        self.documents = []
        self.process = None

    def add(self, name, text):
        """Writes a document, before the server starts."""
        path = self.folder / name
        path.write_text(text)
        self.documents.append(path)

    def start(self):
        commands = [
            {
                "directory": str(self.folder),
                "arguments": ["swiftc", *self.arguments, str(path)],
                "file": str(path),
            }
            for path in self.documents
        ]
        (self.folder / "compile_commands.json").write_text(json.dumps(commands))
        self.process = subprocess.Popen(
            [shutil.which("sourcekit-lsp"), "--default-workspace-type", "compilationDatabase"],
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        # A server that does not answer is ended, so that reading ends.
        self.watchdog = threading.Timer(300, self.process.kill)
        self.watchdog.daemon = True
        self.watchdog.start()
        self.last = 0
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": self.folder.as_uri(),
                "capabilities": {"textDocument": {"completion": {"completionItem": {}}}},
            },
        )
        self.notify("initialized", {})
        for path in self.documents:
            self.notify(
                "textDocument/didOpen",
                {
                    "textDocument": {
                        "uri": path.as_uri(),
                        "languageId": "swift",
                        "version": 1,
                        "text": path.read_text(),
                    }
                },
            )

    def stop(self):
        if self.process is None:
            return
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            self.process.wait(timeout=10)
        except (OSError, EOFError, subprocess.TimeoutExpired):
            self.process.kill()
        self.watchdog.cancel()
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def words(self, name, line, column):
        """The names that can be written at a place, in the order of an editor, and the seconds that
        the answer took. Lines and columns count from 0."""
        start = time.monotonic()
        answer = self.request(
            "textDocument/completion",
            {
                "textDocument": {"uri": (self.folder / name).as_uri()},
                "position": {"line": line, "character": column},
            },
        )
        seconds = time.monotonic() - start
        items = answer["items"] if isinstance(answer, dict) else answer or []
        items = sorted(items, key=lambda item: item.get("sortText", item["label"]))
        return [item["label"].split("(")[0] for item in items], seconds

    # The protocol

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def request(self, method, parameters):
        self.last += 1
        number = self.last
        self.send({"id": number, "method": method, "params": parameters})
        while True:
            message = self.receive()
            if "method" in message:
                # A request of the server: nothing here can answer it.
                if "id" in message:
                    self.send({"id": message["id"], "result": None})
            elif message.get("id") == number:
                if "error" in message:
                    raise AssertionError(f"{method}: {message['error']['message']}")
                return message.get("result")

    def receive(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError("sourcekit-lsp has ended")
            if line == b"\r\n":
                return json.loads(self.process.stdout.read(length))
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
