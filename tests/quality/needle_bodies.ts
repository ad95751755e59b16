/** Synthetic bodies of 600 lines, each in one shape, with needles that are spelled as the shape spells them. @module */
import type { LoadedItem } from "./corpus.ts";
import { fill, randomOf, usualText, wordAt } from "./needle_values.ts";
import type { Sort } from "./needle_spellings.ts";

/** Lines of a body. */
const LINES = 600;

/** One field of a line: `§` of the pattern is one of the sorts, the others keep their usual values. */
interface Field {
  readonly usual: string;
  /** Values of needles. */
  readonly telling: Partial<Record<Sort, readonly string[]>>;
}

/** The shape of a body. */
interface Shape {
  readonly kind: string;
  readonly name: string;
  /** Lines above the others. */
  readonly head?: string;
  /** `{name}` stands for a field, `#` for a random digit, `@` for a time of the line. */
  readonly line: string;
  readonly time?: (at: Date) => string;
  readonly fields: Readonly<Record<string, Field>>;
}

const iso = (at: Date) => at.toISOString();
const clock = (at: Date) => at.toISOString().slice(11, 23);
const clf = (at: Date) => `01/Mar/2026:${at.toISOString().slice(11, 19)} +0000`;

const HTTP: Field = {
  usual: "200",
  telling: { failing: ["404", "500", "502", "503"], rare: ["206"] },
};
const constant = (usual: string, rare: readonly string[]): Field => ({
  usual,
  telling: { rare },
});
const measure = (usual: string, extreme: readonly string[]): Field => ({
  usual,
  telling: { extreme },
});

const SHAPES: readonly Shape[] = [
  {
    kind: "service_log",
    name: "request_log",
    time: iso,
    line: "@ {level} request path=/a status={status} ms={ms} region={region}",
    fields: {
      level: { usual: "INFO", telling: { failing: ["ERROR", "FATAL"] } },
      status: HTTP,
      ms: measure("40..200", ["48210", "9004"]),
      region: constant("eu-west-1", ["ap-south-2"]),
    },
  },
  {
    kind: "service_log",
    name: "access_log",
    time: clf,
    line:
      '10.0.0.# - - [@] "{method} /items/### {proto}" {status} {bytes} "-" "curl/8.5.0"',
    fields: {
      method: constant("GET", ["DELETE"]),
      proto: constant("HTTP/1.1", ["HTTP/1.0"]),
      status: HTTP,
      bytes: measure("4000..6000", ["913552801", "7"]),
    },
  },
  {
    kind: "service_log",
    name: "klog",
    time: clock,
    line:
      "{level}0301 @000       1 {place}] synced pod web-### took={ms}ms phase={phase}",
    fields: {
      level: { usual: "I", telling: { failing: ["E", "F"] } },
      place: constant("sync.go:117", ["evict.go:88"]),
      ms: measure("11..40", ["90412"]),
      phase: constant("Running", ["Pending"]),
    },
  },
  {
    kind: "service_log",
    name: "envoy",
    time: iso,
    line:
      '[@] "GET /items/### HTTP/1.1" {status} {flag} 0 {bytes} {ms} ## "-" "curl/8.5.0" "{host}"',
    fields: {
      status: HTTP,
      flag: { usual: "-", telling: { failing: ["UF", "UH"] } },
      bytes: measure("4000..6000", ["913552801"]),
      ms: measure("11..40", ["30001"]),
      host: constant("10.0.0.4:8080", ["10.0.9.7:8080"]),
    },
  },
  {
    kind: "service_log",
    name: "haproxy",
    time: (at) => clock(at).slice(0, 8),
    line:
      'Mar  1 @ lb haproxy[7]: 10.0.0.9:5#### [01/Mar/2026:@.###] http-in app/{server} 0/0/1/{wait}/## {status} {bytes} - - {flags} 1/1/0/0/0 0/0 "GET /items/### HTTP/1.1"',
    fields: {
      server: constant("srv1", ["srv7"]),
      wait: measure("11..40", ["30001"]),
      status: HTTP,
      bytes: measure("4000..6000", ["913552801"]),
      flags: { usual: "----", telling: { failing: ["sH--", "SC--"] } },
    },
  },
  {
    kind: "build_log",
    name: "npm_fetch",
    line:
      "npm http fetch {method} {status} https://{host}/pkg-### {ms}ms (cache {cache})",
    fields: {
      method: constant("GET", ["PUT"]),
      status: HTTP,
      host: constant("registry.example.com", ["mirror.example.org"]),
      ms: measure("40..200", ["48210"]),
      cache: constant("miss", ["stale"]),
    },
  },
  {
    kind: "build_log",
    name: "mocha",
    line: "    {mark} reads the row ### of the table ({ms}ms)",
    fields: {
      mark: { usual: "✓", telling: { failing: ["3)", "✗"], rare: ["-"] } },
      ms: measure("11..40", ["30001"]),
    },
  },
  {
    kind: "build_log",
    name: "pytest",
    line: "tests/test_area_##.py::test_row_### {result} ({s}s)",
    fields: {
      result: {
        usual: "PASSED",
        telling: { failing: ["FAILED", "ERROR"], rare: ["SKIPPED", "XFAIL"] },
      },
      s: measure("0.02..0.09", ["187.42"]),
    },
  },
  {
    kind: "json",
    name: "ndjson",
    time: iso,
    line:
      '{"level":{level},"time":"@","msg":"request","path":"/items/###","status":{status},"ms":{ms},"bytes":{bytes},"region":"{region}"}',
    fields: {
      level: { usual: "30", telling: { failing: ["50", "60"] } },
      status: HTTP,
      ms: measure("40..200", ["48210"]),
      bytes: measure("4000..6000", ["-7", "913552801"]),
      region: constant("eu-west-1", ["ap-south-2"]),
    },
  },
  {
    kind: "table",
    name: "pods",
    head:
      "NAME                          READY   STATUS             RESTARTS   AGE   NODE",
    line:
      "web-5d9c7b8f6d-####-#####     {ready}     {status}   {restarts}    4d    {node}",
    fields: {
      ready: { usual: "1/1", telling: { failing: ["0/1"] } },
      status: {
        usual: "Running         ",
        telling: {
          failing: ["CrashLoopBackOff", "ImagePullBackOff", "Error           "],
          rare: ["Terminating     ", "Completed       "],
        },
      },
      restarts: measure("10..40", ["2716"]),
      node: constant("node-a", ["node-q"]),
    },
  },
];

