import assert from "node:assert/strict";
import {
  framesOf,
  NO_FRAME,
} from "../../../src/compressors/source_code/frame.ts";
import type { LanguageId } from "../../../src/compressors/source_code/language.ts";
import { countErrors } from "../../../src/compressors/source_code/parse.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { loadAll, parsed, PARTS } from "./samples.ts";

await loadAll();

function errorsOf(id: LanguageId, text: string): number {
  return parsed({ id, text }, (tree) => countErrors(tree, 100));
}

/** Fewest errors in any frame. */
function leastErrors(id: LanguageId, text: string): number {
  const counts = framesOf(id, indexLines(text)).map(({ head, tail }) =>
    errorsOf(id, head + text + tail)
  );
  return Math.min(...counts);
}

Deno.test("framesOf offers a frame in which a part of a file parses", () => {
  const parts: readonly [LanguageId, string][] = [
    ["typescript", "  get(key: K): V | undefined {\n    return this.x;\n  }\n"],
    ["javascript", "    return a;\n  }\n\n  b() {\n  }\n}\n"],
    ["java", "    private int a() {\n        return 1;\n    }\n"],
    ["go", "\t\treturn nil\n\t}\n\treturn a\n"],
    ["go", "\t\t\ta()\n\t\t}\n\t}\n\treturn a\n}\n"],
    ["typescript", "      a();\n    }\n  }\n\n  b() {\n  }\n}\n"],
    ["rust", "    pub fn a(&self) -> u8 {\n        1\n    }\n}\n"],
    ["c", "int a(void)\n{\n\tif (b) {\n\t\tc();\n"],
    ["cpp", "void A::b() {\n  c();\n"],
  ];
  for (const [language, text] of parts) {
    assert.equal(leastErrors(language, text), 0, `${language}: ${text}`);
  }
  for (const { name, language, input } of PARTS) {
    assert.ok(leastErrors(language, input) < errorsOf(language, input), name);
  }
});

Deno.test("framesOf offers nothing for Python and for what is no part of a file", () => {
  assert.deepEqual(framesOf("python", indexLines("    return a\n")), []);
  assert.deepEqual(framesOf("c", indexLines("}\n".repeat(50))), []);
  assert.deepEqual(framesOf("c", indexLines("{".repeat(50))), []);
});

Deno.test("framesOf puts whole lines around a text", () => {
  for (const { head, tail } of framesOf("java", indexLines("int a() {\n"))) {
    assert.match(head, /^(?:[^\n]+\n)*$/);
    assert.match(tail, /^(?:\n[^\n]+)*$/);
  }
  assert.deepEqual(NO_FRAME, { head: "", tail: "" });
});
