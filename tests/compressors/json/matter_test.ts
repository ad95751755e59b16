import assert from "node:assert/strict";
import {
  matterIn,
  sampleOf,
  within,
} from "../../../src/compressors/json/matter.ts";
import { viewOfValue } from "./views.ts";

/** Raw text of the members and values that matter. */
function matters(value: unknown, query = ""): string[] {
  const { tape } = viewOfValue(value);
  const { failures, all } = matterIn(tape, query);
  for (const node of failures) assert.ok(all.includes(node));
  return [...all].map((node) => tape.key(node) + "=" + tape.raw(node));
}

/** Indexes of the rows that stay. */
function kept(values: readonly unknown[], query = ""): number[] {
  const { tape, grids } = viewOfValue(values);
  const { weights } = sampleOf(tape, tape.children(1), {
    grid: grids.of(1),
    matter: matterIn(tape, query),
  });
  return [...weights.keys()].filter((i) => weights[i] === 255);
}

const ENDS = [0, 1, 2, 3, 98, 99];
const row = (i: number): Record<string, unknown> => ({
  id: i,
  state: "open",
  size: i * 31 % 17,
  took: `${40 + i * 7 % 20}ms`,
  text: `entry number ${i} of the list with some text in it`,
});
const list = (at: number, change: object) =>
  Array.from(
    { length: 100 },
    (_, i) => i === at ? { ...row(i), ...change } : row(i),
  );

Deno.test("matterIn finds failures by what members say, whatever their keys", () => {
  assert.deepEqual(
    matters({
      status: 502,
      exitCode: 1,
      ok: false,
      error: "disk full",
      errors: ["a"],
      text: "Error: broken pipe",
      note: "<<ccr:0123456789ab>>",
    }).map((one) => one.slice(0, one.indexOf("="))),
    ["status", "exitCode", "ok", "error", "errors", "text", "note"],
  );
  assert.deepEqual(
    matters({
      status: 200,
      id: 503,
      exitCode: 0,
      ok: true,
      error: null,
      errors: [],
      text: "0 errors",
    }),
    [],
  );
});

Deno.test("matterIn finds what a question names, whole values first", () => {
  const items = Array.from({ length: 60 }, (_, i) => ({
    id: 7000 + i,
    price: `${7066 + i}.50`,
    name: `thing ${i}`,
  }));
  const found = matters({ items }, "what is record 7052?");
  assert.equal(found[0], "id=7052");
  assert.ok(found.length <= 4);
  assert.deepEqual(matters({ items }, "the"), []);
});

Deno.test("within gives the nodes of a subtree", () => {
  const { tape } = viewOfValue([[1, 2], [3]]);
  const all = Int32Array.of(1, 2, 3, 4, 5, 6);
  assert.deepEqual([...within(tape, all, 2)], [2, 3, 4]);
  assert.deepEqual([...within(tape, Int32Array.of(6), 2)], []);
});

Deno.test("sampleOf keeps both ends", () => {
  assert.deepEqual(kept(list(-1, {})), ENDS);
});

Deno.test("sampleOf keeps a row that stands out, wherever it is", () => {
  const changes = {
    "error word": { text: "Error: broken pipe" },
    "failed flag": { ok: false },
    "failing status": { status: 503 },
    "extreme number": { size: 4_000 },
    "extreme duration": { took: "48.2s" },
    "negative number": { size: -1 },
    "rare value": { state: "merged" },
    "unusual text": { text: "maintenance window announced" },
    "unusual member": { retired: true },
  };
  for (const [name, change] of Object.entries(changes)) {
    for (const at of [7, 50, 93]) {
      assert.ok(kept(list(at, change)).includes(at), `${name} at ${at}`);
    }
  }
  const odd: unknown[] = list(-1, {});
  odd[41] = "not an object";
  assert.ok(kept(odd).includes(41));
});

Deno.test("sampleOf keeps a value of another kind than all others in its place, and its neighbours' extremes", () => {
  const host = (i: number): Record<string, unknown> => ({
    name: `h${i}`,
    load: 10 + i * 31 % 87,
    at: `2026-11-28T09:${10 + i * 7 % 50}:00Z`,
    owner: { team: i * 17 % 90 },
    disks: [{ free: 10 + i * 13 % 70 }, { free: 12 + i * 11 % 70 }],
  });
  const changes = {
    "null among numbers": { load: null },
    "word among numbers": { load: "free" },
    "number in quotes": { load: "87" },
    "missing number": { load: undefined },
    "empty list": { disks: [] },
    "shorter list": { disks: [{ free: 31 }] },
    "null among objects": { owner: null },
    "old date": { at: "2019-01-01T00:00:00Z" },
    "date of the future": { at: "2062-03-04T00:00:00Z" },
    "another form of a date": { at: "28.11.2026" },
  };
  for (const [name, change] of Object.entries(changes)) {
    const hosts = Array.from(
      { length: 300 },
      (_, i) => i === 151 ? { ...host(i), ...change } : host(i),
    );
    hosts[200] = { ...host(200), load: 48_211 };
    const rows = kept(JSON.parse(JSON.stringify(hosts)) as unknown[]);
    assert.ok(rows.includes(151), name);
    assert.ok(rows.includes(200), `extreme beside ${name}`);
    assert.ok(rows.length < 20, `${name}: ${rows}`);
  }
});