/** A text with one needle. */
export interface Needle {
  /** The text, as if a command had printed it. */
  readonly item: LoadedItem;
  /** The text without the needle. */
  readonly base: string;
  /** What the needle is about. */
  readonly sort: Sort;
  /** How the needle is spelled. */
  readonly variant: string;
  /** The word with the value. */
  readonly word: string;
  /** The value. */
  readonly value: string;
}

/** The ten bodies without needles. */
export function bodies(): readonly LoadedItem[] {
  return SHAPES.map((shape) => itemOf(shape, linesOf(shape)));
}

/** The bodies with each of their own needles, at random places. */
export function bodyNeedles(): readonly Needle[] {
  return SHAPES.flatMap((shape) => {
    const lines = linesOf(shape);
    return Object.entries(shape.fields).flatMap(([field, { telling }]) =>
      Object.entries(telling).flatMap(([sort, values]) =>
        values.map((value) => {
          const needle = { field, value, sort: sort as Sort };
          return planted(shape, lines, needle);
        })
      )
    );
  });
}

function planted(
  shape: Shape,
  lines: readonly string[],
  { field, value, sort }: { field: string; value: string; sort: Sort },
): Needle {
  const random = randomOf(`${shape.name} ${field} ${value}`);
  const at = 20 + Math.floor(random() * (lines.length - 40));
  const line = lineOf(shape, at, { field, value });
  return {
    item: itemOf(shape, lines.with(at, line.text)),
    base: lines.join("\n"),
    sort,
    variant: `${field}: ${value.trim()}`,
    word: wordAt(line, value.trim()),
    value: value.trim(),
  };
}

function linesOf(shape: Shape): readonly string[] {
  return Array.from({ length: LINES }, (_, i) => lineOf(shape, i).text);
}

function lineOf(
  { name, line, time, fields }: Shape,
  i: number,
  needle?: { readonly field: string; readonly value: string },
) {
  const random = randomOf(`${name} line ${i}`);
  const at = new Date(Date.UTC(2026, 2, 1, 8) + i * 1_730);
  const filled = line.replaceAll("@", time?.(at) ?? "").replace(
    /\{(\w+)\}/g,
    (_, field: string) =>
      field === needle?.field ? "§" : usualText(fields[field]!.usual, random),
  );
  return fill(filled, needle?.value ?? "", random);
}

function itemOf(
  { kind, name, head }: Shape,
  lines: readonly string[],
): LoadedItem {
  return {
    file: `synthetic/${name}`,
    kind,
    tool: "Bash",
    args: { command: "cat out.txt" },
    query: "What is in the output?",
    heldOut: false,
    facts: [],
    text: [...head === undefined ? [] : [head], ...lines].join("\n"),
  };
}
