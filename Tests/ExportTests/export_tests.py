"""Exports of recordings, read by programs that know nothing of Rondo. See `run` beside this file."""

import base64
import functools
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import viztracer
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from perfetto.trace_processor.api import TraceProcessor
from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

sys.path.append(str(pathlib.Path(__file__).parents[1] / "InspectionPageTests"))
import recordings  # noqa: E402

NAMES = ["search", "cut-off", "hostile", "large"]


def exported(name, option):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "recording.jsonl")
        file.write_text(recordings.RECORDINGS[name]())
        return subprocess.run(
            [os.environ["RONDO"], "export", option, file], check=True, capture_output=True).stdout


def lines_of(name):
    """The lines of a recording that are whole."""
    return [json.loads(line) for line in recordings.RECORDINGS[name]().split("\n")[:-1]]


def numbers(name, event):
    return [line for line in lines_of(name) if line.get("event") == event]


class TelemetryTests(unittest.TestCase):
    """OTLP JSON differs from the JSON of its protobuf definition in the ids, which are hexadecimal."""

    def spans(self, name):
        request = json.loads(exported(name, "--otel"))

        def with_bytes(value):
            if isinstance(value, list):
                return [with_bytes(each) for each in value]
            if not isinstance(value, dict):
                return value
            ids = ("traceId", "spanId", "parentSpanId")
            return {
                key: base64.b64encode(bytes.fromhex(each)).decode() if key in ids else with_bytes(each)
                for key, each in value.items()}

        message = json_format.ParseDict(with_bytes(request), ExportTraceServiceRequest())
        return message.resource_spans[0].scope_spans[0].spans

    def test_every_effect_is_a_span_and_every_action_an_event(self):
        for name in NAMES:
            with self.subTest(name):
                spans = self.spans(name)
                self.assertEqual(len(spans), 1 + len(numbers(name, "effectStarted")))
                events = [event for span in spans for event in span.events]
                actions = [event for event in events
                           if any(each.key == "rondo.action" for each in event.attributes)]
                self.assertEqual(len(actions), len(numbers(name, "action")))

    def test_spans_have_ids_and_parents_and_times(self):
        for name in NAMES:
            with self.subTest(name):
                spans = self.spans(name)
                ids = {span.span_id for span in spans}
                self.assertEqual(len(ids), len(spans))
                for index, span in enumerate(spans):
                    self.assertEqual((len(span.trace_id), len(span.span_id)), (16, 8))
                    self.assertTrue(any(span.trace_id) and any(span.span_id))
                    self.assertEqual(span.parent_span_id in ids, index > 0)
                    self.assertLessEqual(span.start_time_unix_nano, span.end_time_unix_nano)

    def test_an_error_has_its_status(self):
        failed = [span for span in self.spans("search") if span.status.code == 2]
        self.assertEqual(len(failed), 1 + sum(
            line["how"] == "failed" for line in numbers("search", "effectEnded")))


class Perfetto:
    """The trace processor of Perfetto, in a browser, asked by its own protocol."""

    def __init__(self):
        root = next(pathlib.Path(viztracer.__file__).parent.glob("web_dist/*/trace_processor.wasm")).parent
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(root))
        handler.func.log_message = lambda *_: None
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu"]:
            options.add_argument(argument)
        self.browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.browser.set_script_timeout(60)
        self.browser.get(f"http://127.0.0.1:{self.server.server_port}/manifest.json")
        self.protos = ProtoFactory(PlatformDelegate())

    def quit(self):
        self.browser.quit()
        self.server.shutdown()
        self.server.server_close()

    def open(self, trace):
        """A processor that has read a trace."""
        self.browser.execute_script("""
            window.worker?.terminate();
            window.worker = new Worker("engine_bundle.js");
            const { port1, port2 } = new MessageChannel();
            window.port = port1;
            window.worker.postMessage(port2, [port2]);
            """)
        self.sequence = 0
        self.ask(request=1, append_trace_data=trace)
        self.ask(request=2)

    def ask(self, **fields):
        """The answers to a request, up to the last of them."""
        stream = self.protos.TraceProcessorRpcStream()
        stream.msg.add(seq=self.sequence, **fields)
        self.sequence += 1
        answers = self.browser.execute_async_script("""
            const [text, done] = arguments;
            window.port.onmessage = ({ data }) => {
              let text = "";
              for (const byte of data) text += String.fromCharCode(byte);
              done([btoa(text)]);
            };
            window.port.postMessage(Uint8Array.from(atob(text), (each) => each.charCodeAt(0)));
            """, base64.b64encode(stream.SerializeToString()).decode())
        messages = []
        for answer in answers:
            stream = self.protos.TraceProcessorRpcStream()
            stream.ParseFromString(base64.b64decode(answer))
            messages += stream.msg
        for message in messages:
            assert not message.fatal_error, message.fatal_error
        return messages

    def rows(self, sql):
        arguments = self.protos.QueryArgs(sql_query=sql)
        messages = self.ask(request=3, query_args=arguments)
        results = [message.query_result for message in messages]
        assert not any(result.error for result in results), results
        assert results[-1].batch[-1].is_last_batch, "more than one answer"
        names = results[0].column_names
        batches = [batch for result in results for batch in result.batch]
        rows = TraceProcessor.QueryResultIterator(names, batches)
        return [tuple(getattr(row, name) for name in names) for row in rows]


class TraceTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.perfetto = Perfetto()

    @classmethod
    def tearDownClass(cls):
        cls.perfetto.quit()

    def test_every_effect_and_action_is_there_without_an_error(self):
        for name in NAMES:
            with self.subTest(name):
                self.perfetto.open(exported(name, "--chrome-trace"))
                errors = self.perfetto.rows("select name, value from stats where severity = 'error' and value > 0")
                self.assertEqual(errors, [])
                on_thread = """
                    select count(*) as n from slice join thread_track on slice.track_id = thread_track.id
                    join thread using (utid) where thread.name = """
                for thread, event in [("actions", "action"), ("commits", "commit"), ("issues", "issue")]:
                    self.assertEqual(
                        self.perfetto.rows(f"{on_thread} '{thread}'"), [(len(numbers(name, event)),)], thread)
                effects = self.perfetto.rows("""
                    select count(*) as n from slice where category = 'effect' and name not like 'waits on a %'""")
                self.assertEqual(effects, [(len(numbers(name, "effectStarted")),)])

    def test_a_span_is_as_long_as_its_effect(self):
        self.perfetto.open(exported("search", "--chrome-trace"))
        rows = self.perfetto.rows("""
            select slice.ts as ts, slice.dur as dur from slice
            where category = 'effect' and name not like 'waits on a %' order by ts""")
        ends = {line["effect"]: line["at"] for line in numbers("search", "effectEnded")}
        expected = []
        for line in numbers("search", "effectStarted"):
            start, end = line["at"], ends.get(line["effect"])
            expected.append((round(start * 1e6) * 1000, -1 if end is None else round((end - start) * 1e6) * 1000))
        self.assertEqual(sorted(rows), sorted(expected))


if __name__ == "__main__":
    unittest.main()
