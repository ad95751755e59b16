/** Decisions → rows of the store, before anything of them is sent. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import { sourceOf } from "../core/block.ts";
import type {
  BlockKey,
  CcrEntry,
  CcrKey,
  ConversationKey,
  FrozenForm,
} from "../core/store.ts";
import type { Turn } from "./turn.ts";
import type { CompressParts } from "./compress_parts.ts";
import { type Declaration, mayElide } from "./declaration.ts";
import type { FormedBlock } from "./frozen_pass.ts";
import type { LiveBlock } from "./live_zone_pass.ts";
import { writeInSteps } from "./write_in_steps.ts";
import type { DecidedForm, Decision } from "../core/decision.ts";

/** Blocks whose form the store now holds. */
export function decidedBlocks(
  live: readonly LiveBlock[],
  declaration: Declaration,
  { forms }: Committed,
): readonly FormedBlock[] {
  return live.flatMap(({ block, key }) => {
    const form = forms.get(key);
    // Another process may have been first, with a form that needs the tool.
    const isUsable = mayElide(declaration) || form?.entry === undefined;
    return form !== undefined && isUsable ? [{ key, block, form }] : [];
  });
}

/** Notes in memory what a transaction left in the store. */
export function noteCommitted(
  { forms, conversations }: Pick<CompressParts, "forms" | "conversations">,
  key: ConversationKey,
  { live, committed }: {
    readonly live: readonly LiveBlock[];
    readonly committed: Committed;
  },
): void {
  const { linked, now } = committed;
  if (linked === undefined) return;
  const verdicts = live.flatMap(({ key, verdict }) =>
    committed.forms.has(key) ? [verdict] : []
  );
  forms.adopt(committed.forms, verdicts);
  conversations.linked(key, linked, now);
}

/** Originals of known forms that the store may have lost: their blocks stand in the body. */
function staleEntries(
  parts: CompressParts,
  { key, known, body }: Pick<CommitInput, "key" | "known" | "body">,
): readonly CcrEntry[] {
  const blocks = new Map(
    known.flatMap((formed) =>
      formed.form.entry === undefined ? [] : [[formed.form.entry, formed]]
    ),
  );
  if (blocks.size === 0) return [];
  const now = parts.clock.now();
  const stale = parts.conversations.stale(key, [...blocks.keys()], now);
  return stale.flatMap((entry) => {
    const { block, form } = blocks.get(entry)!;
    const original = decodeLiteral(body, block.span);
    if (original === undefined) return [];
    return [entryOfForm(parts, {
      key: entry,
      original,
      form,
      toolName: sourceOf(block),
      now,
    })];
  });
}

