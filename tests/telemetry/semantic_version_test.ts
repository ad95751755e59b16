import assert from "node:assert/strict";
import fc from "fast-check";
import {
  compareVersions,
  parseVersion,
} from "../../src/telemetry/semantic_version.ts";

/** In rising order; the example of Semantic Versioning 2.0.0, point 11, is part of it. */
const RISING = [
  "0.0.9",
  "0.1.0",
  "0.9.9",
  "0.10.0",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.beta",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0",
  "1.0.10",
  "10.0.0",
];

Deno.test("compareVersions puts versions in order", () => {
  const place = fc.nat(RISING.length - 1);
  fc.assert(fc.property(place, place, (i, j) => {
    const [a, b] = [parseVersion(RISING[i]!), parseVersion(RISING[j]!)];
    assert.equal(Math.sign(compareVersions(a!, b!)), Math.sign(i - j));
  }));
});

Deno.test("compareVersions looks at no build metadata", () => {
  const [a, b] = [parseVersion("1.0.0+a"), parseVersion("v1.0.0+b")];
  assert.equal(compareVersions(a!, b!), 0);
});

Deno.test("parseVersion is undefined for anything that is no version", () => {
  const odd = [
    ...["", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.x", "1.2.3-", "1.2.3-01"],
    ...["1.2.3\u001b[31m", "99999999999.0.0", `1.2.3-${"a".repeat(100)}`],
    ...["-1.0.0", "1.2.3 && rm", "latest"],
  ];
  for (const text of odd) assert.equal(parseVersion(text), undefined, text);
});

Deno.test("parseVersion never throws", () => {
  fc.assert(fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
    parseVersion(text);
  }));
});
