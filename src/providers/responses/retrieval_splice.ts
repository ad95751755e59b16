/** Puts answered retrievals back into a responses conversation. @module */
import { objectOr } from "../../bytes/json_parts.ts";
import type { AnchorIndex } from "../../bytes/turn_anchor.ts";
import type { ByteSpan, Edit } from "../../core/block.ts";
import type { AnsweredTurn } from "../../core/retrieval.ts";
import { callEdits } from "../beside_calls.ts";
import { insertion, replacement, roundsJson, splicing } from "../put_back.ts";
import {
  identityOf,
  isOurs,
  isSameItem,
  type ItemIdentity,
} from "./retrieval_item.ts";
import { anchorOf } from "./retrieval_turn.ts";
import { SentItems } from "./sent_items.ts";

/** A body in which turns are looked for. */
interface Sought {
  readonly items: SentItems;
  readonly index: AnchorIndex;
  /** Results that an answer was put in front of. */
  readonly answered: Set<number>;
  /** Whether the request continues a stored response. */
  readonly isContinued: boolean;
}

/** Names, and puts back, the answered turns of a conversation. */
export const { turnContext, turnNames, spliceBack } = splicing(
  "responses",
  (body, scan) => new SentItems(body, scan),
  (items, records, { continues }) => {
    const sought: Sought = {
      items,
      index: items.index(records.map(({ anchor }) => anchor)),
      answered: new Set(),
      isContinued: continues !== undefined,
    };
    return records.flatMap(({ anchor, data }) => {
      const places = sought.index.places(anchor);
      if (places.length === 0 && !items.hasResult(anchor)) return [];
      const turn = JSON.parse(data) as AnsweredTurn;
      return [
        ...roundEdits(sought, turn, places),
        ...besideEdits(sought, turn),
      ];
    });
  },
);

/** Puts the calls and answers of earlier rounds back between the items that the client saw. */
function roundEdits(
  { items, index }: Sought,
  turn: AnsweredTurn,
  places: readonly number[],
): readonly Edit[] {
  if (turn.rounds.length === 0) return [];
  const earlier = turn.rounds.flatMap(({ turn }) =>
    (JSON.parse(`[${turn}]`) as readonly unknown[]).map(objectOr)
  ).filter((value) => !isOurs(value, true)).map(identityOf);
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
  const put = roundsJson(turn.rounds);
  return [replaced(items.spans, { start, end: rest }, put)];
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
    return replacement({ start: before, end: spans[end - 1]!.end }, `,${text}`);
  }
  const first = spans[0]!.start;
  return start === end
    ? insertion(first, `${text},`)
    : replacement({ start: first, end: spans[end - 1]!.end }, text);
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
  const seen = identitiesOf(turn);
  const calls = callEdits(beside.calls, (neighbour) => {
    const item = seen.find(({ call, id }) => (call || id) === neighbour);
    return item && spanOf(sought, item, from);
  });
  // The calls themselves may stand in the response that the request continues.
  if (!calls && !isContinued) return [];
  answered.add(result);
  const before = items.spans[result]!.start;
  return [...calls ?? [], insertion(before, `${beside.answer},`)];
}

/** Where the item stands again, from the item at `from` on. */
function spanOf(
  { items, index }: Sought,
  item: ItemIdentity,
  from: number,
): ByteSpan | undefined {
  const place = index.places(`call:${item.call}\nid:${item.id}`).find((place) =>
    place >= from && isSameItem(items.identity(place)!, item)
  );
  return place === undefined ? undefined : items.spans[place];
}
