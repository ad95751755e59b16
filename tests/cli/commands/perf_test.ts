import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { fakeIo } from "../fake_io.ts";
import { NOON, readerOf, requestOf } from "../inspect/samples.ts";

const DAY_MS = 86_400_000;

const world = () =>
  fakeIo({
    now: () => NOON + 8 * DAY_MS,
    openLedger: () =>
      Promise.resolve({
        reader: readerOf([
          requestOf(1),
          requestOf(2, { at: NOON + 3 * DAY_MS }),
        ]),
        close: () => {},
      }),
  });

Deno.test("svc perf looks back a week unless told", async () => {
  const io = world();
  assert.equal(await runCli(["perf", "--format", "json"], io), 0);
  assert.equal(JSON.parse(io.out()).requests.total, 1);
  const all = world();
  assert.equal(await runCli(["perf", "--hours", "0"], all), 0);
  assert.match(all.out(), /^2 requests in /);
});

Deno.test("svc perf prints single requests, and refuses what it does not know", async () => {
  const io = world();
  assert.equal(await runCli(["perf", "--raw", "--format", "csv"], io), 0);
  assert.match(io.out(), /^timestamp,.*\r\n.*\r\n$/);
  for (
    const args of [["--hours", "-1"], ["--hours", "x"], ["--format", "xml"]]
  ) {
    assert.equal(await runCli(["perf", ...args], world()), 2, args.join(" "));
  }
});
