import assert from "node:assert/strict";
import fc from "fast-check";
import { notesIn } from "../../../src/engine/note.ts";
import { assertLinear } from "../../cpu_time.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import bpe from "../../../src/tokens/bpe.ts" with { type: "text" };
import router from "../../../src/pipeline/router.ts" with { type: "text" };
import routerTest from "../../pipeline/router_test.ts" with { type: "text" };
import words from "../../../src/text/words.ts" with { type: "text" };
import {
  compressor,
  contextOf,
  golden,
  GOLDENS,
  linesOf,
  outlineOf,
  readOutline,
  recognise,
} from "./samples.ts";

testCompressor(compressor, GOLDENS.map(({ input }) => input));

for (const { name, path, query, input, expected } of GOLDENS) {
  Deno.test(`sourceCodeKind writes the golden text of ${name}`, () => {
    assert.ok(recognise(input, { path }) === 1);
    assert.equal(outlineOf(input, { path, query }).text, expected);
    assert.equal(
      notesIn(expected).length,
      linesOf(expected).filter((line) => line.includes("… line")).length,
    );
  });
}

/** Kept lines are lines of the original, in order, and notes count all others. */
function assertSound(text: string, outline: string, firstLine = 1): number {
  const { kept, covered } = readOutline(outline, firstLine);
  const bare = (line: string) => line.replace(/\r$/, "");
  const lines = linesOf(text).map(bare);
  let at = 0;
  for (const line of kept) {
    at = lines.indexOf(bare(line), at) + 1;
    assert.ok(at > 0, `not in the original, or out of order: ${line}`);
  }
  assert.equal(kept.length + covered, lines.length);
  assert.equal(outline.endsWith("\n"), text.endsWith("\n"));
  return covered;
}

for (const [name, text] of Object.entries({ bpe, router, routerTest, words })) {
  Deno.test(`sourceCodeKind outlines our own ${name}`, () => {
    const { text: outline, omitted } = outlineOf(text, { path: `${name}.ts` });
    assert.equal(assertSound(text, outline), omitted.count);
    assert.ok(outline.length < 0.8 * text.length);
  });
}

Deno.test("sourceCodeKind is sound on any part of a file, with any line ending", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...GOLDENS),
      fc.nat(),
      fc.nat(),
      fc.boolean(),
      ({ path, input }, from, size, isWindows) => {
        const lines = linesOf(input);
        const start = from % lines.length;
        const part = lines.slice(start, start + 20 + size % lines.length)
          .join(isWindows ? "\r\n" : "\n");
        const firstLine = start + 1;
        const outcome = compressor.compress(
          part,
          contextOf({ path, firstLine }),
        );
        if (outcome.type !== "elided") return;
        assertSound(part, outcome.text, firstLine);
        const bare = outcome.text.replaceAll("\r\n", "");
        assert.ok(!isWindows || !bare.includes("\n"), "an ending changed");
      },
    ),
    { numRuns: 80 },
  );
});

/** A piece of code that must stay, and a language in which it may be anywhere between declarations. */
const MUST_KEEP: readonly (readonly [string, string, string])[] = [
  ["type", "typescript", "export type Zebra = { stripes: number };\n"],
  [
    "interface",
    "typescript",
    "interface Zebra {\n  readonly stripes: number;\n}\n",
  ],
  [
    "signature",
    "typescript",
    "export async function zebra(stripes: number): Promise<void> {\n",
  ],
  ["constant", "python", "ZEBRA_STRIPES = 26\n"],
  ["class", "python", "class ZebraError(Exception):\n"],
  ["type", "go", "type Zebra struct {\n\tStripes int\n}\n"],
  [
    "signature",
    "go",
    "func (z *Zebra) Gallop(speed int) error { return nil }\n",
  ],
  ["macro", "c", "#define ZEBRA_STRIPES 26\n"],
  ["prototype", "c", "int zebra_gallop(struct zebra *zebra);\n"],
];

for (const [what, name, code] of MUST_KEEP) {
  Deno.test(`sourceCodeKind keeps ${what} of ${name} wherever it is`, () => {
    const { input, path } = golden(name);
    const lines = linesOf(input);
    const rest = /\{\n$/.test(code) && name === "typescript"
      ? "  gallop();\n}\n"
      : code.endsWith(":\n")
      ? "    pass\n"
      : "";
    let tried = 0;
    for (let i = 12; i <= lines.length; i++) {
      const isBetween = lines[i - 1] === "" && /^[\w@/#]/.test(lines[i] ?? "");
      if (!isBetween) continue;
      const text = [...lines.slice(0, i), code + rest, ...lines.slice(i), ""]
        .join("\n");
      const outline = outlineOf(text, { path }).text;
      assert.ok(outline.includes(code), `${what} before line ${i + 1}`);
      tried++;
    }
    assert.ok(tried >= 5, `${tried} places`);
  });
}

Deno.test("sourceCodeKind names errors that a body it leaves out may raise", () => {
  const body = "    do_something_with(argument, other)\n".repeat(6);
  for (const at of [0, 3, 6]) {
    const lines = linesOf(body);
    lines.splice(at, 0, "    raise ZebraError(argument)");
    const text = `def f(argument):\n${
      lines.join("\n")
    }\n    g()\n\n\ndef g():\n${body.repeat(4)}`;
    const { text: outline } = outlineOf(text, { path: "a.py" });
    assert.ok(outline.includes("omitted (raises ZebraError)"), outline);
  }
});

Deno.test("sourceCodeKind keeps the body of a function that the question names", () => {
  const functions: readonly (readonly [string, string, string])[] = [
    ["c", "ring_drain", "status = visit(ring->data + at, count, data);"],
    ["cpp", "add_road", "roads_[to].push_back({from, metres, limit_kmh});"],
    ["go", "Parse", "if len(out) == 0 {"],
    ["java", "priceFor", "BigDecimal further = steps.subtract("],
    ["javascript", "backoff", "const jitter = capped * 0.1;"],
    ["javascript", "onIdle", "this.emit('settled', { done, failed });"],
    ["kotlin", "cancel", "booked[crossing] = taken - 1"],
    ["python", "assign", "key=lambda berth: berth.depth,"],
    ["rust", "load_children", "tiles.push(self.load(child)?);"],
    ["tsx", "useOverdue", "sum += total;"],
    ["typescript", "joined", "return { bytes, ends, model };"],
  ];
  for (const [name, wanted, line] of functions) {
    const query = `please look at ${wanted} again`;
    const { text } = outlineOf(golden(name).input, { query });
    assert.ok(text.includes(line), `${name} ${wanted}`);
  }
});

Deno.test("sourceCodeKind keeps a line that answers the question, wherever it is", () => {
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
        assertSound(text, outline.text);
      },
    ),
    { numRuns: 20 },
  );
});

