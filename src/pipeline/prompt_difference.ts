/** Whether one prompt goes on from another: what a provider's cache sees of two request bodies. @module */
import { commonPrefix } from "../bytes/common_prefix.ts";
import { compareJson, JsonReader } from "../bytes/json_difference.ts";
import { objectOr, parseJson } from "../bytes/json_parts.ts";
import type { ByteSpan } from "../core/block.ts";
import type { PromptMember } from "../core/format.ts";

/** The prompt in one request body. */
export interface Prompt {
  /** The body. */
  readonly bytes: Uint8Array;
  /** Its members, in the order in which caches read them: tools, instructions, the conversation last. */
  readonly members: readonly PromptMember[];
  /** Offsets at which elements of the conversation begin, ascending; some may be missing. */
  readonly starts: Uint32Array;
  /** Whether none of `starts` is missing. */
  readonly hasAllStarts: boolean;
}

/** Two prompts of one conversation. */
export interface PromptPair {
  /** The earlier one. */
  readonly before: Prompt;
  /** The later one. */
  readonly now: Prompt;
}

/** How one member of a prompt goes on. */
export interface MemberComparison {
  /** Its key. */
  readonly name: string;
  /** The earlier value; empty where there is none. */
  readonly span: ByteSpan;
  /** The first difference; `undefined` when the value is the same, or a conversation was only added to. */
  readonly difference: PromptDifference | undefined;
  /** Offset in the later body behind what is the same; 0 where the member is missing. */
  readonly end: number;
}

/** Where two prompts part. */
export interface PromptDifference {
  /** Offset in the earlier body of the first byte that differs; -1 where the member is new. */
  readonly before: number;
  /** The same in the later body; -1 where the member is gone. */
  readonly now: number;
  /** Offset in the earlier body of the conversation's element that differs; `undefined` elsewhere. */
  readonly element: number | undefined;
  /** Leads from the element, or from the member, to the value. */
  readonly path: readonly (string | number)[];
}

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;

/**
 * Compares member by member, in the order of `members`. All but the conversation must be the same; a conversation may be
 * longer. Marks of the cache do not matter, see {@linkcode compareJson}.
 *
 * O(bytes); a fifth of a millisecond for two megabytes that are the same.
 */
export function comparePrompts(
  { before, now }: PromptPair,
): readonly MemberComparison[] {
  const last = before.members.at(-1)?.name;
  const names = new Set([
    ...before.members.slice(0, -1).map(({ name }) => name),
    ...now.members.slice(0, -1).map(({ name }) => name),
    ...last === undefined ? [] : [last],
  ]);
  return [...names].map((name) => {
    const a = spanOf(before, name);
    const b = spanOf(now, name);
    if (a === undefined || b === undefined) {
      return {
        name,
        span: a ?? { start: 0, end: 0 },
        difference: {
          before: a?.start ?? -1,
          now: b?.start ?? -1,
          element: undefined,
          path: [],
        },
        end: 0,
      };
    }
    const compare = name === last ? compareConversation : compareValue;
    const pair = { before, now, a, b };
    return { name, span: a, ...compare(pair) };
  });
}

function spanOf({ members }: Prompt, wanted: string): ByteSpan | undefined {
  return members.find(({ name }) => name === wanted)?.span;
}

/** The same member of both. */
interface MemberPair extends PromptPair {
  readonly a: ByteSpan;
  readonly b: ByteSpan;
}

type Compared = Pick<MemberComparison, "difference" | "end">;

function compareValue({ before, now, a, b }: MemberPair): Compared {
  const equal = commonPrefix(
    { bytes: before.bytes, span: a },
    { bytes: now.bytes, span: b },
  );
  if (equal === a.end - a.start && equal === b.end - b.start) {
    return { difference: undefined, end: b.end };
  }
  const { difference, firstEnd, secondEnd } = compareJson(
    { bytes: before.bytes, at: a.start },
    { bytes: now.bytes, at: b.start },
  );
  return {
    difference: difference && {
      before: firstEnd,
      now: secondEnd,
      element: undefined,
      path: difference.path,
    },
    end: secondEnd,
  };
}

function compareConversation(pair: MemberPair): Compared {
  const { before, now, a, b } = pair;
  if (before.bytes[a.start] === QUOTE) return compareText(pair);
  if (now.bytes[b.start] !== OPEN_BRACKET) return compareValue(pair);
  let at = a.start + 1;
  let nowAt = b.start + 1;
  for (;;) {
    const equal = commonPrefix(
      { bytes: before.bytes, span: { start: at, end: a.end - 1 } },
      { bytes: now.bytes, span: { start: nowAt, end: b.end - 1 } },
    );
    if (at + equal === a.end - 1) {
      return { difference: undefined, end: nowAt + equal };
    }
    // Up to the element in which they part both are the same text: its place in one gives that in the other.
    const start = Math.max(at, startBefore(before.starts, at + equal));
    const first = new JsonReader({ bytes: before.bytes, at: start });
    const second = new JsonReader({
      bytes: now.bytes,
      at: nowAt + start - at,
    });
    if (!first.element()) return { difference: undefined, end: second.at };
    const element = first.at;
    if (!second.element()) {
      const difference = { before: element, now: second.at - 1, element };
      return { difference: { ...difference, path: [] }, end: second.at - 1 };
    }
    const compared = compareJson(first, second);
    const { difference, firstEnd, secondEnd } = compared;
    if (difference) {
      return {
        difference: {
          before: firstEnd,
          now: secondEnd,
          element,
          ...difference,
        },
        end: secondEnd,
      };
    }
    at = firstEnd;
    nowAt = secondEnd;
  }
}

/** A conversation that began as a plain text may go on as a list whose first element says the same. */
function compareText(pair: MemberPair): Compared {
  const { before, now, a, b } = pair;
  if (now.bytes[b.start] !== OPEN_BRACKET) return compareValue(pair);
  const second = new JsonReader({ bytes: now.bytes, at: b.start });
  second.open();
  const text = parseJson(decode(before.bytes, a));
  if (second.element()) {
    const span = second.skip();
    if (textOfUser(parseJson(decode(now.bytes, span))) === text) {
      return { difference: undefined, end: span.end };
    }
  }
  const difference = { before: a.start, now: b.start, element: undefined };
  return { difference: { ...difference, path: [] }, end: b.start };
}

const decoder = new TextDecoder();

function decode(bytes: Uint8Array, { start, end }: ByteSpan): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** What a user's message says, when that is one text. */
function textOfUser(message: unknown): unknown {
  const { role, content } = objectOr(message);
  if (role !== "user" || !Array.isArray(content)) {
    return role === "user" ? content : undefined;
  }
  return content.length === 1 ? objectOr(content[0])["text"] : undefined;
}

/** The last of `starts` that is not above `at`; -1 for none. */
function startBefore(starts: Uint32Array, at: number): number {
  return starts[countUpTo(starts, at) - 1] ?? -1;
}

/** How many of the ascending `starts` are not above `at`. */
function countUpTo(starts: Uint32Array, at: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the element of the conversation that holds the byte at `offset`. */
export function elementIndex(prompt: Prompt, offset: number): number {
  if (prompt.hasAllStarts) return countUpTo(prompt.starts, offset) - 1;
  const { bytes, members } = prompt;
  const at = (members.at(-1)?.span.start ?? 0) + 1;
  const reader = new JsonReader({ bytes, at });
  let index = 0;
  while (reader.element() && reader.skip().end <= offset) index++;
  return index;
}
