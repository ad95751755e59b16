import assert from "node:assert/strict";
import fc from "fast-check";
import {
  mergeLines,
  recordIn,
  relationOf,
} from "../../../src/cli/recover/merge.ts";

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
