/** Puts answered retrievals back into a responses conversation. @module */
import { objectOr, parseJson } from "../../bytes/json_parts.ts";
import type { ByteSpan, Edit } from "../../core/block.ts";
import type { BodyScan } from "../../core/format.ts";
import type {
  AnsweredBeside,
  AnsweredRetrieval,
  AnsweredTurn,
} from "../../core/retrieval.ts";
import {
  answeredBy,
  identityOf,
  isRetrieval,
  isSameItem,
  type ItemIdentity,
} from "./retrieval_item.ts";
import { anchorOf } from "./retrieval_turn.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** An item of the client's body. */
interface Item {
  readonly span: ByteSpan;
  readonly identity: ItemIdentity;
  /** Id of the call that it answers; empty when it answers none. */
  readonly answers: string;
}

/** See {@linkcode RetrievalFormat.spliceBack}. */
export function spliceBack(
  body: Uint8Array,
  scan: BodyScan,
  retrievals: readonly AnsweredRetrieval[],
): readonly Edit[] {
  const own = retrievals.filter(({ format }) => format === "responses");
  if (own.length === 0) return [];
  const items = scan.messages.map((span): Item => {
    const text = decoder.decode(body.subarray(span.start, span.end));
    const value = objectOr(parseJson(text));
    return { span, identity: identityOf(value), answers: answeredBy(value) };
  });
  const edits: Edit[] = [];
  const used = new Set<number>();
  for (const { data } of own) {
    const turn = JSON.parse(data) as AnsweredTurn;
    edits.push(
      ...roundEdits(items, turn, used),
      ...besideEdits(items, turn, scan.continues !== undefined),
    );
  }
  return edits.sort((a, b) =>
    a.span.start - b.span.start || a.span.end - b.span.end
  );
}

/** Puts the calls and answers of earlier rounds back between the items that the client saw. */
function roundEdits(
  items: readonly Item[],
  turn: AnsweredTurn,
  used: Set<number>,
): readonly Edit[] {
  if (turn.rounds.length === 0) return [];
  const earlier = turn.rounds.flatMap(({ turn }) =>
    (JSON.parse(`[${turn}]`) as readonly unknown[]).map(objectOr)
  ).filter((value) => !isRetrieval(value)).map(identityOf);
  const last = turn.last.map((json) => JSON.parse(json) as ItemIdentity);
  const seen = [...earlier, ...last];
  const anchor = anchorOf(seen, earlier.length);
  if (anchor === undefined) return [];
  const is = (index: number, seenIndex: number) =>
    items[index] !== undefined && !used.has(index) &&
    isSameItem(items[index].identity, seen[seenIndex]!);
  const found = find(
    turn.at + anchor.index,
    items.length,
    (index) => is(index, anchor.index),
  );
  if (found === undefined) return [];
  const rest = restFrom(found, anchor.index, earlier.length, is);
  const start = rest - earlier.length;
  if (!earlier.every((_, i) => is(start + i, i))) return [];
  used.add(found);
  const texts = turn.rounds.map(({ turn, answer }) => `${turn},${answer}`);
  return [replaced(items, { start, end: rest }, texts.join(","))];
}

/** The element at `at` if it fits, else the only one that does. */
function find(
  at: number,
  length: number,
  fits: (index: number) => boolean,
): number | undefined {
  if (at < length && fits(at)) return at;
  const all = Array.from({ length }, (_, i) => i).filter(fits);
  return all.length === 1 ? all[0] : undefined;
}

/** Index of the last round's first item, from the anchor's; clients may leave items before it out. */
function restFrom(
  found: number,
  anchor: number,
  from: number,
  is: (index: number, seenIndex: number) => boolean,
): number {
  if (anchor < from) return found + from - anchor;
  let rest = found;
  for (let i = anchor - 1; i >= from; i--) if (is(rest - 1, i)) rest--;
  return rest;
}

/** Writes `text` over the items `start..end` of the conversation, in front of what follows. */
function replaced(
  items: readonly Item[],
  { start, end }: ByteSpan,
  text: string,
): Edit {
  const before = items[start - 1]?.span.end;
  if (before !== undefined) {
    const last = items[end - 1]!.span.end;
    const span = { start: before, end: last };
    return { span, replacement: utf8.encode(`,${text}`) };
  }
  const first = items[0]!.span.start;
  return start === end
    ? {
      span: { start: first, end: first },
      replacement: utf8.encode(`${text},`),
    }
    : {
      span: { start: first, end: items[end - 1]!.span.end },
      replacement: utf8.encode(text),
    };
}

/** Puts calls that stood beside the client's own back, and their results before the client's. */
function besideEdits(
  all: readonly Item[],
  { at, beside, last }: AnsweredTurn,
  isContinued: boolean,
): readonly Edit[] {
  if (!beside) return [];
  const isResult = ({ answers }: Item) =>
    answers !== "" && beside.clientCalls.includes(answers);
  // Ids may repeat in a long conversation; the turn stands behind what was there before it.
  const items = all.slice(at).some(isResult) ? all.slice(at) : all;
  const result = items.find(isResult);
  const seen = last.map((json) => JSON.parse(json) as ItemIdentity);
  const calls = placed(items, seen, beside);
  // The calls themselves may stand in the response that the request continues.
  if (!result || (!calls && !isContinued)) return [];
  const before = result.span.start;
  return [...calls ?? [], {
    span: { start: before, end: before },
    replacement: utf8.encode(`${beside.answer},`),
  }];
}

function placed(
  items: readonly Item[],
  seen: readonly ItemIdentity[],
  { calls }: AnsweredBeside,
): readonly Edit[] | undefined {
  const at = new Map<number, string>();
  for (const { json, neighbour, side } of calls) {
    const sought = seen.find(({ call, id }) => (call || id) === neighbour);
    const item = sought &&
      items.find(({ identity }) => isSameItem(identity, sought));
    if (!item) return undefined;
    const offset = side === "before" ? item.span.start : item.span.end;
    const text = side === "before" ? `${json},` : `,${json}`;
    at.set(offset, (at.get(offset) ?? "") + text);
  }
  return [...at].map(([offset, text]) => ({
    span: { start: offset, end: offset },
    replacement: utf8.encode(text),
  }));
}
