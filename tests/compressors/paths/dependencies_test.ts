import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldDependencies,
  isDependencies,
  unfoldDependencies,
} from "../../../src/compressors/paths/dependencies.ts";
import {
  draw,
  FORKED,
  PLAIN_LINES,
  PLUS,
} from "../../../src/compressors/paths/drawing.ts";
import { assertLinear } from "../../cpu_time.ts";

const length = (text: string) => text.length;

const CARGO = [
  "shop v0.1.0 (/home/dev/shop)",
  "├── clap v4.6.9",
  "│   ├── clap_builder v4.6.7",
  "│   │   ├── anstyle v1.0.14",
  "│   │   └── strsim v0.11.1",
  "│   └── clap_derive v4.6.9 (proc-macro)",
  "│       ├── quote v1.0.47",
  "│       │   └── anstyle v1.0.14",
  "│       └── syn v3.0.10",
  "└── regex v1.13.2",
  "    ├── quote v1.0.47 (*)",
  "    └── syn v2.0.1",
  "",
].join("\n");

const NPM = [
  "shop@1.0.0 /app",
  "├─┬ express@4.1.2",
  "│ ├── accepts@1.3.8",
  "│ └─┬ body-parser@1.20.1",
  "│   ├── bytes@3.1.2",
  "│   └── UNMET DEPENDENCY debug@2.6.9",
  "├─┬ morgan@1.10.0",
  "│ └── bytes@3.1.2 deduped",
  "└── @types/node@20.1.0",
].join("\n");

Deno.test("foldDependencies writes deeper levels as blanks and each version once", () => {
  assert.equal(
    foldDependencies(CARGO, length)!.text,
    [
      "… (deeper levels by indentation, versions named once)",
      "shop v0.1.0 (/home/dev/shop)",
      "├── clap v4.6.9",
      " clap_builder v4.6.7",
      "  anstyle v1.0.14",
      "  strsim v0.11.1",
      " clap_derive v4.6.9 (proc-macro)",
      "  quote v1.0.47",
      "   anstyle",
      "  syn v3.0.10",
      "└── regex v1.13.2",
      " quote (*)",
      " syn v2.0.1",
      "",
    ].join("\n"),
  );
});

Deno.test("unfoldDependencies gives trees back from nothing but the form", () => {
  const gradle = [
    "runtimeClasspath - Runtime classpath of source set 'main'.",
    "+--- org.slf4j:slf4j-api:2.0.9",
    "+--- com.acme:core:1.2.0",
    "|    +--- org.slf4j:slf4j-api:1.7.36 -> 2.0.9",
    "|    \\--- com.acme:io:1.2.0",
    "|         +--- com.acme:net:1.2.0 (*)",
    "|         \\--- com.acme:log:1.2.0",
    "\\--- org.junit:junit:5.10.0",
  ].join("\n");
  for (const text of [CARGO, NPM, gradle]) {
    assert.ok(isDependencies(text), text);
    const whole = text.split("\n");
    for (let count = 4; count <= whole.length; count++) {
      const part = whole.slice(0, count).join("\n");
      const form = foldDependencies(part, (text) => text.includes("…") ? 0 : 9);
      assert.ok(form !== undefined, part);
      assert.equal(unfoldDependencies(form.text), part);
    }
  }
});

Deno.test("unfoldDependencies is the inverse for any tree", () => {
  const entry = fc.tuple(
    fc.nat(3),
    fc.constantFrom(
      "a v1.0.0",
      "a v2.0.0",
      "a",
      "b@1.0.0",
      "@scope/c@2.1.0 deduped",
      "a v1.0.0 (*)",
      "[dev-dependencies]",
      "UNMET DEPENDENCY b@1.0.0",
      " x",
    ),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(PLAIN_LINES, FORKED, PLUS),
      fc.array(entry, { minLength: 6, maxLength: 40 }),
      (drawing, parts) => {
        let depth = 0;
        const entries = parts.map(([down, name]) => {
          depth = Math.min(depth + 1, down);
          return { depth, name };
        });
        const text = draw(entries, drawing, []).join("\n");
        const form = foldDependencies(text, length);
        if (form !== undefined) {
          assert.equal(unfoldDependencies(form.text), text);
        }
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("isDependencies leaves trees of files and other texts alone", () => {
  for (
    const text of [
      "",
      ".\n├── a.ts\n├── b.ts\n├── c\n│   └── d.ts\n└── e.ts\n├── f.ts\n",
      "# Parts\n\n- a 1.0\n- b 2.0\n".repeat(9),
      CARGO.split("\n").slice(0, 4).join("\n"),
    ]
  ) assert.ok(!isDependencies(text), text);
});

Deno.test("foldDependencies takes time in proportion to its input", async () => {
  await assertLinear("deep trees", {
    make: (size) =>
      `r v1.0.0\n${
        Array.from(
          { length: size / 100 },
          (_, i) => `${"│   ".repeat(i % 20)}├── d${i % 90} v1.${i % 7}.0`,
        ).join("\n")
      }`,
    work: (text) => {
      isDependencies(text);
      foldDependencies(text, length);
    },
    sizes: [50_000, 1_000_000],
  });
});
