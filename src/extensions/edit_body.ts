/** Puts the edits of extensions into a body: each message is shown once, and what was answered holds from then on. @module */
import { Lru } from "../bytes/lru.ts";
import { ScanCache } from "../bytes/scan_cache.ts";
import { scanInSteps } from "../bytes/scan_steps.ts";
import { splice } from "../bytes/splice.ts";
import type {
  ByteSpan,
  Edit,
  ScanMemory,
  ScannedElements,
} from "../core/block.ts";
import type { Clock } from "../core/clock.ts";
import type { BodyScan, ProviderFormat } from "../core/format.ts";
import type { PipelineEdit } from "../core/pipeline_event.ts";
import type {
  BlockKey,
  CcrStore,
  ConversationKey,
  FrozenForm,
} from "../core/store.ts";
import type { Attempt } from "../pipeline/attempt.ts";
import { editIn, type MessageEdit, spansOf } from "./message_edit.ts";
import type { Question } from "./messages.ts";

/** What it takes. */
export interface EditBodyParts {
  /** Asks the extensions. */
  readonly ask: (question: Question) => Promise<readonly PipelineEdit[]>;
  /** Keeps what was answered. */
  readonly store: Pick<CcrStore, "forms" | "write">;
  /** Digest of a text. */
  readonly keyOf: (text: string) => string;
  /** Absorbs failures. */
  readonly attempt: Attempt;
  /** Time. */
  readonly clock: Clock;
  /** Lets other work have its turn. */
  readonly pause: () => Promise<void>;
}

/** One body. */
export interface ExtensibleBody {
  /** The body as it came. */
  readonly body: Uint8Array;
  /** Its format. */
  readonly format: Pick<ProviderFormat, "id" | "scan">;
  /** Which conversation it belongs to: the same for a fork of it under another session. */
  readonly originOf: (scan: BodyScan) => ConversationKey;
  /** Whether extensions may be asked; if not, only what they answered before is repeated. */
  readonly mayAsk: boolean;
}

/** What became of a body. */
export interface EditedBody {
  /** The body. */
  readonly body: Uint8Array;
  /** What was changed of it although it may have been sent otherwise before; absent for nothing. */
  readonly extended?: readonly ByteSpan[];
}

/** A message and what stands for it. */
interface Shown {
  readonly key: BlockKey;
  readonly span: ByteSpan;
}

/** A body that was scanned. */
interface ReadBody {
  readonly scan: BodyScan;
  /** Bytes that an earlier body began with as well. */
  readonly equal: number;
  /** The elements of this one, and of that. */
  readonly elements: ScannedElements | undefined;
  readonly before: ScannedElements | undefined;
}

/** Answers that are remembered; others are looked up in the store. */
const MAX_ANSWERS = 50_000;
/** Bytes that are read before other work has its turn. */
const BYTES_PER_TURN = 128 * 1024;
/** What clients move from message to message is no part of one. */
const BREAKPOINT =
  /,\s*"cache_control"\s*:\s*\{[^{}]*\}|"cache_control"\s*:\s*\{[^{}]*\}\s*,?/g;
const STRATEGY = "extension";

const decoder = new TextDecoder();

