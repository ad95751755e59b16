import assert from "node:assert/strict";
import { logKind } from "../../../src/compressors/log/kind.ts";
import { SOURCE } from "../../../src/compressors/log/findings.ts";
import { viewLog } from "../../../src/compressors/log/view.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { contextOf } from "../goldens.ts";
import { serviceLines } from "./samples.ts";

/** Findings of a tool, a line of each different. */
function findings(count: number, one: (line: number) => string[]): string[] {
  return Array.from({ length: count }, (_, i) => one(11 + 7 * i)).flat();
}

const TOOLS: Readonly<Record<string, (line: number) => string[]>> = {
  rustc: (line) => [
    "error[E0425]: cannot find value `x` in this scope",
    `  --> src/main.rs:${line}:5`,
    "   |",
    `${line} |     x + ${line}`,
    "   |     ^",
    "",
  ],
  gcc: (line) => [
    `a.c:${line}:5: warning: unused variable 'n${line}' [-Wunused]`,
    `   ${line} |   int n${line} = 0;`,
    "      |       ^~~",
  ],
  javac: (line) => [
    `src/A.java:${line}: error: incompatible types: String cannot be converted to Integer`,
    `        return names.get(${line});`,
    "                        ^",
  ],
  "tsc --pretty": (line) => [
    `src/a.ts:${line}:5 - error TS2322: Type 'string' is not assignable to type 'number'.`,
    "",
    `${line}   return names[${line}];`,
    "    ~~~~~~~",
    "",
  ],
  biome: (line) => [
    `src/a.js:${line}:5 lint/style/useConst  FIXABLE  ━━━━━━━━━━━━━━━━━━━━`,
    "",
    "  × This let declares a variable that is only assigned once.",
    "  ",
    `  > ${line} │   let n${line} = ${line};`,
    "       │   ^^^",
    "  ",
  ],
};

for (const [name, tool] of Object.entries(TOOLS)) {
  Deno.test(`quotedSource finds the source that ${name} quotes`, () => {
    const lines = findings(5, tool);
    const { quoted } = viewLog(lines.join("\n"));
    const isSource = (line: string) =>
      /^[ \t>]*\d+ *[|│ ]|^[ |│]*$|names\.get|^[ |│]*[\^~]+$/.test(line) &&
      line.trim() !== "";
    assert.deepEqual(
      lines.filter((_, i) => (quoted[i] ?? 0) & SOURCE),
      lines.filter(isSource),
    );
  });

  Deno.test(`quotedSource leaves a few findings of ${name} as they are`, () => {
    const { quoted } = viewLog(findings(3, tool).join("\n"));
    assert.ok(quoted.every((flag) => flag === 0));
  });

  Deno.test(`a failure stays in the middle of findings of ${name}`, () => {
    const lines = findings(12, tool);
    const failure = "2026-02-02T10:00:00Z ERROR [db] connection lost";
    for (let at = 0; at < lines.length; at++) {
      const text = lines.toSpliced(at, 0, failure).join("\n");
      const { compressor } = entryOf(logKind);
      const outcome = compressor.compress(text, contextOf(true));
      if (outcome.type === "elided") assert.ok(outcome.text.includes(failure));
    }
  });
}

Deno.test("quotedSource keeps the source of few errors among many warnings", () => {
  const warnings = findings(9, TOOLS.gcc ?? (() => []));
  const error = [
    "b.c:3:1: error: expected ';' before '}' token",
    "    3 | }",
    "      | ^",
  ];
  const { quoted } = viewLog([...warnings, ...error].join("\n"));
  assert.deepEqual([...quoted.subarray(-3)], [0, 0, 0]);
  assert.ok(quoted.some((flag) => (flag & SOURCE) !== 0));
});

Deno.test("quotedSource finds nothing in the log of a service", () => {
  const lines = serviceLines(200);
  for (let i = 0; i < 200; i += 9) lines[i] = `ERROR src/a.ts:${i} lost`;
  assert.ok(viewLog(lines.join("\n")).quoted.every((flag) => flag === 0));
});
