import assert from "node:assert/strict";
import type { Compressor, PartHint } from "../../src/core/compressor.ts";
import type { BlockJob, LookedPart } from "../../src/core/decision.ts";
import type { ContentKind } from "../../src/core/detector.ts";
import { compressByKind } from "../../src/pipeline/compress_by_kind.ts";
import source from "../../src/ccr/key.ts" with { type: "text" };
import { makeDetector } from "../../src/compressors/detector.ts";
import { CONTENT } from "../../src/compressors/registry.ts";
import { contentOf } from "./content.ts";
import { jobOf } from "./jobs.ts";
import { isData } from "../../src/pipeline/file_data.ts";

/** Leaves out what it may; what it was given stands in its text. */
const eager: Compressor = {
  id: "eager",
  compress: (text, { mayElide, firstLine, path = "" }) =>
    mayElide
      ? {
        type: "elided",
        text: `${text[0]}@${firstLine}${path}`,
        omitted: { count: 1, total: 2, unit: "lines" },
      }
      : { type: "unchanged", reason: "may_not" },
};

/** Hands the text behind its first word on. */
function composite(hint: PartHint): Compressor {
  return {
    id: "composite",
    compress: (text, { compressPart }) =>
      compressPart?.(text.slice(text.indexOf(" ") + 1), hint) ??
        { type: "unchanged", reason: "too_deep" },
  };
}

const counter = {
  encodingOf: () => "units",
  count: (part: string) => part.length,
};
const wholeOf = (job: BlockJob) => ({
  ...{ job, original: "", tokens: 10, mayElide: true },
  log: [] as LookedPart[],
});

/** What a composite makes of a part that `compressor` is for. */
function partBy(compressor: Compressor, facts: Partial<BlockJob> = {}) {
  return compressByKind({
    detector: { detect: (part) => part.startsWith("x") ? "log" : "mixed" },
    content: { ...contentOf(compressor), mixed: { compressor: composite({}) } },
    counter,
  }, wholeOf(jobOf("mixed x", facts))).outcome;
}

/** Compresses `text`, whose first word names its kind. */
function compress(
  text: string,
  facts: Partial<BlockJob> = {},
  hint: PartHint = { firstLine: 7 },
) {
  const whole = wholeOf(jobOf(text, facts));
  const made = composite(hint);
  const result = compressByKind({
    detector: {
      detect: (part) => {
        const word = part.split(" ", 1)[0]!;
        return word === "none" ? undefined : word as ContentKind;
      },
    },
    content: {
      ...contentOf(eager),
      mixed: { compressor: made },
      wrapped: { compressor: made },
      json: { compressor: made },
    },
    counter,
  }, whole);
  return { ...result, log: whole.log };
}

Deno.test("compressByKind compresses a text inside another by its own kind, and notes it", () => {
  const { kind, id, outcome, log } = compress("mixed prose x");
  assert.equal(kind, "mixed");
  assert.equal(id, "composite");
  assert(outcome.type === "elided");
  assert.equal(outcome.text, "p@7");
  assert.deepEqual(log, [{
    kind: "prose",
    firstLine: 7,
    length: 7,
    shortened: 3,
    reason: "",
  }]);
});

Deno.test("compressByKind stops at three texts inside each other", () => {
  const { outcome, log } = compress("mixed mixed mixed mixed prose x");
  assert.deepEqual(outcome, { type: "unchanged", reason: "too_deep" });
  assert.equal(log.length, 3);
});

