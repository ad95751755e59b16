import assert from "node:assert/strict";
import fc from "fast-check";
import {
  mergeConfig,
  mergeLines,
  recordIn,
  relationOf,
} from "../../../src/cli/recover/merge.ts";
import { ConfigFault } from "../../../src/cli/agents/agent.ts";
import { VALUE_FORMATS } from "../../../src/cli/edits/value_format.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("relationOf tells what begins with what", () => {
  const cases = [
    ["ab", "ab", "same"],
    ["abc", "ab", "longer"],
    ["a", "ab", "shorter"],
    ["ac", "ab", "other"],
    ["", "", "same"],
  ] as const;
  for (const [theirs, ours, relation] of cases) {
    assert.equal(relationOf(bytes(theirs), bytes(ours)), relation);
  }
});

Deno.test("mergeLines puts lines in time order, whatever they call the time", () => {
  const ours = '{"ts":1}\nno json\n{"ts":30}\n';
  const theirs =
    '{"ts":1}\n{"timestamp":20000}\n{"updated_at":"1970-01-01T00:00:10Z"}';
  assert.deepEqual(mergeLines(ours, theirs.replace("20000", "5")), {
    text:
      '{"ts":1}\nno json\n{"timestamp":5}\n{"updated_at":"1970-01-01T00:00:10Z"}\n{"ts":30}\n',
    added: 2,
  });
});

Deno.test("mergeLines returns ours itself when theirs has nothing else, and completes a last line", () => {
  assert.equal(mergeLines("a\r\nb", "b\n\n").text, "a\r\nb");
  assert.deepEqual(mergeLines("a", "b"), { text: "a\nb\n", added: 1 });
  assert.deepEqual(mergeLines("", "b\nb\n"), { text: "b\n", added: 1 });
});

Deno.test("mergeLines keeps all lines of ours in their order, all of theirs once, and times in order, for any two files", () => {
  const line = fc.oneof(
    fc.record({ ts: fc.nat(9), text: fc.nat(3) }).map((r) => JSON.stringify(r)),
    fc.string().filter((text) => !text.includes("\n")),
  );
  const lines = fc.array(line);
  fc.assert(fc.property(lines, lines, (a, b) => {
    const [ours, theirs] = [a, b].map((all) =>
      all.map((text) => `${text}\n`).join("")
    ) as [string, string];
    const { text, added } = mergeLines(ours, theirs);
    const merged = text.split("\n").slice(0, -1);
    assert.equal(merged.length, a.length + added);
    let at = -1;
    for (const one of a) {
      at = merged.indexOf(one, at + 1);
      assert.notEqual(at, -1);
    }
    for (const one of b) assert(one.trim() === "" || merged.includes(one));
    assert.deepEqual(mergeLines(text, theirs), { text, added: 0 });
  }));
  const sorted = fc.array(fc.nat(99)).map((times) =>
    times.sort((x, y) => x - y).map((ts) => `{"ts":${ts}}\n`).join("")
  );
  fc.assert(fc.property(sorted, sorted, (ours, theirs) => {
    const times = mergeLines(ours, theirs).text.split("\n").slice(0, -1)
      .map((text) => Number(recordIn(text)["ts"]));
    assert.deepEqual(times, times.toSorted((x, y) => x - y));
  }));
});

Deno.test("recordIn gives an empty object for a line that is none", () => {
  assert.deepEqual(["", "[1]", "{", "1"].map(recordIn), [{}, {}, {}, {}]);
});

const routes = /^(base|providers\/[^/]+)$/;
const toml = (ours: string | undefined, theirs: string) =>
  mergeConfig(ours, theirs, { format: "toml", routes });

