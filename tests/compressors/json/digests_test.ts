import assert from "node:assert/strict";
import {
  digestsOf,
  holdsDigest,
} from "../../../src/compressors/json/digests.ts";
import { failuresOf } from "../../../src/compressors/json/failure.ts";
import { hitsOfQuery } from "../../../src/compressors/json/query.ts";
import { rawOf } from "../../../src/compressors/json/tape.ts";
import { hexOf } from "./digest_text.ts";
import { tapeOfValue } from "./tapes.ts";

/** Raw values that are left out. */
function leftOut(value: unknown, query = ""): string[] {
  const tape = tapeOfValue(value);
  const failures = failuresOf(tape);
  const hits = hitsOfQuery(tape, query);
  const { nodes } = digestsOf(tape, { failures, hits, query });
  return [...nodes].map((node) => rawOf(tape, node));
}

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
const packages = (count: number) =>
  Object.fromEntries(
    times(count, (i) => [`p${i}`, { version: `1.0.${i}`, sha256: hexOf(i) }]),
  );

Deno.test("digestsOf finds digests that do not stand alone", () => {
  assert.equal(leftOut(packages(5)).length, 5);
  assert.deepEqual(leftOut(packages(1)), []);
  assert.deepEqual(leftOut({ token: hexOf(1), b: [{ token: hexOf(2) }] }), []);
  assert.equal(
    leftOut(Object.fromEntries(times(3, (i) => [`f${i}.ts`, hexOf(i)]))).length,
    3,
  );
});

Deno.test("digestsOf keeps what the query asks for, by value or key", () => {
  assert.deepEqual(
    leftOut(packages(3), `where is ${hexOf(1)}`),
    [`"${hexOf(0)}"`, `"${hexOf(2)}"`],
  );
  assert.deepEqual(leftOut(packages(3), "is the SHA256 right"), []);
});

Deno.test("digestsOf keeps a digest that is the only name of its record", () => {
  const layers = times(4, (i) => ({ layer: hexOf(i), size: i }));
  assert.deepEqual(leftOut(layers), []);
  const named = times(4, (i) => ({ layer: hexOf(i), path: `l${i}` }));
  assert.equal(leftOut(named).length, 4);
});

Deno.test("digestsOf takes a list of nothing but digests as one", () => {
  const hashes = times(4, (i) => `sha256:${hexOf(i)}`);
  const found = leftOut({ a: { hashes } });
  assert.equal(found.length, 5);
  assert.equal(found[0], JSON.stringify(hashes));
  assert.equal(leftOut({ a: { hashes: [...hashes, "none"] } }).length, 4);
});

Deno.test("digestsOf leaves out links that follow from name and version, of one registry", () => {
  const link = (name: string, base: string) =>
    `https://registry.npmjs.org/${name}/-/${base}-1.2.0.tgz`;
  const version = "1.2.0";
  const found = leftOut({
    "node_modules/a": { version, resolved: link("a", "a") },
    "node_modules/@x/b": { version, resolved: link("@x/b", "b") },
    "node_modules/a/node_modules/c": { version, resolved: link("c", "c") },
    "node_modules/alias": { version, resolved: link("d", "d") },
    "node_modules/e": { version: "1.3.0", resolved: link("e", "e") },
    "node_modules/f": {
      version,
      resolved: "https://npm.example.com/f/-/f-1.2.0.tgz",
    },
    "node_modules/g": { version, resolved: "git+ssh://git@x.org/g.git#1" },
  });
  assert.deepEqual(
    found.map((raw) => JSON.parse(raw)),
    [link("a", "a"), link("@x/b", "b"), link("c", "c")],
  );
});

Deno.test("holdsDigest looks at the whole subtree", () => {
  const tape = tapeOfValue({ a: packages(3), b: [1, "x"] });
  const none = { failures: new Int32Array(0), hits: [], query: "" };
  const digests = digestsOf(tape, none);
  const a = 2;
  assert.ok(holdsDigest(digests, tape, a));
  assert.ok(!holdsDigest(digests, tape, tape.next[a]!));
});