/** Edits bodies. */
export class BodyEditor {
  readonly #parts: EditBodyParts;
  readonly #bodies = new ScanCache();
  /** What was found in bodies that are still known. */
  readonly #earlier = new WeakMap<ScannedElements, {
    readonly conversation: ConversationKey;
    readonly shown: readonly Shown[];
  }>();
  readonly #answers = new Lru<BlockKey, readonly MessageEdit[]>(MAX_ANSWERS);

  /** Remembers nothing yet, before what the store does. */
  constructor(parts: EditBodyParts) {
    this.#parts = parts;
  }

  /** The body with all edits; the same bytes where there are none, and where something fails. Never rejects. */
  edited(input: ExtensibleBody): Promise<EditedBody> {
    const { body } = input;
    return this.#parts.attempt(
      "ask_extensions",
      () => this.#edited(input),
      { body },
    );
  }

  async #edited(input: ExtensibleBody): Promise<EditedBody> {
    const { body, format } = input;
    const read = await this.#read(input);
    if (read === undefined) return { body };
    const { scan } = read;
    const shown = await this.#shown(input, read);
    this.#recall(shown);
    const fresh = shown.filter(({ key }) => !this.#knows(key));
    const newest = shown.findLast(({ key }) => this.#knows(key));
    if (input.mayAsk && fresh.length > 0) {
      await this.#ask({ format: format.id, model: scan.model }, {
        body,
        fresh,
      });
    }
    const isFresh = new Set(fresh);
    const late = new Set<Edit>();
    const edits = shown.flatMap((one) => {
      const own = this.#editsOf(body, one);
      // What stands before a message that is known may have been sent before, without the edit.
      const isLate = isFresh.has(one) && newest !== undefined &&
        one.span.start < newest.span.start;
      for (const edit of isLate ? own : []) late.add(edit);
      return own;
    });
    return {
      body: splice(body, edits),
      ...late.size > 0 && { extended: spansOf(edits, late) },
    };
  }

  #knows(key: BlockKey): boolean {
    return this.#answers.get(key) !== undefined;
  }

  #editsOf(body: Uint8Array, { key, span }: Shown): readonly Edit[] {
    const { attempt } = this.#parts;
    return (this.#answers.get(key) ?? []).flatMap((edit) =>
      attempt.now("edit_message", () => editIn(body, span, edit), undefined) ??
        []
    ).sort((a, b) => a.span.start - b.span.start);
  }

  /** Scans a body, as far as it does not begin like an earlier one; `undefined` for what is no body of the format. */
  async #read(
    { body, format }: ExtensibleBody,
  ): Promise<ReadBody | undefined> {
    const known = this.#bodies.begin(body);
    const { equal, elements: before } = known;
    let elements: ScannedElements | undefined;
    const memory: ScanMemory = {
      equal,
      elements: before,
      note(found) {
        elements = found;
        known.note(found);
      },
    };
    const { attempt, pause } = this.#parts;
    const scan = await attempt(
      `scan_${format.id}`,
      () => scanInSteps((step) => format.scan(body, step), memory, pause),
      undefined,
    );
    if (scan === undefined) return undefined;
    this.#bodies.keep(known);
    return { scan, equal, elements, before };
  }

  async #shown(
    { body, originOf }: ExtensibleBody,
    { scan, equal, elements, before }: ReadBody,
  ): Promise<readonly Shown[]> {
    const { keyOf, pause } = this.#parts;
    const conversation = originOf(scan);
    const earlier = before && this.#earlier.get(before);
    const again = earlier?.conversation === conversation ? earlier.shown : [];
    const shown: Shown[] = [];
    let read = 0;
    for (const [i, span] of scan.messages.entries()) {
      const known = span.end <= equal ? again[i] : undefined;
      if (known !== undefined) {
        shown.push(known);
        continue;
      }
      const own = textAt(body, span).replace(BREAKPOINT, "");
      const key = keyOf(`${STRATEGY}\0${conversation}\0${own}`) as BlockKey;
      shown.push({ key, span });
      read += span.end - span.start;
      if (read < BYTES_PER_TURN) continue;
      read = 0;
      await pause();
    }
    if (elements) this.#earlier.set(elements, { conversation, shown });
    return shown;
  }

  /** Looks up what this process does not remember. */
  #recall(shown: readonly Shown[]): void {
    const unknown = shown.map(({ key }) => key)
      .filter((key) => !this.#knows(key));
    if (unknown.length === 0) return;
    this.#remember(this.#parts.store.forms(unknown));
  }

  #remember(forms: ReadonlyMap<BlockKey, FrozenForm>): void {
    for (const [key, { literal }] of forms) {
      this.#answers.set(key, JSON.parse(decoder.decode(literal)));
    }
  }

  /** Asks about messages, and keeps the answers: also that there were none. */
  async #ask(
    of: Pick<Question, "format" | "model">,
    { body, fresh }: {
      readonly body: Uint8Array;
      readonly fresh: readonly Shown[];
    },
  ): Promise<void> {
    const { ask, store, clock } = this.#parts;
    const texts = fresh.map(({ span }) => textAt(body, span));
    const edits = await ask({ ...of, messages: `[${texts.join(",")}]` });
    const forms = new Map(fresh.map(({ key }, i) => {
      const own = edits.filter(({ path }) => path[1] === i)
        .map(({ path, text }) => ({ path: path.slice(2), text }));
      return [key, formOf(own)] as const;
    }));
    const written = await store.write({ now: clock.now(), forms });
    this.#remember(written.forms);
  }
}

function textAt(body: Uint8Array, { start, end }: ByteSpan): string {
  return decoder.decode(body.subarray(start, end));
}

function formOf(edits: readonly MessageEdit[]): FrozenForm {
  return {
    literal: new TextEncoder().encode(JSON.stringify(edits)),
    strategy: STRATEGY,
    entry: undefined,
    definition: undefined,
    tokensBefore: 0,
    tokensAfter: 0,
  };
}
