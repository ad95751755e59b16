import assert from "node:assert/strict";
import fc from "fast-check";
import { join } from "node:path";
import { jsonLine, maskedField } from "../../src/telemetry/mask.ts";
import { openProxyLog, teeLog } from "../../src/telemetry/proxy_log.ts";
import { CANARY, filesIn, keepingLog, linesIn, NOON } from "./log_samples.ts";
import { inTempDir } from "../temp_dir.ts";

function open(directory: string, maxBytes?: number) {
  const stderr = keepingLog();
  const proxyLog = openProxyLog({
    path: join(directory, "logs", "proxy.log"),
    now: () => NOON,
    fallback: stderr.log,
    ...maxBytes !== undefined && { maxBytes },
  });
  return { ...proxyLog, told: stderr.logged };
}

Deno.test("openProxyLog writes each record as a line of JSON with time, level and event first", () =>
  inTempDir(async (directory) => {
    const { log, close, told } = open(directory);
    log("info", "request", { status: 200, model: "m", cached: false });
    log("error", "x", { time: "mine", host: "h" });
    log("warn", "bare");
    await close();
    const { text } = (await filesIn(directory))["logs/proxy.log"]!;
    assert.equal(
      text,
      [
        '{"time":"2026-03-15T10:30:00.000Z","level":"info","event":"request","status":200,"model":"m","cached":false}',
        '{"time":"2026-03-15T10:30:00.000Z","level":"error","event":"x","host":"h"}',
        '{"time":"2026-03-15T10:30:00.000Z","level":"warn","event":"bare"}',
        "",
      ].join("\n"),
    );
    assert.deepEqual(told, []);
  }));

Deno.test("openProxyLog writes the JSON of any record, and its time to the millisecond", async () => {
  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom('"', "\\", "\n", "\u009b31m", "\u202e", "\ud800", "é"),
    fc.double(),
    fc.boolean(),
  );
  const record = fc.tuple(
    fc.integer({ min: -1, max: 3_000_000 }),
    fc.dictionary(fc.string({ unit: "binary", maxLength: 5 }), value),
  );
  const records = fc.sample(record, { numRuns: 300, seed: 5 });
  await inTempDir(async (directory) => {
    let time = 0;
    const { log, close } = openProxyLog({
      path: join(directory, "proxy.log"),
      now: () => time,
      fallback: () => {},
    });
    for (const [passed, fields] of records) {
      time = NOON + passed;
      log("info", "e", fields);
    }
    await close();
    const { text } = (await filesIn(directory))["proxy.log"]!;
    assert.equal(
      text,
      records.map(([passed, fields]) => {
        const shown = Object.entries(fields)
          .filter(([name]) => !["time", "level", "event"].includes(name))
          .map(([name, value]) => [name, maskedField(name, value)]);
        const time = new Date(NOON + passed).toISOString();
        const head = jsonLine({ time, level: "info", event: "e" });
        const rest = shown.map(([name, value]) =>
          `,${jsonLine(name)}:${jsonLine(value)}`
        );
        return `${head.slice(0, -1)}${rest.join("")}}\n`;
      }).join(""),
    );
  });
});

Deno.test("openProxyLog makes one private file, its lock and a private directory, and nothing else", () =>
  inTempDir(async (directory) => {
    const { log, close } = open(directory);
    log("info", "request");
    await close();
    const files = await filesIn(directory);
    assert.deepEqual(Object.keys(files), [
      "logs/proxy.log",
      "logs/proxy.log.lock",
    ]);
    for (const { mode } of Object.values(files)) assert.equal(mode, 0o600);
    const { mode } = await Deno.stat(join(directory, "logs"));
    assert.equal(mode! & 0o777, 0o700);
  }));

Deno.test("openProxyLog keeps every file below its limit, whatever the records hold", () =>
  inTempDir(async (directory) => {
    const maxBytes = 64 * 1024;
    const { log, close } = open(directory, maxBytes);
    const text = "€ ".repeat(2000);
    for (let i = 0; i < 200; i++) {
      log("info", "e", {
        i,
        ...Object.fromEntries(
          [...Array(i % 20).keys()].map((n) => [`f${n}`, text]),
        ),
      });
    }
    await close();
    for (const { text } of Object.values(await filesIn(directory))) {
      assert(new TextEncoder().encode(text).length <= maxBytes);
      linesIn(text);
    }
  }));

Deno.test("openProxyLog lets several proxies log at once, each to a file of its own", () =>
  inTempDir(async (directory) => {
    const logs = [open(directory), open(directory), open(directory)];
    for (const [i, { log }] of logs.entries()) log("info", "e", { i });
    await Promise.all(logs.map(({ close }) => close()));
    const again = open(directory);
    again.log("info", "again");
    await again.close();
    const files = await filesIn(directory);
    const counts = ["proxy.log", "proxy-1.log", "proxy-2.log"]
      .map((name) => linesIn(files[`logs/${name}`]!.text).length);
    assert.deepEqual(counts.toSorted(), [1, 1, 2]);
  }));

Deno.test("openProxyLog says once that its file cannot be used, and goes on", () =>
  inTempDir(async (directory) => {
    await Deno.writeTextFile(join(directory, "logs"), "in the way");
    const { log, close, told } = open(directory);
    for (let i = 0; i < 3; i++) log("info", "request", { i });
    await close();
    assert.equal(told.length, 1);
    const [level, event, fields] = told[0]!;
    assert.deepEqual([level, event], ["warn", "proxy_log_unavailable"]);
    assert.equal(fields?.path, join(directory, "logs", "proxy.log"));
    assert.match(String(fields?.reason), /directory|exists/i);
  }));

Deno.test("openProxyLog never writes a credential, whatever field it is in", () =>
  inTempDir(async (directory) => {
    const { log, close } = open(directory);
    const secrets: string[] = [];
    fc.assert(fc.property(CANARY, fc.string(), (canary, name) => {
      secrets.push(canary.secret);
      log("info", "e", {
        [`f${name}`]: canary.text,
        reason: `Error: ${canary.text}: no`,
      });
    }));
    await close();
    const { text } = (await filesIn(directory))["logs/proxy.log"]!;
    assert.equal(linesIn(text).length, secrets.length);
    for (const secret of secrets) assert(!text.includes(secret));
  }));

Deno.test("teeLog hands each record to all logs in order", () => {
  const [a, b] = [keepingLog(), keepingLog()];
  teeLog(a.log, b.log)("warn", "e", { n: 1 });
  assert.deepEqual(a.logged, [["warn", "e", { n: 1 }]]);
  assert.deepEqual(b.logged, a.logged);
});
