import assert from "node:assert/strict";
import fc from "fast-check";
import { sourceCodeCompressor } from "../../../src/compressors/source_code/compressor.ts";
import {
  type Frame,
  framesOf,
  NO_FRAME,
} from "../../../src/compressors/source_code/frame.ts";
import { indexLines } from "../../../src/text/lines.ts";
import type { LanguageId } from "../../../src/compressors/source_code/language.ts";
import { countErrors } from "../../../src/compressors/source_code/parse.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import bpe from "../../../src/tokens/bpe.ts" with { type: "text" };
import lintPlugin from "../../../scripts/lint_plugin.ts" with { type: "text" };
import router from "../../../src/pipeline/router.ts" with { type: "text" };
import routerTest from "../../pipeline/router_test.ts" with { type: "text" };
import severity from "../../../src/text/signs/severity.ts" with {
  type: "text",
};
import words from "../../../src/text/words.ts" with { type: "text" };
import {
  contextOf,
  golden,
  GOLDENS,
  LANGUAGES,
  linesOf,
  loadAll,
  outlineOf,
  parsed,
  PARTS,
  readOutline,
} from "./samples.ts";

await loadAll();
const ALL = [...GOLDENS, ...PARTS];
testCompressor(sourceCodeCompressor, ALL.map(({ input }) => input));

for (const { name, path, query, input, expected } of ALL) {
  Deno.test(`sourceCodeCompressor writes the golden text of ${name}`, () => {
    assert.equal(outlineOf(input, { path, query }).text, expected);
  });
  Deno.test(`sourceCodeCompressor knows the language of ${name} without its path`, () => {
    assert.equal(outlineOf(input, { query }).text, expected);
  });
}

const OWN = { bpe, lintPlugin, router, routerTest, severity, words };

for (const [name, text] of Object.entries(OWN)) {
  Deno.test(`sourceCodeCompressor outlines our own ${name}`, () => {
    const outline = outlineOf(text, { path: `${name}.ts` });
    assertSound("typescript", text, outline.text);
    assert.ok(outline.text.length < 0.9 * text.length);
  });
}

Deno.test("sourceCodeCompressor accounts for every line exactly once", () => {
  for (const { language, path, input } of GOLDENS) {
    const outcome = sourceCodeCompressor.compress(input, contextOf({ path }));
    assert(outcome.type === "elided");
    const lines = linesOf(input);
    const { kept, covered } = assertSound(language, input, outcome.text);
    assert.equal(outcome.omitted.count, covered);
    assert.equal(outcome.omitted.total, lines.length);
    assert.equal(kept.length + covered, lines.length);
  }
});

/** Kept lines are lines of the original, in order, and nothing in the outline fails to parse that did not before. */
function assertSound(
  language: LanguageId,
  text: string,
  outline: string,
  firstLine = 1,
): { kept: string[]; covered: number } {
  const read = readOutline(outline, firstLine);
  const lines = linesOf(text);
  let at = 0;
  for (const line of read.kept) {
    at = lines.indexOf(line, at) + 1;
    assert.ok(at > 0, `not in the original, or out of order: ${line}`);
  }
  assert.equal(read.kept.length + read.covered, lines.length);
  const errors = (part: string, { head, tail }: Frame) =>
    parsed(
      { id: language, text: head + part + tail },
      (tree) => countErrors(tree, 1000),
    );
  const frames = [NO_FRAME, ...framesOf(language, indexLines(text))];
  assert.ok(
    frames.some((frame) => errors(outline, frame) <= errors(text, frame)),
    "new errors",
  );
  assert.equal(outline.endsWith("\n"), text.endsWith("\n"));
  return read;
}

Deno.test("sourceCodeCompressor is sound on any part of a file, with any line ending", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...GOLDENS),
      fc.nat(),
      fc.nat(),
      fc.boolean(),
      ({ language, path, input }, from, size, isWindows) => {
        const lines = linesOf(input);
        const start = from % lines.length;
        const part = lines.slice(start, start + 20 + size % lines.length)
          .join(isWindows ? "\r\n" : "\n");
        const outcome = sourceCodeCompressor.compress(
          part,
          contextOf({ path, firstLine: start + 1 }),
        );
        if (outcome.type !== "elided") return;
        assertSound(language, part, outcome.text, start + 1);
        const bare = outcome.text.replaceAll("\r\n", "");
        assert.ok(!isWindows || !bare.includes("\n"), "an ending changed");
      },
    ),
    { numRuns: 80 },
  );
});