Deno.test("compressByKind leaves nothing out of a part of a file that an agent edits, but treats data in a wrapper like data", () => {
  const read = { rule: "read", path: "a" } as const;
  const reason = (text: string, hint: PartHint) => {
    const { outcome } = compress(text, read, hint);
    return outcome.type === "unchanged" ? outcome.reason : outcome.type;
  };
  assert.equal(reason("mixed log x", {}), "file_read");
  assert.equal(reason("wrapped log x", { isWhole: true }), "elided");
  assert.equal(reason("wrapped prose x", { isWhole: true }), "file_read");
  assert.equal(reason("json log x", { isWhole: true }), "file_read");
  // JSON that is read is looked into where it is long.
  for (const [length, looked] of [[2047, 0], [2048, 1]] as const) {
    const json = "json prose ".padEnd(length, "x");
    assert.equal(reason(json, { isWhole: true }), "file_read");
    assert.equal(compress(json, read).log.length, looked, `${length}`);
  }
});

Deno.test("compressByKind gives the file of a read to the whole and to its parts", () => {
  const { outcome } = compress(
    "wrapped log x",
    { rule: "read", path: "/app.log" },
    { isWhole: true },
  );
  assert(outcome.type === "elided");
  assert.equal(outcome.text, "l@1/app.log");
});

Deno.test("compressByKind says why a text has no outcome", () => {
  assert.deepEqual(compress("none").outcome, {
    type: "unchanged",
    reason: "no_kind",
  });
  const options = { exact: false, folds: true, codeAware: false };
  assert.deepEqual(compress("source_code x", { options }).outcome, {
    type: "unchanged",
    reason: "code_aware_off",
  });
});

Deno.test("compressByKind uses no part that lost nothing where folds are off", () => {
  const options = { exact: false, folds: false, codeAware: true };
  const folder: Compressor = {
    id: "folder",
    compress: (text) => ({
      type: "reformatted",
      text: "short",
      restore: () => text,
    }),
  };
  assert.deepEqual(partBy(folder, { options }), {
    type: "unchanged",
    reason: "folds_off",
  });
});

Deno.test("compressByKind drops the form of a part that cannot be turned back", () => {
  const careless: Compressor = {
    id: "careless",
    compress: () => ({ type: "reformatted", text: "short" }),
    restore: () => "another text",
  };
  assert.deepEqual(partBy(careless), {
    type: "unchanged",
    reason: "not_reversible",
  });
});

Deno.test("compressByKind asks a compressor of the caller's first, and lets it leave nothing out of a file that is edited", () => {
  const own = (text: string, facts: Partial<BlockJob> = {}) =>
    compressByKind({
      detector: { detect: () => "prose" },
      content: contentOf({ ...eager, id: "other" }),
      counter,
      ownCompressor: (part) => part.startsWith("mine") ? eager : undefined,
    }, wholeOf(jobOf(text, facts)));
  const { kind, id, outcome } = own("mine x");
  assert.deepEqual([kind, id, outcome.type], [undefined, "eager", "elided"]);
  assert.equal(own("other x").id, "other");
  const read = own("mine x", { rule: "read" });
  assert.deepEqual(read.outcome, { type: "unchanged", reason: "file_read" });
});

Deno.test("compressByKind does not count the whole text anew", () => {
  const counted: string[] = [];
  const measuring: Compressor = {
    id: "measuring",
    compress(text, { countTokens }) {
      countTokens(text);
      countTokens("a part");
      return { type: "unchanged", reason: "measured" };
    },
  };
  compressByKind({
    detector: { detect: () => "prose" },
    content: contentOf(measuring),
    counter: {
      encodingOf: () => "units",
      count: (part) => counted.push(part),
    },
  }, { ...wholeOf(jobOf("some words")), original: "some words", tokens: 2 });
  assert.deepEqual(counted, ["a part"]);
});

const LINES = '{"a":1}\n{"a":2}\n';