Deno.test("sourceCodeKind outlines code of any size, and code that does not parse", () => {
  const { input } = golden("python");
  // No line is there twice.
  const large = Array.from(
    { length: 200 },
    (_, i) => input.replace(/(?<=\S)$/gm, `  # ${i}`),
  ).join("");
  const { text } = outlineOf(large, { path: "a.py" });
  assert.ok(text.length < 0.6 * large.length);
  assertSound(large, text);
  for (const name of ["broken", "go_part", "java_part", "typescript_methods"]) {
    const { input, path } = golden(name);
    const { text } = outlineOf(input, { path });
    assert.ok(text.length < 0.7 * input.length, name);
    assertSound(input, text);
  }
});

Deno.test("sourceCodeKind outlines no form of its own again, and nothing where all must stay", () => {
  const { input } = golden("python");
  const marker =
    "[3 lines compressed. Retrieve more: hash=0123456789abcdef01234567]";
  const sealed = compressor.compress(`${input}\n${marker}`, contextOf());
  assert.deepEqual(sealed, { type: "unchanged", reason: "already_compressed" });
  const exact = compressor.compress(input, contextOf({ mayElide: false }));
  assert.equal(exact.type, "unchanged");
  const plain = compressor.compress(
    Array.from({ length: 100 }, (_, i) => `x${i} = 1\n`).join(""),
    contextOf({ path: "a.py" }),
  );
  assert.equal(plain.type, "unchanged");
});

Deno.test("sourceCodeKind keeps no more for where the text came from", () => {
  const { input } = golden("go");
  const bare = outlineOf(input, { path: "a.go" }).text;
  const query = '{"command":"git show HEAD~5:src/Parse/Height.go"}';
  assert.equal(outlineOf(input, { path: "a.go", query }).text, bare);
});

Deno.test("sourceCodeKind writes every note as a comment, inside of one, or behind the line that begins a body", () => {
  for (const { name, expected } of GOLDENS) {
    for (const line of linesOf(expected)) {
      if (!line.includes("… line")) continue;
      const isInText = /^\s*… /.test(line);
      const isBody = /\S … lines? [^{}]*(?: [)\]}]+[;,]?| end)?$/.test(line);
      const isComment = /^\s*(?:\/\/[/!]?|#|\*) … /.test(line);
      assert.ok(isComment || isInText || isBody, line);
      // Docstrings only.
      assert.ok(!isInText || name.startsWith("python"), `${name}: ${line}`);
    }
  }
});

Deno.test("sourceCodeKind writes blocks of lines that repeat once where nothing may be left out", () => {
  const body = Array.from(
    { length: 6 },
    (_, i) => `  await store.save(total${i}, first, second);\n`,
  ).join("");
  const text = Array.from(
    { length: 6 },
    (_, i) => `export async function handle${i}(first, second) {\n${body}}\n`,
  ).join("\n");
  const context = contextOf({ path: "a.ts", mayElide: false });
  const outcome = compressor.compress(text, context);
  assert(outcome.type === "reformatted");
  assert.ok(outcome.text.includes("handle5(first, second) {\n… (lines 2-"));
  assert.equal(outcome.restore?.(outcome.text), text);
});

/** Code that nobody writes, of about so many UTF-16 units. */
const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  "open braces in a line": (size) => `function a() {\n${"{".repeat(size)}\n}\n`,
  "a brace a line": (size) => `function a() {\n${"{\n".repeat(size / 2)}`,
  "open signatures": (size) => "export function a(\n".repeat(size / 19),
  "one long line": (size) =>
    `import a from "b";\nfunction a() {\n  b("${"x".repeat(size)}");\n}\n`,
  "statements that go on": (size) =>
    `function a() {\n  b();\n${"} else {\n".repeat(size / 9)}}\n`,
  "docstrings": (size) =>
    'def a():\n    """b\n    c\n    """\n    d()\n'.repeat(size / 40),
};

for (const [name, make] of Object.entries(HOSTILE)) {
  Deno.test(`sourceCodeKind takes time in proportion to ${name}`, async () => {
    await assertLinear(name, {
      make,
      work: (text) => compressor.compress(text, contextOf({ path: "a.ts" })),
      sizes: [25_000, 200_000],
    });
  });
}