Deno.test("mergeConfig adds the keys that only theirs has, in tables that are there or new", () => {
  const { text, added, stays } = toml(
    '# mine\na = 1\n\n[t] # kept\nb = "x"\n',
    'c = [1, 2]\n[t]\nd = 2026-01-02\n[u."/p (q"]\ne = true\n[u."/p (q".v]\nf = 1.5\n',
  );
  assert.equal(
    text,
    'c = [ 1, 2 ]\n# mine\na = 1\n\n[t] # kept\nd = 2026-01-02\nb = "x"\n\n' +
      '[u."/p (q".v]\nf = 1.5\n\n[u."/p (q"]\ne = true\n',
  );
  assert.deepEqual(added.toSorted(), ["c", "t.d", "u./p (q.e", "u./p (q.v.f"]);
  assert.deepEqual(stays, []);
});

Deno.test("mergeConfig leaves what differs as it is in ours, and says so without the values", () => {
  const merged = toml('a = 1\n[t]\nb = "x"\n', 'a = 2\nt = "secret"\n');
  assert.equal(merged.text, 'a = 1\n[t]\nb = "x"\n');
  assert.deepEqual(merged.stays.map((text) => text.split(" ")[0]), ["t", "a"]);
  assert(!JSON.stringify(merged.stays).includes("secret"));
});

Deno.test("mergeConfig leaves out what leads to a proxy of this machine, and keys that name it", () => {
  const { text, routes: names } = toml(
    undefined,
    'base = "http://127.0.0.1:1/v1"\nprovider = "gone"\nother = "http://localhost:1"\n' +
      '[providers.gone]\nurl = "http://localhost:8787/v1"\nname = "x"\n' +
      '[providers.far]\nurl = "https://localhost.example/v1"\n',
  );
  assert.equal(
    text,
    'other = "http://localhost:1"\n[providers.far]\nurl = "https://localhost.example/v1"\n',
  );
  assert.deepEqual(names.toSorted(), ["base", "gone"]);
});

Deno.test("mergeConfig says nothing of a proxy that both sides have", () => {
  const both = '[providers.p]\nurl = "http://127.0.0.1:1"\n';
  const merged = toml(`provider = "p"\n${both}`, `provider = "p"\n${both}`);
  assert.deepEqual([merged.stays, merged.routes], [[], []]);
});

Deno.test("mergeConfig keeps comments of JSON, and does not add to what is no object", () => {
  const merged = mergeConfig(
    '{ // mine\n  "a": {"b": 1},\n  "t": 1\n}\n',
    '{"a": {"c": "x"}, "t": {"u": 1}, "__proto__": {"p": 1}}',
    { format: "jsonc", routes },
  );
  assert.match(
    merged.text ?? "",
    /^\{ \/\/ mine\n {2}"a": \{"b": 1, ?"c": "x"\},/,
  );
  assert.deepEqual(merged.stays, ["t.u cannot be added safely"]);
});

Deno.test("mergeConfig throws a ConfigFault where either side cannot be parsed", () => {
  assert.throws(() => toml("a = ", "b = 1"), ConfigFault);
  assert.throws(() => toml("a = 1", "b = "), ConfigFault);
});

Deno.test("mergeConfig loses no value of ours, and adds nothing the second time, for any two files", () => {
  const { parse } = VALUE_FORMATS.jsonc;
  const value = fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer()));
  const key = fc.oneof(fc.constantFrom("a", "b", "base"), fc.string());
  const table = fc.dictionary(
    key,
    fc.oneof(value, fc.dictionary(key, value)),
  );
  fc.assert(fc.property(table, table, (a, b) => {
    const [ours, theirs] = [JSON.stringify(a), JSON.stringify(b)];
    const options = { format: "jsonc", routes } as const;
    const { text } = mergeConfig(ours, theirs, options);
    const values = parse(text ?? "");
    for (const [name, value] of Object.entries(parse(ours))) {
      assert.partialDeepStrictEqual({ v: values[name] }, { v: value });
    }
    assert.deepEqual(mergeConfig(text, theirs, options).added, []);
  }));
});
