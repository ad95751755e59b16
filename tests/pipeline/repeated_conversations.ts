/** Generated sessions of an agent that reads and edits one file, and a reader that follows references in what is sent. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeLiteral } from "../../src/bytes/json_string.ts";
import { unfoldNumbers } from "../../src/compressors/numbered/fold.ts";
import type { ProviderFormat } from "../../src/core/format.ts";
import {
  type EarlierPart,
  earlierParts,
  nameOf,
  textsOf,
} from "../../src/pipeline/earlier_texts.ts";
import { comparedLines } from "../../src/text/earlier_lines.ts";
import { numberedRun, prefixOf } from "../../src/text/line_numbers.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import type { Call, Conversation } from "../conformance/conversation.ts";

/** What an agent does next. */
type Act =
  | { readonly type: "read"; readonly from: number; readonly style: Style }
  | { readonly type: "edit"; readonly at: number; readonly lines: number }
  | { readonly type: "write" }
  | { readonly type: "test"; readonly failing: readonly number[] }
  | { readonly type: "paste" };

/** How a tool numbers lines. */
type Style = "plain" | "arrow" | "tab" | "colon";

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("read" as const),
      from: fc.constantFrom(0, 0, 0, 7, 30),
      style: fc.constantFrom<Style>("arrow", "arrow", "tab", "plain", "colon"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("edit" as const),
      at: fc.nat(59),
      lines: fc.integer({ min: 1, max: 8 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: "write" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("test" as const),
      failing: fc.uniqueArray(fc.nat(30), { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: "paste" as const }) },
);

/** Lines that begin alike, some of them empty or all alike. */
function firstFile(): string[] {
  return Array.from(
    { length: 60 },
    (_, i) =>
      i % 9 === 8
        ? ""
        : i % 9 === 7
        ? "}"
        : `  const value${i} = compute("${i}", größe, options.first);`,
  );
}

function numbered(lines: readonly string[], from: number, style: Style) {
  return lines.map((line, i) => {
    const number = from + i + 1;
    if (style === "plain") return line;
    if (style === "colon") return `${number}:${line}`;
    return `${`${number}`.padStart(6)}${style === "tab" ? "\t" : "→"}${line}`;
  }).join("\n");
}

/** The acts as calls with their results. */
export function sessionOf(acts: readonly Act[], name = "s"): Conversation {
  let lines = firstFile();
  let note: string | undefined;
  const path = "src/a.ts";
  const steps = acts.map((one, n) => {
    const callOf = (one: Act): Omit<Call, "id"> => {
      switch (one.type) {
        case "read": {
          const result = numbered(
            lines.slice(one.from),
            one.from,
            one.style,
          );
          return { tool: "Read", args: { file_path: path }, result };
        }
        case "edit": {
          const fresh = Array.from(
            { length: one.lines },
            (_, i) => `  const edited${n}_${i} = compute("${n}", other, 1);`,
          );
          lines = lines.toSpliced(one.at, 2, ...fresh);
          const args = { file_path: path, new_string: fresh.join("\n") };
          return { tool: "Edit", args, result: "The file was updated." };
        }
        case "write": {
          lines = lines.map((line, i) => i % 10 === 0 ? `${line} // w` : line);
          const args = { file_path: path, content: lines.join("\n") };
          return { tool: "Write", args, result: "The file was written." };
        }
        case "test": {
          const result = Array.from(
            { length: 40 },
            (_, i) =>
              one.failing.includes(i)
                ? `FAILED test ${i} of the suite: expected 1 but got ${i}`
                : `test number ${i} of the whole suite ... ok (took a while)`,
          )
            .join("\n");
          return { tool: "Bash", args: { command: "npm test" }, result };
        }
        case "paste":
          note = `Look at this:\n${lines.slice(10, 25).join("\n")}\nThanks.`;
          return { tool: "Bash", args: { command: "true" }, result: "done" };
      }
    };
    const call = { id: `${name}${n}`, ...callOf(one) };
    const step = { calls: [call], ...note !== undefined && { note } };
    note = undefined;
    return step;
  });
  return { question: "Change the file.", steps };
}

/** What an agent does, act by act. */
export const acts: fc.Arbitrary<readonly Act[]> = fc.array(act, {
  minLength: 2,
  maxLength: 12,
});

const NOTE =
  /^… lines (\d+)-(\d+) are unchanged since (.+) above(?:, lines (\d+)-(\d+) there)?$/;
const MARKER = /^\[\d+ lines compressed to \d+\. Retrieve more: hash=/;

/** A text that a reader can be referred to, by what it is called. */
interface Shown {
  readonly name: string;
  readonly noun: string;
  readonly text: string;
}

/** All texts that are sent before some place, in order. */
function shownBefore(
  format: ProviderFormat,
  sent: Uint8Array,
  end: number,
): Shown[] {
  const scan = format.scan(sent);
  return [...earlierParts(scan, end)].flatMap((part: EarlierPart) => {
    const { noun } = nameOf(sent, scan, part);
    const texts = part.kind === "result"
      ? [{ text: decodeLiteral(sent, part.span)!, before: "the " }]
      : textsOf(sent, part, ccrKey);
    return [
      { name: "", noun, text: "" },
      ...texts.map(({ text, before }) => ({ name: before, noun, text })),
    ];
  });
}

/** The lines of a text by the numbers that a reader sees. */
function linesOf({ text, name }: Shown): Map<number, string> {
  const whole = unfoldNumbers(text);
  const isPatch = name.startsWith("the patch in ");
  const { first, starts, ends } = comparedLines(whole, "", isPatch)!;
  return new Map(
    [...starts].map((start, i) => [first + i, whole.slice(start, ends[i])]),
  );
}

/**
 * Puts the lines in the place of the references to them.
 *
 * @param style Text whose lines are numbered as those of the original are.
 */
export function expanded(
  format: ProviderFormat,
  sent: Uint8Array,
  { start, style }: { readonly start: number; readonly style: string },
): string {
  const scan = format.scan(sent);
  const block = scan.blocks.find(({ span }) => span.start === start)!;
  const form = decodeLiteral(sent, block.span)!;
  const before = shownBefore(format, sent, start);
  const run = numberedRun(style);
  const lines = form.split("\n");
  assert.match(lines.at(-1)!, MARKER);
  return lines.slice(0, -1).flatMap((line) => {
    const note = NOTE.exec(line);
    if (note === null) return [line];
    const [, from = "", to = "", where = "", there = from] = note;
    const source = sourceOf(before, where);
    const shown = linesOf(source);
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => {
      const text = shown.get(Number(there) + i);
      assert(text !== undefined, `${line}: no line ${Number(there) + i}`);
      return run ? prefixOf(run.style, Number(from) + i) + text : text;
    });
  }).join("\n");
}

/** The text that is called so, for a reader who goes back from the reference. */
function sourceOf(before: readonly Shown[], where: string): Shown {
  const [, name = "", back = "1", noun] =
    /^(the |(?:the patch in )?(?:".+" of )?your )(?:(\d+)..-)?last (.+)$/.exec(
      where,
    ) ?? [];
  let left = Number(back);
  for (const [i, one] of before.entries().toArray().toReversed()) {
    // Each part begins with its name.
    if (one.name !== "" || one.noun !== noun || --left > 0) continue;
    const texts = before.slice(i + 1);
    const end = texts.findIndex((text) => text.name === "");
    const found = (end < 0 ? texts : texts.slice(0, end))
      .filter((text) => text.name === name);
    assert.equal(found.length, 1, `${where} names ${found.length} texts`);
    return found[0]!;
  }
  assert.fail(`${where}: there is none`);
}
