/** What an outline keeps, wherever it stands. */
import assert from "node:assert/strict";
import type { LanguageId } from "../../../src/compressors/source_code/language.ts";
import { golden, linesOf, loadAll, outlineOf } from "./samples.ts";

await loadAll();

/** A piece of code that must stay, and where it may stand: at the top, or in a class. */
const MUST_KEEP: readonly (readonly [string, LanguageId, string])[] = [
  ["import", "typescript", 'import { zebra } from "./zebra.ts";\n'],
  ["type", "typescript", "export type Zebra = { stripes: number };\n"],
  [
    "interface",
    "typescript",
    "interface Zebra {\n  /** Number of stripes. */\n  readonly stripes: number;\n}\n",
  ],
  [
    "signature",
    "typescript",
    "export async function zebra(stripes: number): Promise<void> {\n  await gallop();\n}\n",
  ],
  ["import", "python", "from zebra import stripes\n"],
  ["constant", "python", "ZEBRA_STRIPES = 26\n"],
  [
    "decorated function",
    "python",
    "@zebra.route('/stripes')\ndef stripes(count: int) -> Zebra:\n    pass\n",
  ],
  [
    "class",
    "python",
    'class ZebraError(Exception):\n    """Raised for a horse."""\n',
  ],
  ["import", "go", 'import "zebra"\n'],
  ["type", "go", "type Zebra struct {\n\tStripes int\n}\n"],
  [
    "signature",
    "go",
    "func (z *Zebra) Gallop(speed int) error { return nil }\n",
  ],
  ["macro", "c", "#define ZEBRA_STRIPES 26\n"],
  ["prototype", "c", "int zebra_gallop(struct zebra *zebra);\n"],
];

for (const [what, language, code] of MUST_KEEP) {
  Deno.test(`sourceCodeCompressor keeps ${what} of ${language} wherever it stands`, () => {
    const lines = linesOf(golden(language).input);
    const start = lines.findIndex((line) =>
      /^(?:import|from|#include)\b/.test(line)
    );
    let tried = 0;
    for (let i = start; i <= lines.length; i++) {
      // Between declarations only.
      const isBetween = lines[i - 1] === "" && /^[\w@/#]/.test(lines[i] ?? "");
      if (!isBetween) continue;
      const text = [...lines.slice(0, i), code, ...lines.slice(i), ""].join(
        "\n",
      );
      const outline = outlineOf(text, { path: golden(language).path }).text;
      assert.ok(outline.includes(code), `${what} before line ${i + 1}`);
      tried++;
    }
    assert.ok(tried >= 5, `${tried} places`);
  });
}

Deno.test("sourceCodeCompressor names errors that a body it leaves out may raise", () => {
  const body = "    do_something_with(argument, other)\n".repeat(6);
  for (const at of [0, 3, 6]) {
    const lines = linesOf(body);
    lines.splice(at, 0, "    raise ZebraError(argument)");
    const text = `def f(argument):\n${
      lines.join("\n")
    }\n    g()\n\n\ndef g():\n${body}`;
    assert.ok(outlineOf(text, { path: "a.py" }).text.includes("ZebraError"));
  }
});