/** What must be in the outline of each golden file, and what must not. */
const KEPT: Readonly<Record<LanguageId, readonly string[]>> = {
  c: [
    '#include "ring.h"',
    "#define MIN(a, b)",
    "typedef int (*ring_visit)",
    "_Atomic uint32_t tail;",
    "RING_CLOSED,",
    "size_t ring_write(struct ring *ring, const void *bytes, size_t count)",
    "/* Hands out what is there in one or two pieces. */",
    "#endif /* RING_DEBUG */",
  ],
  cpp: [
    "namespace roads {",
    "template <typename T, typename Compare = std::less<T>>",
    "  bool empty() const noexcept { return values_.empty(); }",
    "std::vector<NodeId> Network::route(NodeId from, NodeId to, const Cost& cost) const {",
    "}  // namespace roads",
  ],
  go: [
    "package tide",
    '\t"bufio"',
    "type Predictor interface {",
    "\tRange(from, to time.Time) (low, high float64)",
    "func (s *Station) Height(at time.Time) float64 {",
    "\treturn height",
  ],
  java: [
    "package org.example.parcel;",
    "import java.util.Optional;",
    "        static Zone of(String country) {",
    "    @FunctionalInterface",
    "        BigDecimal priceFor(BigDecimal kilograms) {",
    "    public BigDecimal price(Parcel parcel) {",
    "; throws IllegalStateException",
  ],
  javascript: [
    "'use strict';",
    "  static create = (options) =>",
    "  onIdle = async () => {",
    "const backoff = (attempt, { delay, longest }) => {",
    "  async retry(queue, request) {",
    "  it('rejects after the last attempt', async () => {",
    "module.exports = {",
  ],
  python: [
    "from __future__ import annotations",
    "    import orjson",
    "@dataclass(order=True)",
    "    def book(self, booking: Booking) -> None:",
    '    """What a stay costs."""',
    "async def load_bookings(path: Path) -> list[Booking]:",
    'if __name__ == "__main__":',
  ],
  rust: [
    "//! A cache of decoded tiles that never holds more bytes than it is told.",
    "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]",
    "impl<S: Source> TileCache<S> {",
    "    fn load_children(&self, id: TileId) -> Result<Vec<Vec<u8>>, TileError> {",
    "macro_rules! tile {",
    "    fn evicts_the_least_recently_used() {",
  ],
  tsx: [
    "export default function InvoiceTable({ customerId, pageSize = 20, onSelect }: InvoiceTableProps) {",
    "  onSelect?(invoice: Invoice): void;",
    'type SortKey = "number" | "due" | "total";',
  ],
  typescript: [
    'import type { ByteSpan } from "../core/block.ts";',
    "export type AskPieces = (",
    "  #recall(key: string): number | undefined {",
    "  joined(model: string): CountPieces {",
  ],
};

for (const language of LANGUAGES) {
  Deno.test(`sourceCodeCompressor keeps imports, types and signatures of ${language}`, () => {
    const { text } = outlineOf(golden(language).input);
    for (const part of KEPT[language]) assert.ok(text.includes(part), part);
  });
}

Deno.test("sourceCodeCompressor keeps the body of a function that the query names", () => {
  const functions: readonly [LanguageId, string, string][] = [
    ["c", "ring_drain", "status = visit(ring->data + at, count, data);"],
    ["cpp", "add_road", "roads_[to].push_back({from, metres, limit_kmh});"],
    ["go", "Parse", "if len(out) == 0 {"],
    ["java", "priceFor", "BigDecimal further = steps.subtract("],
    ["javascript", "backoff", "const jitter = capped * 0.1;"],
    ["javascript", "onIdle", "this.emit('settled', { done, failed });"],
    ["python", "assign", "key=lambda berth: berth.depth,"],
    ["rust", "load_children", "tiles.push(self.load(child)?);"],
    ["tsx", "useOverdue", "sum += total;"],
    ["typescript", "joined", "return { bytes, ends, model };"],
  ];
  for (const [language, name, line] of functions) {
    const { input } = golden(language);
    const { text } = outlineOf(input, {
      query: `please look at ${name} again`,
    });
    assert.ok(text.includes(line), `${language} ${name}`);
  }
});

