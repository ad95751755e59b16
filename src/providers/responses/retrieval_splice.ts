/** Puts answered retrievals back into a responses conversation. @module */
import { objectOr } from "../../bytes/json_parts.ts";
import type { AnchorIndex } from "../../bytes/turn_anchor.ts";
import type { ByteSpan, Edit } from "../../core/block.ts";
import type { BodyScan } from "../../core/format.ts";
import type {
  AnsweredBeside,
  AnsweredRetrieval,
  AnsweredTurn,
} from "../../core/retrieval.ts";
import {
  identityOf,
  isRetrieval,
  isSameItem,
  type ItemIdentity,
} from "./retrieval_item.ts";
import { SentItems } from "./retrieval_items.ts";
import { anchorOf } from "./retrieval_turn.ts";

const utf8 = new TextEncoder();

/** A body in which turns are looked for. */
interface Sought {
  readonly items: SentItems;
  readonly index: AnchorIndex;
  /** Results that an answer was put in front of. */
  readonly answered: Set<number>;
  /** Whether the request continues a stored response. */
  readonly isContinued: boolean;
}

/** See {@linkcode RetrievalFormat.turnContext}. */
export function turnContext(body: Uint8Array, scan: BodyScan): string {
  return new SentItems(body, scan).context();
}

/** See {@linkcode RetrievalFormat.turnNames}. */
export function turnNames(
  body: Uint8Array,
  scan: BodyScan,
): readonly string[] {
  return new SentItems(body, scan).index().names();
}

/** See {@linkcode RetrievalFormat.spliceBack}. */
export function spliceBack(
  body: Uint8Array,
  scan: BodyScan,
  retrievals: readonly AnsweredRetrieval[],
): readonly Edit[] {
  // A turn that was generated again is the one that the client kept.
  const own = retrievals.filter(({ format }) => format === "responses")
    .toReversed();
  if (own.length === 0) return [];
  const items = new SentItems(body, scan);
  const sought: Sought = {
    items,
    index: items.index(own.map(({ anchor }) => anchor)),
    answered: new Set(),
    isContinued: scan.continues !== undefined,
  };
  const edits: Edit[] = [];
  for (const { anchor, data } of own) {
    const places = sought.index.places(anchor);
    if (places.length === 0 && !items.hasResult(anchor)) continue;
    const turn = JSON.parse(data) as AnsweredTurn;
    edits.push(
      ...roundEdits(sought, turn, places),
      ...besideEdits(sought, turn),
    );
  }
  return edits.sort((a, b) =>
    a.span.start - b.span.start || a.span.end - b.span.end
  );
}

/** Puts the calls and answers of earlier rounds back between the items that the client saw. */
function roundEdits(
  { items, index }: Sought,
  turn: AnsweredTurn,
  places: readonly number[],
): readonly Edit[] {
  if (turn.rounds.length === 0) return [];
  const earlier = turn.rounds.flatMap(({ turn }) =>
    (JSON.parse(`[${turn}]`) as readonly unknown[]).map(objectOr)
  ).filter((value) => !isRetrieval(value)).map(identityOf);
  const seen = [...earlier, ...identitiesOf(turn)];
  const anchor = anchorOf(seen, earlier.length);
  if (anchor === undefined) return [];
  const is = (at: number, seenIndex: number) => {
    const identity = items.identity(at);
    return identity !== undefined && isSameItem(identity, seen[seenIndex]!);
  };
  const found = index.find(
    places.filter((at) => is(at, anchor.index)),
    () => turn.at + anchor.index,
  );
  if (found === undefined) return [];
  const rest = restFrom(found, anchor.index, earlier.length, is);
  const start = rest - earlier.length;
  if (!earlier.every((_, i) => is(start + i, i))) return [];
  index.use(found);
  const texts = turn.rounds.map(({ turn, answer }) => `${turn},${answer}`);
  return [replaced(items.spans, { start, end: rest }, texts.join(","))];
}

/** Items of the last round that the client saw. */
function identitiesOf({ last }: AnsweredTurn): readonly ItemIdentity[] {
  return last.map((json) => JSON.parse(json) as ItemIdentity);
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
  spans: readonly ByteSpan[],
  { start, end }: ByteSpan,
  text: string,
): Edit {
  const before = spans[start - 1]?.end;
  if (before !== undefined) {
    const span = { start: before, end: spans[end - 1]!.end };
    return { span, replacement: utf8.encode(`,${text}`) };
  }
  const first = spans[0]!.start;
  return start === end
    ? {
      span: { start: first, end: first },
      replacement: utf8.encode(`${text},`),
    }
    : {
      span: { start: first, end: spans[end - 1]!.end },
      replacement: utf8.encode(text),
    };
}

/** Puts calls that stood beside the client's own back, and their results before the client's. */
function besideEdits(
  sought: Sought,
  turn: AnsweredTurn,
): readonly Edit[] {
  const { at, beside } = turn;
  if (!beside) return [];
  const { items, answered, isContinued } = sought;
  const results = beside.clientCalls.flatMap((call) => items.results(call))
    .filter((index) => !answered.has(index)).sort((a, b) => a - b);
  // Ids may repeat in a long conversation; the turn stands behind what was there before it.
  const behind = results.find((index) => index >= at);
  const result = behind ?? results[0];
  if (result === undefined) return [];
  const from = behind === undefined ? 0 : at;
  const calls = placed(sought, identitiesOf(turn), beside, from);
  // The calls themselves may stand in the response that the request continues.
  if (!calls && !isContinued) return [];
  answered.add(result);
  const before = items.spans[result]!.start;
  return [...calls ?? [], {
    span: { start: before, end: before },
    replacement: utf8.encode(`${beside.answer},`),
  }];
}

function placed(
  { items, index }: Sought,
  seen: readonly ItemIdentity[],
  { calls }: AnsweredBeside,
  from: number,
): readonly Edit[] | undefined {
  const at = new Map<number, string>();
  for (const { json, neighbour, side } of calls) {
    const sought = seen.find(({ call, id }) => (call || id) === neighbour);
    const place = sought && index.places(`call:${sought.call}\nid:${sought.id}`)
      .find((place) =>
        place >= from && isSameItem(items.identity(place)!, sought)
      );
    if (place === undefined) return undefined;
    const { start, end } = items.spans[place]!;
    const offset = side === "before" ? start : end;
    const text = side === "before" ? `${json},` : `,${json}`;
    at.set(offset, (at.get(offset) ?? "") + text);
  }
  return [...at].map(([offset, text]) => ({
    span: { start: offset, end: offset },
    replacement: utf8.encode(text),
  }));
}
