import assert from "node:assert/strict";
import fc from "fast-check";
import { configCompressor } from "../../../src/compressors/config/compressor.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import { contextOf, GOLDENS, hostLines, inputOf } from "./samples.ts";

testCompressor(configCompressor, [
  ...GOLDENS.map(({ input }) => input),
  hostLines(40).join("\r\n"),
]);

for (const { name, input, expected } of GOLDENS) {
  Deno.test(`configCompressor writes the golden text of ${name}`, () => {
    const outcome = configCompressor.compress(
      input,
      contextOf(!name.startsWith("fold_")),
    );
    const text = outcome.type === "unchanged"
      ? `unchanged: ${outcome.reason}\n`
      : outcome.text;
    assert.equal(text, expected);
  });
}

function elided(text: string, query = "") {
  const outcome = configCompressor.compress(text, contextOf(true, query));
  assert(outcome.type === "elided", outcome.type);
  return outcome;
}

const NEEDLES: readonly (readonly string[])[] = [
  ["  - name: odd-one", "    address: 10.9.9.9", "    legacy: true"],
  [
    "  - name: sick-one",
    "    address: 10.9.9.8",
    "    role: web",
    "    limits:",
    "      memory: 512Mi",
    "    enabled: true",
    "    status: CrashLoopBackOff",
  ],
  [
    "  - name: off-one",
    "    address: 10.9.9.7",
    "    role: web",
    "    limits:",
    "      memory: 256Mi",
    "    enabled: false",
  ],
  ["  # TODO remove this host before the release"],
  ["  # one", "  # two", "  # WARNING: never restart this host", "  # four"],
  ["image: registry.example.com/parcel:1.9.2"],
  ["replicas: 3"],
];

Deno.test("configCompressor keeps what is rare, failing or a warning wherever it stands", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...NEEDLES),
      fc.integer({ min: 60, max: 300 }),
      fc.nat(),
      (needle, count, place) => {
        const lines = hostLines(count);
        const isTop = !needle[0]!.startsWith(" ");
        const at = isTop ? lines.length - 1 : 2 + 6 * (place % (count + 1));
        lines.splice(at, 0, ...needle);
        const { text } = elided(lines.join("\n"));
        for (const line of needle.filter((line) => /: |TODO/.test(line))) {
          // A row gives values without their keys.
          const said = line.replace(/^[ -]+[\w-]+: /, "");
          assert.ok(text.includes(said), `${line}\n${text}`);
        }
      },
    ),
    { numRuns: 80 },
  );
});

Deno.test("configCompressor keeps an entry that fits the query although it is like the others", () => {
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 190 }), (place) => {
      const lines = hostLines(200);
      lines[2 + 6 * place] = "  - name: checkout-gateway";
      const { text } = elided(
        lines.join("\n"),
        "what is the address of checkout gateway?",
      );
      assert.ok(text.includes("- name: checkout-gateway"));
      assert.ok(text.includes(`10.0.0.${place}`));
    }),
    { numRuns: 30 },
  );
});

/** Lines that an elided text keeps, and how many its notes cover. */
function read(text: string): { kept: string[]; covered: number } {
  const kept: string[] = [];
  let covered = 0;
  for (const line of text.split("\n")) {
    const note = /^… lines? (\d+)(?:-(\d+))? omitted/.exec(line);
    if (note !== null) {
      covered += Number(note[2] ?? note[1]) - Number(note[1]) + 1;
    } else kept.push(line);
  }
  return { kept, covered };
}

Deno.test("configCompressor accounts for every line and names what it leaves out", () => {
  const lines = hostLines(60);
  const outcome = elided(lines.join("\n"));
  const { covered } = read(outcome.text);
  assert.equal(outcome.omitted.count, covered);
  assert.equal(outcome.omitted.total, lines.length);
  assert.match(
    outcome.text,
    /^… lines 33-350 omitted \(53 items: host-5, host-6, /m,
  );
});

Deno.test("configCompressor gives notes the numbers of the surrounding text", () => {
  const text = hostLines(60).join("\n");
  const context = { ...contextOf(true), firstLine: 101 };
  const outcome = configCompressor.compress(text, context);
  assert(outcome.type === "elided");
  assert.match(outcome.text, /^… lines 133-450 omitted/m);
  const folded = configCompressor.compress(inputOf("fold_compose"), {
    ...contextOf(false),
    firstLine: 101,
  });
  assert(folded.type === "reformatted");
  assert.match(folded.text, /same as lines 1\d\d-1\d\d/);
  assert.equal(folded.restore!(folded.text), inputOf("fold_compose"));
});

Deno.test("configCompressor never shows a shortened value without a note on it", () => {
  const hash = "0123456789abcdef".repeat(4);
  const text = hostLines(4).concat(
    Array.from({ length: 9 }, (_, i) => `image${i}: shop/web@sha256:${hash}`),
  ).join("\n");
  const outcome = elided(text);
  assert.ok(!outcome.text.includes(hash.slice(0, 12)));
  assert.ok(
    outcome.text.includes("image3: shop/web@sha256:… 64 characters omitted"),
  );
});

Deno.test("configCompressor leaves marked text and its own notes alone", () => {
  const text = hostLines(60).join("\n");
  for (
    const mark of [
      "[3 lines compressed. Retrieve more: hash=0123456789abcdef01234567]",
      "<<ccr:0123456789abcdef01234567>>",
      "… lines 4-99 omitted",
      "sha: … 64 characters omitted",
    ]
  ) {
    assert.deepEqual(
      configCompressor.compress(`${text}\n${mark}`, contextOf(true)),
      { type: "unchanged", reason: "already_compressed" },
    );
  }
});

Deno.test("configCompressor survives one character, one line, deep nesting", () => {
  const deep = Array.from(
    { length: 100_000 },
    (_, i) => `${" ".repeat(i % 300)}k${i}:`,
  );
  for (
    const text of [
      "a".repeat(1_000_000),
      "a: ".repeat(400_000),
      "- ".repeat(400_000),
      "\n".repeat(200_000),
      "[".repeat(300_000),
      "a = [\n".repeat(50_000),
      deep.join("\n"),
      "x: |\n" + "  text\n".repeat(50_000),
    ]
  ) {
    for (const mayElide of [true, false]) {
      const outcome = configCompressor.compress(text, contextOf(mayElide));
      if (outcome.type !== "reformatted") continue;
      assert.ok(configCompressor.restore!(outcome.text) === text);
    }
  }
});