Deno.test("sourceCodeCompressor keeps a line that answers the query, wherever it stands", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 39 }),
      fc.integer({ min: 6, max: 25 }),
      (which, place) => {
        const functions = Array.from({ length: 40 }, (_, i) => {
          const body = Array.from(
            { length: 30 },
            (_, k) => `    total_${k} = step(${i}, ${k})`,
          );
          if (i === which) {
            body.splice(place, 0, "    zebra_quota = limit_for('zebra')");
          }
          return `def work_${i}(step):\n${
            body.join("\n")
          }\n    return total_3\n`;
        });
        const text = functions.join("\n\n");
        const query = "where is the zebra quota?";
        const outline = outlineOf(text, { path: "a.py", query });
        assert.ok(outline.text.includes("zebra_quota = limit_for"));
        assert.ok(outline.text.length < 0.5 * text.length);
        assertSound("python", text, outline.text);
      },
    ),
    { numRuns: 20 },
  );
});

Deno.test("sourceCodeCompressor numbers lines from where the text stands", () => {
  const { text } = outlineOf(golden("go").input, { firstLine: 501 });
  assert.ok(text.includes("\t// … lines 570-588 omitted\n"));
});

function reasonFor(text: string, path?: string): string {
  const outcome = sourceCodeCompressor.compress(
    text,
    contextOf(path === undefined ? {} : { path }),
  );
  return outcome.type === "unchanged" ? outcome.reason : outcome.type;
}

Deno.test("sourceCodeCompressor says why it leaves a text alone", () => {
  const { input } = golden("python");
  const marker =
    "[3 lines compressed. Retrieve more: hash=0123456789abcdef01234567]";
  assert.equal(reasonFor("def f():\n    pass\n"), "too_small");
  assert.equal(reasonFor("x = 1\n".repeat(90_000), "a.py"), "too_large");
  assert.equal(reasonFor(`${input}\n${marker}`), "already_compressed");
  assert.equal(reasonFor(outlineOf(input).text), "already_compressed");
  assert.equal(reasonFor("puts 'x'\n".repeat(100), "a.rb"), "no_grammar");
  assert.equal(reasonFor("x = 1\n".repeat(100), "a.py"), "nothing_to_elide");
  const broken = "const x = (1;\nfunction ( { if } a b c\n".repeat(30);
  assert.equal(reasonFor(broken, "a.js"), "does_not_parse");
  const outcome = sourceCodeCompressor.compress(
    input,
    contextOf({ mayElide: false }),
  );
  assert.deepEqual(outcome, { type: "unchanged", reason: "needs_elision" });
});

Deno.test("sourceCodeCompressor refuses what would take long to parse", () => {
  const head = golden("javascript").input;
  for (
    const text of [
      "(".repeat(400_000),
      head + "(\n".repeat(100_000),
      head + "{ ".repeat(5_000) + "\n" + "} ".repeat(5_000),
      head + "a".repeat(400_000),
      head + `x(${"1, ".repeat(100_000)})`,
    ]
  ) {
    assert.match(reasonFor(text, "a.js"), /^(?:too_deep|no_grammar)$/);
  }
  const prose = "The quick brown fox, it's said: jumps (over\nthe lazy dog.\n"
    .repeat(5_000);
  assert.match(reasonFor(prose, "a.js"), /^(?:does_not_parse|no_grammar)$/);
});

Deno.test("sourceCodeCompressor gives up on code that takes many steps to parse", () => {
  for (const line of ["a;\n", "a<b<c<d>>>(x);\n"]) {
    const text = line.repeat(300_000 / line.length);
    assert.equal(reasonFor(text, "a.ts"), "too_slow");
  }
  assert.equal(
    reasonFor("f(1, 2, 3);\n".repeat(50), "a.ts"),
    "nothing_to_elide",
  );
});

Deno.test("sourceCodeCompressor survives deep nesting of functions", () => {
  const depth = 900;
  const text = Array.from(
    { length: depth },
    (_, i) =>
      `function f${i}(a) {\nconst x${i} = a + ${i};\nconst y${i} = a * ${i};`,
  )
    .join("\n") + "\n" + "}\n".repeat(depth);
  const outcome = sourceCodeCompressor.compress(
    text,
    contextOf({ path: "a.js" }),
  );
  assert.ok(outcome.type === "elided" || outcome.type === "unchanged");
});

Deno.test("sourceCodeCompressor keeps no more for where the text came from", () => {
  const { input } = golden("go");
  const bare = outlineOf(input, { path: "a.go" }).text;
  const query = '{"command":"git show HEAD~5:src/Parse/Height.go"}';
  assert.equal(outlineOf(input, { path: "a.go", query }).text, bare);
});
