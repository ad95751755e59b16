/** Finds a model's turn again in a later body of its conversation: by names, and by what it answered. @module */
import { createHash } from "node:crypto";
import type { BlockRef, ByteSpan } from "../core/block.ts";
import { parseJson, textOr } from "./json_parts.ts";

/** UTF-16 units of a text that tell it from others. */
const START = 1000;
/** Bytes that surely hold them: an escape takes six, and the last may be cut. */
const START_BYTES = 6 * (START + 2);

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Digest of a text or a signature: 32 hex digits; empty for an empty text. */
export function turnDigest(text: string): string {
  return text === ""
    ? ""
    : createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/**
 * Name of a turn that has nothing but its text. Others may say the same, so that it holds what
 * was answered as well.
 *
 * @param text {@linkcode turnDigest} of the text. @param context See {@linkcode TurnContexts}.
 */
export function textAnchor(text: string, context: string): string {
  return inContext(`text:${text}`, context);
}

/** A name together with what was answered: providers that count their calls give the same ids in every conversation. */
function inContext(name: string, context: string): string {
  return `${name}@${context}`;
}

/**
 * Adds to the names of a turn those by which it is found in other conversations, {@linkcode AnchorIndex.forkNames}.
 *
 * @param anchor See {@linkcode AnsweredRetrieval.anchor}.
 * @param context See {@linkcode TurnContexts}; without one the turn is found in its own conversation only.
 */
export function forkAnchor(
  anchor: string,
  context: string | undefined,
): string {
  if (context === undefined) return anchor;
  const names = anchor.split("\n");
  const others = names.filter((name) => !name.includes("@"))
    .map((name) => inContext(name, context));
  return [...names, ...others].join("\n");
}

/** Where in a body the turns of these records may be. */
export class AnchorIndex {
  /** `undefined`: every name. */
  readonly #wanted: ReadonlySet<string> | undefined;
  readonly #context: (index: number) => string;
  readonly #places: Map<string, number[]> = new Map();
  readonly #used: Set<number> = new Set();

  /**
   * @param anchors Of the records, see {@linkcode AnsweredRetrieval.anchor}; without them every name is taken.
   * @param context What the element at an index answers, see {@linkcode TurnContexts}.
   */
  constructor(
    anchors: readonly string[] | undefined,
    context: (index: number) => string,
  ) {
    this.#context = context;
    if (anchors === undefined) return;
    const names = anchors.flatMap((anchor) => anchor.split("\n"));
    this.#wanted = new Set([
      ...names,
      ...names.map((name) => name.split("@")[0]!),
      ...names.map((name) => name.split(":")[0]!),
    ]);
  }

  /** Whether any record has this name or a name of this kind, e.g. `signature`. */
  wants(nameOrKind: string): boolean {
    return this.#wanted?.has(nameOrKind) ?? true;
  }

  /** All names that were added, each with what its turn answers: by them a fork knows the turns of its past. */
  forkNames(): readonly string[] {
    return [...this.#places].flatMap(([name, places]) =>
      name.includes("@")
        ? [name]
        : places.map((index) => inContext(name, this.#context(index)))
    );
  }

  /** The element at `index` bears this name; elements are added in order. */
  add(name: string, index: number): void {
    const places = this.#places.get(name);
    if (places === undefined) this.#places.set(name, [index]);
    else if (places.at(-1) !== index) places.push(index);
  }

  /**
   * The element at `index` says `text`.
   *
   * @param text Asked for only if a record may need it.
   */
  addText(index: number, text: () => string): void {
    if (!this.wants("text")) return;
    const digest = turnDigest(text());
    if (digest === "" || !this.wants(`text:${digest}`)) return;
    this.add(textAnchor(digest, this.#context(index)), index);
  }

  /** Elements with any name of `anchor`, in order. */
  places(anchor: string): readonly number[] {
    const names = anchor.split("\n");
    const [only = ""] = names;
    if (names.length === 1) return this.#places.get(only) ?? [];
    const all = names.flatMap((name) => this.#places.get(name) ?? []);
    return [...new Set(all)].sort((a, b) => a - b);
  }

  /** The element at `at` if it is one of `places` and not used yet, else the only one that is. */
  find(places: readonly number[], at: () => number): number | undefined {
    const free = places.filter((index) => !this.#used.has(index));
    if (free.length < 2) return free[0];
    const exact = at();
    return free.includes(exact) ? exact : undefined;
  }

  /** A record belongs to the element at `index`: no other does. */
  use(index: number): void {
    this.#used.add(index);
  }
}

/** What is needed of an element of a conversation to tell turns apart. */
export interface Speech {
  /** Who speaks; `other` stands for what clients add and move, such as system messages. */
  readonly by: "client" | "model" | "other";
  /** String literals of its texts; of a tool result none. */
  readonly texts: readonly ByteSpan[];
}

/** The part of a scan that is used here. */
export interface ScannedTurns {
  /** See {@linkcode BodyScan.blocks}. */
  readonly blocks: readonly BlockRef[];
}

/**
 * Digests of what the turns of a body answer: id and beginning of the last tool result before the turn,
 * and the beginnings of the texts of the client's last message where it stands behind that result.
 *
 * Ids and decoded texts only: cache marks and the way of writing do not matter. Cost is linear in
 * the elements that are asked for, whatever their length.
 */
export class TurnContexts {
  readonly #body: Uint8Array;
  readonly #blocks: readonly BlockRef[];
  readonly #speech: (index: number) => Speech;
  /** By the index of an element: that of the client's last element before it, -1 for none. */
  readonly #clients: Map<number, number> = new Map();
  /** By the index of a client's element. */
  readonly #digests: Map<number, string> = new Map();

  /** `speech` gives the element at an index; not asked for those with tool results. */
  constructor(
    body: Uint8Array,
    { blocks }: ScannedTurns,
    speech: (index: number) => Speech,
  ) {
    this.#body = body;
    this.#blocks = blocks.filter(({ isUserText }) => !isUserText);
    this.#speech = speech;
  }

  /** Digest of what a turn at `index` answers. */
  before(index: number): string {
    const client = this.#clientBefore(index);
    let digest = this.#digests.get(client);
    if (digest === undefined) {
      const block = this.#blockUpTo(client);
      const texts = client < 0 || block?.messageIndex === client
        ? []
        : this.#speech(client).texts;
      digest = this.of(texts, block);
      this.#digests.set(client, digest);
    }
    return digest;
  }

  /** Digest of what a turn answers: texts of the client, and the last tool result before them. */
  of(texts: readonly ByteSpan[], block?: BlockRef): string {
    const start = (span: ByteSpan) => startOf(this.#body, span);
    const id = block?.callId ?? "";
    const result = block ? start(block.span) : "";
    return turnDigest(JSON.stringify([id, result, ...texts.map(start)]));
  }

  /** Whether the element at `index` holds a tool result. */
  answers(index: number): boolean {
    return this.#blockUpTo(index)?.messageIndex === index;
  }

  #clientBefore(index: number): number {
    let at = index;
    let client = this.#clients.get(at);
    while (client === undefined && at > 0) {
      const isClient = this.answers(at - 1) ||
        this.#speech(at - 1).by === "client";
      if (isClient) client = at - 1;
      else client = this.#clients.get(--at);
    }
    client ??= -1;
    for (let i = at; i <= index; i++) this.#clients.set(i, client);
    return client;
  }

  /** The last block of the elements up to `index`. */
  #blockUpTo(index: number): BlockRef | undefined {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#blocks[middle]!.messageIndex <= index) low = middle + 1;
      else high = middle;
    }
    return this.#blocks[low - 1];
  }
}

/** The first units of a string literal, decoded. */
function startOf(body: Uint8Array, { start, end }: ByteSpan): string {
  const stop = Math.min(end - 1, start + 1 + START_BYTES);
  let raw = decoder.decode(body.subarray(start + 1, stop));
  // An escape that was cut is no JSON; it is at most five characters long.
  for (let cut = 0; cut < 6; cut++) {
    const text = parseJson(`"${raw}"`);
    if (text !== undefined) return textOr(text).slice(0, START);
    raw = raw.slice(0, -1);
  }
  return "";
}
