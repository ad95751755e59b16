/**
 * Speed of token counting. Usage: `deno run -A tests/bench/tokens_bench.ts`.
 * Prints megabytes of UTF-8 per second, and what loading costs.
 * @module
 */
import { openTokenCounter } from "../../src/tokens/counter.ts";

const MODELS = { o200k_base: "gpt-5", cl100k_base: "gpt-4" } as const;
const PIECE = 20_000;
const utf8 = new TextEncoder();

/** Same sequence on every run: a linear congruential generator. */
function randomSource(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

const random = randomSource(1);
const WORDS =
  ("the of and to a in that is was he for it with as his on be at by I this had not are but from or have an they which " +
    "one you were all her she there would their we him been has when who will no more if out so up said what its about " +
    "than into them can only other time new some could these two may first then do any like my now over such our man me " +
    "even most made after also did many off before must well back through years much where your way down should because " +
    "long each just state those people too mister how little good world make very year still see own work men day get " +
    "here old between both life being under three never know same last another while us might great go come since against " +
    "right came take used himself few house use during without again place American around however home small found " +
    "thought went say part once general high upon school every obfuscation kaleidoscope thermodynamic anthropomorphism " +
    "throughput serialisation idempotency backpressure Kubernetes quarantine Byzantine zeitgeist")
    .split(" ");
const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;
const hex = (n: number) =>
  Array.from({ length: n }, () => random(16).toString(16)).join("");

function fill(line: () => string, bytes: number): string {
  let text = "";
  while (text.length < bytes) text += line();
  return text;
}

function english(): string {
  const words = Array.from({ length: 8 + random(14) }, () => pick(WORDS));
  words[0] = words[0]!.charAt(0).toUpperCase() + words[0]!.slice(1);
  return words.join(" ") + pick([". ", ", and then ", "; ", "?\n", ".\n\n"]);
}

function json(): string {
  const row = {
    id: random(100_000),
    uuid: `${hex(8)}-${hex(4)}-${hex(4)}`,
    name: `${pick(WORDS)} ${pick(WORDS)}`,
    created_at: `2026-0${1 + random(9)}-1${random(10)}T0${random(10)}:12:${
      10 + random(50)
    }Z`,
    score: random(10_000) / 100,
    tags: [pick(WORDS), pick(WORDS)],
    active: random(2) === 1,
    parent: null,
  };
  return JSON.stringify(row, null, 2) + ",\n";
}

function code(): string {
  const a = pick(WORDS);
  const b = pick(WORDS);
  return `export function ${a}_${b}${random(1000)}(input: string, limit = ${
    random(500)
  }): number {\n  const ${b}Index = input.indexOf("${a}");\n  if (${b}Index < 0 || ${b}Index > limit) {\n    return this.#${a}.get(${b}Index) ?? -1; // ${b} ${a} ${
    pick(WORDS)
  }\n  }\n  return ${b}Index * ${random(99)};\n}\n\n`;
}

function log(): string {
  return `2026-07-1${random(10)}T12:${10 + random(50)}:${10 + random(50)}.${
    100 + random(900)
  }Z ${pick(["INFO", "WARN", "ERROR", "DEBUG"])} [worker-${
    random(16)
  }] com.example.${pick(WORDS)}.Service - ${pick(WORDS)} ${pick(WORDS)} took ${
    random(5000)
  }ms request_id=${hex(12)} path=/api/v1/${pick(WORDS)}/${random(99999)}\n`;
}

const mega = 1_000_000;
const letters = (n: number, alphabet: string) =>
  Array.from({ length: n }, () => alphabet[random(alphabet.length)]).join("");
const base64 =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const fresh = { english, json, code, log };
const hostile: Record<string, () => string> = {
  "one letter": () => "a".repeat(mega),
  "upper case": () => "A".repeat(mega),
  "spaces": () => " ".repeat(mega),
  "newlines": () => "\n".repeat(mega),
  "dashes": () => "-".repeat(mega),
  "digits": () => "7".repeat(mega),
  "É": () => "É".repeat(mega / 2),
  "one CJK": () => "漢".repeat(mega / 3),
  "CJK run": () =>
    Array.from(
      { length: mega / 3 },
      () => String.fromCharCode(0x4e00 + random(3000)),
    ).join(""),
  "emoji ZWJ": () => "👩‍👩‍👧‍👦".repeat(mega / 25),
  "combining": () => "e\u0301".repeat(mega / 3),
  "random letters": () => letters(mega, "abcdefghijklmnopqrstuvwxyz"),
  "base64": () => letters(mega, base64),
  "hex": () => letters(mega, "0123456789abcdef"),
  "no-break space": () => "\u00a0".repeat(mega / 2),
};

const rssBefore = Deno.memoryUsage().rss;
const loading = performance.now();
const counter = await openTokenCounter();
print("load o200k_base, ms", performance.now() - loading);
print("load o200k_base, RSS MB", (Deno.memoryUsage().rss - rssBefore) / mega);
const loadingOld = performance.now();
counter.count("", MODELS.cl100k_base);
print("load cl100k_base, ms", performance.now() - loadingOld);

for (const [encoding, model] of Object.entries(MODELS)) {
  for (const [name, line] of Object.entries(fresh)) {
    const pieces = Array.from({ length: 30 }, () => fill(line, PIECE));
    const first = pieces.map((piece) => timed(piece, model));
    const again = pieces.map((piece) => timed(piece, model));
    print(
      `${encoding} ${name}: very first, fresh, again`,
      megabytesPerSecond(pieces[0]!, first[0]!),
      megabytesPerSecond(pieces[0]!, median(first)),
      megabytesPerSecond(pieces[0]!, median(again)),
    );
  }
  for (const [name, make] of Object.entries(hostile)) {
    const text = make();
    print(
      `${encoding} hostile ${name}`,
      megabytesPerSecond(text, timed(text, model)),
    );
  }
}

function timed(text: string, model: string): number {
  const start = performance.now();
  counter.count(text, model);
  return performance.now() - start;
}

function megabytesPerSecond(text: string, milliseconds: number): number {
  return utf8.encode(text).length / 1000 / milliseconds;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function print(what: string, ...values: number[]): void {
  // deno-lint-ignore no-console
  console.log(what.padEnd(52), ...values.map((v) => v.toFixed(1).padStart(8)));
}
