/** What was first sent for each block: memory in front of the store. @module */
import { hash } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import type {
  BlockLookup,
  BlockName,
  BlockProbe,
  FrozenForms,
} from "../core/forms.ts";
import type { Log } from "../core/log.ts";
import type { BlockKey, CcrStore, FrozenForm } from "../core/store.ts";
import { blockKey } from "./key.ts";
import { Lru } from "../bytes/lru.ts";

/** Bytes of forms kept in memory: 32 MiB. */
const MAX_BYTES = 2 ** 25;
/** Blocks whose raw literals are recognised without decoding. */
const MAX_BLOCKS = 200_000;
/** Bytes that a form takes beside its literal, roughly. */
const FORM_OVERHEAD = 400;
/** The store is told at most this often, in milliseconds, that a form is in use: once a day. */
const TOUCH_MS = 86_400_000;
/** Base64 digits of a literal's digest: 132 bits. */
const DIGEST_LENGTH = 22;
/** In place of a key: the literal is no well-formed text. */
const UNREADABLE = "";

/** Bounds and surroundings. */
export interface FrozenFormsOptions {
  /** Time of touches. */
  readonly clock: Clock;
  /** Where a failed touch is noted. */
  readonly log: Log;
  /** Bytes of forms in memory; 32 MiB when not given. */
  readonly maxBytes?: number;
  /** Blocks recognised without decoding; 200,000 when not given. */
  readonly maxBlocks?: number;
}

/**
 * Makes the memory of frozen forms. Forms survive in `store`; that a block was left alone is
 * remembered here only, since an unknown older block is left alone anyway.
 */
export function makeFrozenForms(
  store: CcrStore,
  options: FrozenFormsOptions,
): FrozenForms {
  return new StoredForms(store, options);
}

class StoredForms implements FrozenForms {
  readonly #store: CcrStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #forms: Lru<BlockKey, FrozenForm>;
  /** Raw literal, call and part → block. */
  readonly #aliases: Lru<string, BlockKey | typeof UNREADABLE>;
  /** Block → time of its form's last touch. */
  readonly #known: Lru<BlockKey, number>;
  /** Blocks that went out as they were, with their calls: the same text under other arguments is another question. */
  readonly #alone: Lru<string, true>;
  #touchFailed = false;

  constructor(store: CcrStore, options: FrozenFormsOptions) {
    const { clock, log, maxBytes = MAX_BYTES, maxBlocks = MAX_BLOCKS } =
      options;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#forms = new Lru(maxBytes, weightOf);
    this.#aliases = new Lru(maxBlocks);
    this.#known = new Lru(maxBlocks);
    this.#alone = new Lru(maxBlocks);
  }

  name(probe: BlockProbe): BlockName {
    const alias = aliasOf(probe);
    const known = this.#aliases.get(alias);
    const call = probe.args && sha256(probe.args).slice(0, DIGEST_LENGTH);
    if (known !== undefined) return { key: known, call };
    const text = probe.text();
    const key = text === undefined ? UNREADABLE : keyOf(probe, text);
    this.#aliases.set(alias, key);
    return { key, call };
  }

  lookup(blocks: readonly BlockName[]): readonly BlockLookup[] {
    const asked = blocks.filter((name) => !this.#isAlone(name));
    const forms = this.#formsOf(asked.map(({ key }) => key));
    this.#touch([...forms.keys()]);
    return blocks.map((block) => this.#answer(block, forms));
  }

  adopt(
    forms: ReadonlyMap<BlockKey, FrozenForm>,
    verdicts: readonly string[],
  ): void {
    for (const verdict of verdicts) this.#alone.delete(verdict);
    const now = this.#clock.now();
    for (const [key, form] of forms) {
      this.#remember(key, form);
      this.#known.set(key, now);
    }
  }

  forget(keys: readonly BlockKey[]): void {
    for (const key of keys) {
      this.#forms.delete(key);
      this.#known.delete(key);
    }
  }

  settle(lookups: readonly BlockLookup[]): void {
    for (const lookup of lookups) {
      if (lookup.state !== "new") continue;
      const isFormed = this.#known.get(lookup.key) !== undefined;
      if (!isFormed) this.#alone.set(lookup.verdict, true);
    }
  }

  /** Forms of these blocks. What was left alone has none and is not asked for. */
  #formsOf(
    keys: readonly (BlockKey | typeof UNREADABLE)[],
  ): Map<BlockKey, FrozenForm> {
    const found = new Map<BlockKey, FrozenForm>();
    const absent = new Set<BlockKey>();
    for (const key of keys) {
      if (key === UNREADABLE) continue;
      const form = this.#forms.get(key);
      if (form === undefined) absent.add(key);
      else found.set(key, form);
    }
    if (absent.size === 0) return found;
    for (const [key, form] of this.#store.forms([...absent])) {
      this.#remember(key, form);
      found.set(key, form);
    }
    return found;
  }

  #isAlone({ call, key }: BlockName): boolean {
    return key !== UNREADABLE &&
      this.#alone.get(verdictOf(key, call)) !== undefined;
  }

  #answer(
    name: BlockName,
    forms: ReadonlyMap<BlockKey, FrozenForm>,
  ): BlockLookup {
    const { key, call } = name;
    if (key === UNREADABLE) return { state: "unreadable" };
    const verdict = verdictOf(key, call);
    if (this.#isAlone(name)) return { state: "alone", key, verdict };
    const form = forms.get(key);
    return form === undefined
      ? { state: "new", key, verdict }
      : { state: "form", key, form };
  }

  #remember(key: BlockKey, form: FrozenForm): void {
    const { literal } = form;
    // A view would keep the whole buffer behind it, which may be a request body.
    const whole = literal.byteLength === literal.buffer.byteLength;
    this.#forms.set(key, whole ? form : { ...form, literal: literal.slice() });
  }

  #touch(used: readonly BlockKey[]): void {
    const now = this.#clock.now();
    const touch = used.filter((key) => {
      const touchedAt = this.#known.get(key);
      return touchedAt === undefined || now - touchedAt >= TOUCH_MS;
    });
    if (touch.length === 0) return;
    for (const key of touch) this.#known.set(key, now);
    this.#store.write({ now, touch }, "soon").catch((error: unknown) => {
      if (this.#touchFailed) return;
      this.#touchFailed = true;
      this.#log("warn", "ccr_touch_failed", { reason: String(error) });
    });
  }
}

function weightOf({ literal, definition }: FrozenForm): number {
  return literal.length + (definition?.length ?? 0) + FORM_OVERHEAD;
}

function keyOf(probe: BlockProbe, text: string): BlockKey {
  const { toolName, part } = probe;
  return blockKey({ toolName, part, text, callId: callOf(probe) });
}

function verdictOf(key: BlockKey, call: string | undefined): string {
  return call === undefined ? key : key + call;
}

function sha256(bytes: Uint8Array): string {
  return hash("sha256", bytes, "base64");
}

/** A stand-in is marked, so that it never equals a call id. */
function callOf({ callId, standIn }: BlockProbe): string {
  return callId ?? `\0${standIn}`;
}

function aliasOf(probe: BlockProbe): string {
  const { toolName = "\0", part, literal } = probe;
  const call = callOf(probe);
  const digest = sha256(literal).slice(0, DIGEST_LENGTH);
  return `${digest}${part}:${toolName.length}:${toolName}${call}`;
}