Deno.test("isData takes logs, rows, generated and very large files for data, and everything else that a read returns for source", () => {
  const large = 20_001;
  const data: readonly [ContentKind, string, string?, number?][] = [
    ["log", ""],
    ["log", "app.log"],
    ["log", "/var/log/syslog"],
    ["log", "a/out.txt"],
    ["log", "x.log.1"],
    ["json", "events.jsonl", LINES],
    ["json", "", LINES],
    ["json", "package.json", "{}", large],
    ["json", "app.js.map"],
    ["table", "a/rows.csv"],
    ["table", "rows.TSV"],
    ["config", "Cargo.lock"],
    ["config", "/a/package-lock.json"],
    ["config", "go.sum"],
    ["prose", "dist/app.min.js"],
    ["dense", "photo.txt"],
  ];
  const source: typeof data = [
    // A source file or a document that holds a log.
    ["log", "tests/parse_test.ts"],
    ["log", "a.py"],
    ["log", "report.md"],
    ["log", "a/b.json"],
    ["json", "package.json", LINES],
    ["json", "", '{\n "a": 1\n}', large - 1],
    ["table", "README.md"],
    ["config", "deploy.yaml"],
    ["diff", "a.patch"],
    ["search_results", ""],
  ];
  for (const [rows, expected] of [[data, true], [source, false]] as const) {
    for (const [kind, path, text = "x", tokens = 10] of rows) {
      const said = `${kind} ${path} ${text}`;
      assert.equal(isData({ kind, path, text, tokens }), expected, said);
    }
  }
});

/** What our own kinds make of the result of a read. */
function read(text: string, facts: Partial<BlockJob> = {}) {
  const job = jobOf(text, {
    rule: "read",
    toolName: "Read",
    path: "src/key.ts",
    mayOutline: true,
    ...facts,
  });
  const { id, outcome } = compressByKind({
    detector: makeDetector(CONTENT),
    content: CONTENT,
    counter: {
      encodingOf: () => "units",
      count: (part) => Math.ceil(part.length / 4),
    },
  }, { ...wholeOf(job), original: text, tokens: text.length / 4 });
  return outcome.type === "elided" ? `${id} ${outcome.text}` : outcome.type;
}

/** Lines with their numbers. */
const numbered = (separator: string, first = 1) =>
  source.trimEnd().split("\n")
    .map((line, i) => `${`${i + first}`.padStart(6)}${separator}${line}`)
    .join("\n");

Deno.test("compressByKind outlines a file in whatever its tool puts around it, with the lines of the file", () => {
  const at = source.split("\n").indexOf(
    "export function ccrKey(text: string): CcrKey {",
  ) + 1;
  const entry = `\n${at}-${
    at + 2
  } export function ccrKey(text: string): CcrKey\n`;
  for (
    const [id, text] of [
      ["code_aware", source],
      ["numbered", numbered("→")],
      [
        "numbered",
        `Here's the result of running \`cat -n\`:\n${numbered("\t")}`,
      ],
      [
        "wrapped",
        `${numbered("→")}\n\n<system-reminder>\nBe good.\n</system-reminder>`,
      ],
      ["wrapped", `<file>\n${numbered("| ")}\n</file>`],
      ["wrapped", `Chunk ID: a\nWall time: 0.1 seconds\nOutput:\n${source}`],
    ] as const
  ) {
    const form = read(text);
    assert.ok(form.startsWith(`${id}:outline `), form.slice(0, 60));
    assert.ok(form.includes(entry), form);
    assert.equal(text.includes("Be good."), form.includes("Be good."));
  }
  assert.ok(read(numbered("→", 101)).includes(`\n${at + 100}-${at + 102} `));
});

Deno.test("compressByKind outlines nothing else, and nothing where that is not asked for", () => {
  const without = (facts: Partial<BlockJob>) => read(source, facts);
  assert.equal(without({ mayOutline: false }), "unchanged");
  const options = { exact: false, folds: true, codeAware: false };
  assert.equal(without({ options }), "unchanged");
  for (
    const [path, text] of [
      ["notes.md", "# Notes\n\nWords about things. Many of them.\n".repeat(60)],
      ["rows.txt", "one line of words that says little\n".repeat(60)],
    ] as const
  ) assert.doesNotMatch(read(text, { path }), /outline/);
});
