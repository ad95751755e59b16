/** Puts answered retrievals back into a responses conversation. @module */
import { objectOr } from "../../bytes/json_parts.ts";
import {
  AnchorIndex,
  type Speech,
  turnDigest,
} from "../../bytes/turn_anchor.ts";
import type { ByteSpan, Edit } from "../../core/block.ts";
import type { BodyScan } from "../../core/format.ts";
import type { AnsweredRetrieval, AnsweredTurn } from "../../core/retrieval.ts";
import { callEdits } from "../beside_calls.ts";
import {
  inOrder,
  insertion,
  newestFirst,
  replacement,
  roundsJson,
} from "../put_back.ts";
import {
  answeredBy,
  identityOf,
  isOurs,
  isSameItem,
  type ItemIdentity,
  textOfParts,
} from "./retrieval_item.ts";
import { anchorOf } from "./retrieval_turn.ts";
import { scanContent, scanText } from "../../bytes/content_parts.ts";
import { JsonCursor } from "../../bytes/json_scan.ts";
import { SentConversation } from "../sent_conversation.ts";

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
  return new SentItems(body, scan).index().forkNames();
}

/** See {@linkcode RetrievalFormat.spliceBack}. */
export function spliceBack(
  body: Uint8Array,
  scan: BodyScan,
  retrievals: readonly AnsweredRetrieval[],
): readonly Edit[] {
  const own = newestFirst(retrievals, "responses");
  if (own.length === 0) return [];
  const items = new SentItems(body, scan);
  const sought: Sought = {
    items,
    index: items.index(own.map(({ anchor }) => anchor)),
    answered: new Set(),
    isContinued: scan.continues !== undefined,
  };
  return inOrder(own.flatMap(({ anchor, data }) => {
    const places = sought.index.places(anchor);
    if (places.length === 0 && !items.hasResult(anchor)) return [];
    const turn = JSON.parse(data) as AnsweredTurn;
    return [
      ...roundEdits(sought, turn, places),
      ...besideEdits(sought, turn),
    ];
  }));
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

/** What is read of an item without parsing it. */
interface SentItem {
  /** Its role; empty when it has none. */
  readonly role: string;
  /** Its `type`; empty when it has none. */
  readonly type: string;
  /** Its `id`, `call_id` and what else names a call, by key. */
  readonly ids: ReadonlyMap<string, string>;
  /** Its `encrypted_content`, `content` and `summary`, by key. */
  readonly values: ReadonlyMap<string, ByteSpan>;
}

const IDS = new Set(["id", "call_id", "approval_request_id"]);
const VALUES = new Set(["encrypted_content", "content", "summary"]);

/** The items of a body. */
class SentItems extends SentConversation<SentItem> {
  readonly #scan: BodyScan;
  readonly #identities: Map<number, ItemIdentity> = new Map();
  /** Indexes of results, by the call that they answer. */
  readonly #results: Map<string, number[]> = new Map();

  /** The items of `body`. */
  constructor(body: Uint8Array, scan: BodyScan) {
    super(body, scan, { read: readItem, speech: speechOf });
    this.#scan = scan;
  }

  /** The identity of the item at `index`; `undefined` past the ends. */
  identity(index: number): ItemIdentity | undefined {
    const span = this.spans[index];
    if (span === undefined) return undefined;
    const identity = this.#identities.get(index) ??
      identityOf(objectOr(this.parsed(span)));
    this.#identities.set(index, identity);
    return identity;
  }

  /** Indexes of the items that answer the call, once {@linkcode index} was made. */
  results(call: string): readonly number[] {
    return this.#results.get(call) ?? [];
  }

  /** Whether a call that is named in `anchor` is answered, once {@linkcode index} was made. */
  hasResult(anchor: string): boolean {
    return anchor.split("\n").some((name) =>
      this.#results.has(name.slice(name.indexOf(":") + 1))
    );
  }

  /** Where the turns with these anchors may be, without them all turns, and every item with an id that is no result. */
  index(anchors?: readonly string[]): AnchorIndex {
    const index = new AnchorIndex(anchors, (at) => this.context(at));
    const answered = new Map(
      this.#scan.blocks.flatMap(({ messageIndex, callId, isUserText }) =>
        isUserText ? [] : [[messageIndex, callId ?? ""]]
      ),
    );
    for (let i = 0; i < this.spans.length; i++) {
      const call = answered.get(i);
      // Large results need not be passed again to learn what they answer.
      if (call === undefined) this.#add(index, i);
      else this.#addResult(call, i);
    }
    return index;
  }

  #addResult(call: string, i: number): void {
    const all = this.#results.get(call);
    if (all) all.push(i);
    else if (call !== "") this.#results.set(call, [i]);
  }

  #add(index: AnchorIndex, i: number): void {
    const item = this.at(i)!;
    const { type, role, ids, values } = item;
    const answers = answeredBy({ type, ...Object.fromEntries(ids) });
    if (answers !== "") return this.#addResult(answers, i);
    const call = ids.get("call_id") ?? "";
    const id = ids.get("id") ?? "";
    if (call !== "") index.add(`call:${call}`, i);
    if (id !== "") index.add(`id:${id}`, i);
    const signature = values.get("encrypted_content");
    if (signature && index.wants("signature")) {
      const digest = turnDigest(this.text(signature));
      if (digest !== "") index.add(`signature:${digest}`, i);
    }
    if (role !== "" && role !== "assistant") return;
    const text = () =>
      textOfParts(this.parsed(values.get("content"))) +
      textOfParts(this.parsed(values.get("summary")));
    index.addText(i, text);
  }
}

function speechOf(
  { role, type, ids, values }: SentItem,
  body: Uint8Array,
): Speech {
  const isAnswer = answeredBy({ type, ...Object.fromEntries(ids) }) !== "";
  if (isAnswer) return { by: "client", texts: [] };
  if (role === "" || role === "assistant") return { by: "model", texts: [] };
  if (role !== "user") return { by: "other", texts: [] };
  const content = values.get("content");
  const texts = content ? textLiterals(body, content) : [];
  return { by: "client", texts };
}

function readItem(body: Uint8Array, { start }: ByteSpan): SentItem {
  const cursor = new JsonCursor(body, start);
  const ids = new Map<string, string>();
  const values = new Map<string, ByteSpan>();
  let role = "";
  let type = "";
  cursor.object((key) => {
    if (key === "role") role = scanText(cursor, body) ?? "";
    else if (key === "type") type = scanText(cursor, body) ?? "";
    else if (IDS.has(key)) ids.set(key, scanText(cursor, body) ?? "");
    else if (VALUES.has(key)) values.set(key, cursor.skip());
  });
  return { role, type, ids, values };
}

function textLiterals(
  body: Uint8Array,
  { start }: ByteSpan,
): readonly ByteSpan[] {
  return scanContent(new JsonCursor(body, start), body)
    .flatMap(({ text }) => text ?? []);
}