/** A form whose original is taken from the body again. */
export interface FormOfOriginal {
  /** The original's key. */
  readonly key: CcrKey;
  /** The original. */
  readonly original: string;
  /** What stands for it. */
  readonly form: FrozenForm;
  /** Tool that produced it; empty when unknown. */
  readonly toolName: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The row of an original, as far as its form tells. */
export function entryOfForm(
  { itemsIn }: Pick<CompressParts, "itemsIn">,
  { key, original, form, toolName, now }: FormOfOriginal,
): CcrEntry {
  const { total, kept } = itemsIn(form.literal) ?? { total: 0, kept: 0 };
  return {
    key,
    original,
    strategy: form.strategy,
    toolName,
    originalTokens: form.tokensBefore,
    formTokens: form.tokensAfter,
    originalItems: total,
    keptItems: kept,
    storedAt: now,
  };
}

/** The row of `form`, decided under `definition`. */
export function frozenForm(
  form: DecidedForm,
  definition: string | undefined,
): FrozenForm {
  return {
    literal: form.literal,
    strategy: form.strategy,
    entry: form.elision?.key,
    definition,
    tokensBefore: form.tokensBefore,
    tokensAfter: form.tokensAfter,
    ...form.needs && { needs: form.needs },
  };
}

/** The original that must be in the store before the marker of `decision` leaves. */
export function entryOf(
  live: LiveBlock,
  decision: Decision,
  now: number,
): readonly CcrEntry[] {
  if (decision.type !== "form" || decision.elision === undefined) return [];
  const { key, total, kept } = decision.elision;
  return [{
    key,
    original: live.text,
    strategy: decision.strategy,
    toolName: live.job.toolName,
    originalTokens: decision.tokensBefore,
    formTokens: decision.tokensAfter,
    originalItems: total,
    keptItems: kept,
    storedAt: now,
  }];
}

/** What is to be written. */
export interface CommitInput {
  /** The conversation that writes. */
  readonly key: ConversationKey;
  /** What is pinned to it; `undefined` for nothing. */
  readonly pinned: string | undefined;
  /** Whether that is to be written although nothing else is. */
  readonly begins: boolean;
  /** Whether the provider keeps the conversation. */
  readonly keepsState: boolean;
  /** Which decisions hold: those of a cold turn are written although nothing else is. */
  readonly turn: Pick<Turn, "isCold" | "note">;
  /** What else is noted with the forms, by name; nothing unless given. */
  readonly notes?: readonly (readonly [name: string, value: string])[];
  /** Blocks that were decided. */
  readonly live: readonly LiveBlock[];
  /** One per block. */
  readonly decisions: readonly Decision[];
  /** Blocks that have a form already. */
  readonly known: readonly FormedBlock[];
  /** The body that they stand in. */
  readonly body: Uint8Array;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

/** What that left. */
export interface Committed {
  /** What the store now holds for each decided block. */
  readonly forms: ReadonlyMap<BlockKey, FrozenForm>;
  /** Keys whose rows it made. */
  readonly inserted: readonly BlockKey[];
  /** Originals that it linked to the conversation; `undefined` when there was none. */
  readonly linked?: readonly CcrKey[];
  /** Present when the store refused. */
  readonly isRefused?: true;
  /** When. */
  readonly now: number;
}

/**
 * Stores originals, forms and a new declaration; on a refusal the blocks go out as they are.
 *
 * @throws {DOMException} `AbortError`, if the client has left.
 */
export async function commit(
  parts: CompressParts,
  input: CommitInput,
): Promise<Committed> {
  const { key, pinned: definition, live, decisions, signal, turn } = input;
  const begins = input.begins || turn.isCold;
  const now = parts.clock.now();
  const forms = new Map<BlockKey, FrozenForm>();
  const entries = [...staleEntries(parts, input)];
  for (const [i, block] of live.entries()) {
    const decision = decisions[i];
    if (decision?.type === "failed") {
      parts.attempt.failed("compress_block", decision.reason);
    }
    if (decision?.type !== "form") continue;
    forms.set(block.key, frozenForm(decision, definition));
    entries.push(...entryOf(block, decision, now));
  }
  const turned = turn.note ? [turn.note] : [];
  const notes = [...turned, ...input.notes ?? []];
  const nothing: Committed = { forms: new Map(), inserted: [], now };
  if (forms.size === 0 && entries.length === 0 && !begins) return nothing;
  const written = await parts.attempt(
    "commit_forms",
    () =>
      writeInSteps(parts, {
        batch: {
          conversation: key,
          now,
          entries,
          keepsState: input.keepsState,
          ...definition === undefined ? {} : { definition },
          responseIds: new Map(turned),
        },
        last: { forms, responseIds: new Map(notes) },
        begins,
        signal,
      }),
    nothing,
  );
  // A client that left meanwhile may have sent the same block again, and been given this row: it stays.
  signal.throwIfAborted();
  return written === nothing
    ? { ...nothing, isRefused: true }
    : { ...written, linked: entries.map((entry) => entry.key), now };
}

/**
 * Stores the originals alone: a marker may leave, but nothing is frozen. On a refusal no marker leaves.
 *
 * @throws {DOMException} `AbortError`, if the client has left.
 */
export async function keepOnly(
  parts: CompressParts,
  input: CommitInput,
): Promise<Committed> {
  const { key, keepsState, live, decisions, signal } = input;
  const now = parts.clock.now();
  const entries = [
    ...staleEntries(parts, input),
    ...live.flatMap((block, i) => entryOf(block, decisions[i]!, now)),
  ];
  const isKept = entries.length === 0 || await parts.attempt(
    "keep_originals",
    async () => {
      const batch = { conversation: key, now, entries, keepsState };
      await writeInSteps(parts, { batch, last: {}, begins: false, signal });
      return true;
    },
    false,
  );
  signal.throwIfAborted();
  const forms = live.flatMap(({ key }, i) => {
    const decision = decisions[i];
    const isUsed = decision?.type === "form" &&
      (isKept || decision.elision === undefined);
    return isUsed ? [[key, frozenForm(decision, undefined)] as const] : [];
  });
  return { forms: new Map(forms), inserted: [], now };
}

/** Removes forms that were never sent. Never rejects. */
export async function retract(
  parts: CompressParts,
  keys: readonly BlockKey[],
): Promise<void> {
  if (keys.length === 0) return;
  parts.forms.forget(keys);
  const now = parts.clock.now();
  await parts.attempt(
    "retract_forms",
    async () => void await parts.store.write({ now, retract: keys }),
    undefined,
  );
}
