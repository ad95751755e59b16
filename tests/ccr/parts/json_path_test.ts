import assert from "node:assert/strict";
import fc from "fast-check";
import { cutPlace } from "../../../src/ccr/parts/json_path.ts";
import { keyText } from "../../../src/ccr/parts/json_place.ts";

/** Text at a place, its units, and what is said of it; or the error. */
function cut(text: string, place: string) {
  const found = cutPlace({ text, way: "json", items: 0, said: [] }, place);
  if ("error" in found) return found.error;
  return [found.text, found.items, found.said.join()] as const;
}

const ROWS = '[{"n": 1}, {"n": 2.0, "x": true},{"n": 3}, {"n": 4}]';

Deno.test("cutPlace gives the exact text, and says which item it is", () => {
  assert.deepEqual(cut(ROWS, "[1]"), [
    '{"n": 2.0, "x": true}',
    2,
    "[1]: item 2 of 4",
  ]);
  assert.deepEqual(cut(ROWS, "[1].n"), ["2.0", 1, "[1].n"]);
  assert.deepEqual(cut(ROWS, "$"), [ROWS, 4, "$"]);
});

Deno.test("cutPlace counts ranges from 1 and both ends, as notes do", () => {
  assert.deepEqual(cut(ROWS, "[2-3]"), [
    '[{"n": 2.0, "x": true},{"n": 3}]',
    2,
    "[2-3]: items 2-3 of 4",
  ]);
  assert.deepEqual(cut(ROWS, "item 4 of 4"), [
    '[{"n": 4}]',
    1,
    "[4-4]: item 4 of 4",
  ]);
  assert.deepEqual(cut(ROWS, "[3-99]")[2], "[3-4]: items 3-4 of 4");
  assert.match(
    cut(ROWS, "[9-12]") as string,
    /Cannot find \[9-12\] in \$: it has 4 elements/,
  );
});

Deno.test("cutPlace gives the keys of an object by their numbers", () => {
  assert.deepEqual(cut('{"a": 1, "b": 2, "c": 3}', "keys 2-3 of 3"), [
    '{"b": 2, "c": 3}',
    2,
    "[2-3]: keys 2-3 of 3",
  ]);
});

Deno.test("cutPlace gives one place of each row in a range", () => {
  assert.deepEqual(cut(ROWS, "[*].n")[0], "[1,\n2.0,\n3,\n4]");
  assert.deepEqual(cut(ROWS, "[1-3].x"), [
    "[true]",
    1,
    "[1-3]: items 1-3 of 4; 1 of them have .x",
  ]);
  assert.match(
    cut(ROWS, "[*].y") as string,
    /Cannot find "y" in \[…\]: it has the key n/,
  );
  assert.match(
    cut("[[1],[2]]", "[*][*]") as string,
    /only one range can be given/,
  );
});

Deno.test("cutPlace gives documents of JSON Lines by their line", () => {
  const lines = '{"a":1}\n{"a":2}\n{"a":3}\n';
  assert.deepEqual(cut(lines, "[3]"), ['{"a":3}', 1, "[3]: document 3 of 3"]);
  assert.deepEqual(cut(lines, "[2-3]"), [
    '{"a":2}\n{"a":3}',
    2,
    "[2-3]: documents 2-3 of 3",
  ]);
});

Deno.test("cutPlace says what else to ask for", () => {
  assert.match(
    cut("plain text", "a") as string,
    /holds no JSON; ask for lines or a query instead$/,
  );
  assert.match(
    cut(ROWS, "a..b") as string,
    /this is no path; give one as items\[3\]\.name/,
  );
});

Deno.test("cutPlace gives the slice that JSON.parse agrees with, at any place", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.infiniteStream(fc.nat()),
      fc.constantFrom(0, 2),
      (value, picks, indent) => {
        const text = JSON.stringify({ root: value }, null, indent);
        let at = value;
        let place = "root";
        for (const pick of picks) {
          if (typeof at !== "object" || at === null) break;
          const keys = Object.keys(at);
          if (keys.length === 0) break;
          const key = keys[pick % keys.length]!;
          place += Array.isArray(at) ? `[${key}]` : keyText(key, false);
          at = (at as Record<string, typeof value>)[key]!;
        }
        const found = cut(text, place);
        assert.ok(Array.isArray(found), `${place}: ${found}`);
        assert.deepEqual(JSON.parse(found[0]), JSON.parse(JSON.stringify(at)));
        assert.ok(text.includes(found[0]));
      },
    ),
  );
});
