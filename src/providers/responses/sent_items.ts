/** The items of a responses conversation as a client sends them. @module */
import { scanContent, scanText } from "../../bytes/content_parts.ts";
import { objectOr } from "../../bytes/json_parts.ts";
import { JsonCursor } from "../../bytes/json_scan.ts";
import {
  AnchorIndex,
  type Speech,
  turnDigest,
} from "../../bytes/turn_anchor.ts";
import type { ByteSpan } from "../../core/block.ts";
import type { BodyScan } from "../../core/format.ts";
import { SentConversation } from "../sent_conversation.ts";
import {
  answeredBy,
  identityOf,
  type ItemIdentity,
  textOfParts,
} from "./retrieval_item.ts";

/** What is read of an item without parsing it. */
export interface SentItem {
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

/** The items of a body, what names them, and which call they answer. */
export class SentItems extends SentConversation<SentItem> {
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