Deno.test("sampleOf keeps an extreme in a list in cells, though one cell has another list", () => {
  const hosts = Array.from({ length: 300 }, (_, i) => ({
    name: `h${i}`,
    disks: [{ free: 10 + i * 13 % 70 }, { free: i === 170 ? 0 : 20 + i % 60 }],
  }));
  hosts[90] = { name: "h90", disks: [] };
  const rows = kept(hosts);
  assert.ok(rows.includes(90) && rows.includes(170), `${rows}`);
});

Deno.test("sampleOf keeps both sides of a gap in times", () => {
  const entries = Array.from({ length: 300 }, (_, i) => ({
    ts: new Date(Date.UTC(2026, 10, 28, 9) + i * 90 + (i < 140 ? 0 : 3e6))
      .toISOString(),
    took: 10 + i * 31 % 87,
  }));
  const rows = kept(entries);
  assert.ok(rows.includes(139) && rows.includes(140), `${rows}`);
  assert.ok(rows.length < 12, `${rows}`);
});

Deno.test("sampleOf keeps the latest row and the earliest of times in no order, where there is room", () => {
  const logins = Array.from({ length: 300 }, (_, i) => ({
    at: `2026-11-28T${10 + i * 7 % 11}:${10 + i * 13 % 47}:00Z`,
  }));
  logins[80] = { at: "2026-11-28T10:02:00Z" };
  logins[171] = { at: "2026-11-28T20:59:59Z" };
  const { tape, grids } = viewOfValue(logins);
  const input = { grid: grids.of(1), matter: matterIn(tape, "") };
  const { weights } = sampleOf(tape, tape.children(1), input);
  const ends = [...weights.keys()].filter((row) => weights[row] === 220);
  assert.deepEqual(ends, [80, 171]);
});

Deno.test("sampleOf keeps few failures whole, and of many alike the first and the last", () => {
  const failing = (every: number) =>
    list(-1, {}).map((one, i) =>
      i % every === 0 ? { ...one, text: `failed to write ${i}` } : one
    );
  const few = kept(failing(10));
  for (let i = 0; i < 100; i += 10) assert.ok(few.includes(i), `${i}`);
  const many = kept(failing(3));
  assert.ok(many.includes(12) && many.includes(99) && many.includes(93));
  assert.ok(many.length < 25, `${many}`);
});

Deno.test("sampleOf takes no alarm from what most rows say", () => {
  const usual = list(-1, {}).map((one) => ({ ...one, status: 404 }));
  assert.deepEqual(kept(usual), ENDS);
});

Deno.test("sampleOf keeps each rare code of a list of findings, though places and texts are rare too", () => {
  const codes = ["F401", "ANN201", "E711", "F841", "ANN201"];
  const rare = new Map([[88, "S307"], [201, "S605"], [350, "F821"]]);
  const findings = Array.from({ length: 400 }, (_, i) => {
    const code = rare.get(i) ?? codes[i % codes.length];
    return {
      code,
      url: `https://docs.example.com/${code}`,
      message: `${code} in name_${i % 37} of ${i % 29}`,
      column: i % 23 === 0 ? 60 + i % 41 : i % 9,
      endColumn: i % 19 === 0 ? 90 + i % 37 : i % 11,
    };
  });
  const rows = kept(findings);
  for (const [row, code] of rare) assert.ok(rows.includes(row), code);
  assert.ok(rows.length < 30, `${rows}`);
});

Deno.test("sampleOf keeps what a failing test printed, and not all tests of its file", () => {
  const events = Array.from({ length: 100 }, (_, i) => [
    { action: "run", name: `TestCase${i}`, file: `f_${i / 20 | 0}.go` },
    { action: "pass", name: `TestCase${i}`, file: `f_${i / 20 | 0}.go` },
  ]).flat();
  const at = { name: "TestCase33", file: "f_1.go" };
  events[67] = { action: "fail", ...at };
  const output = { action: "output", ...at, text: "want 7, got 6" };
  events.splice(67, 0, output);
  const rows = kept(events);
  assert.ok(rows.includes(66) && rows.includes(67), `${rows}`);
  assert.ok(rows.length < 16, `${rows}`);
});

Deno.test("sampleOf keeps the file of the slowest test, which is in a list", () => {
  const files = Array.from({ length: 40 }, (_, i) => ({
    name: `${i}.test.ts`,
    results: Array.from({ length: 9 }, (_, n) => ({
      title: `case ${n}`,
      duration: i === 23 && n === 7 ? 9_300 : 1 + (i * 7 + n * 5) % 6,
    })),
  }));
  const rows = kept(files);
  assert.ok(rows.includes(23), `${rows}`);
  assert.ok(rows.length < 12, `${rows}`);
});
