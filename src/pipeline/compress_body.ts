/** One request body → the bytes that are sent for it. @module */
import { decodeLiteral, encodeLiteral } from "../bytes/json_string.ts";
import { splice } from "../bytes/splice.ts";
import type { BlockRef, ByteSpan, Edit } from "../core/block.ts";
import type { Clock } from "../core/clock.ts";
import type {
  Conversations,
  ConversationState,
  FrozenForms,
} from "../core/forms.ts";
import type { BodyScan, ProviderFormat } from "../core/format.ts";
import type { CompressionMode } from "../core/mode.ts";
import type {
  BlockKey,
  CcrEntry,
  CcrKey,
  CcrStore,
  ConversationKey,
  FrozenForm,
} from "../core/store.ts";
import type { CountedSpan } from "../core/tokens.ts";
import type { Attempt } from "./attempt.ts";
import type { Declaration } from "./declaration.ts";
import { declarationOf, declare } from "./declaration.ts";
import type { FormedBlock, RecognisedBlocks } from "./frozen_pass.ts";
import { formedBlocks, formEdits, recognise } from "./frozen_pass.ts";
import type { LiveBlock } from "./live_zone_pass.ts";
import { entryOf, frozenForm, liveBlocks } from "./live_zone_pass.ts";
import { mergeEdits } from "./merge_edits.ts";
import type { BlockJob, Decision } from "./router.ts";

/** What one body's compression needs; all of it outlives the request. */
export interface CompressParts {
  /** Blocks seen before. */
  readonly forms: FrozenForms;
  /** Conversations seen before. */
  readonly conversations: Conversations;
  /** Where originals and forms are committed. */
  readonly store: CcrStore;
  /** Decides blocks, one answer per job; never rejects. */
  readonly decide: (jobs: readonly BlockJob[]) => Promise<readonly Decision[]>;
  /** Key of an original. */
  readonly keyOf: (original: string) => CcrKey;
  /** Key of a conversation. */
  readonly conversationKey: (
    parts: {
      session: string | undefined;
      agent: string | undefined;
      firstUserText: string | undefined;
    },
  ) => ConversationKey;
  /** Absorbs failures. */
  readonly attempt: Attempt;
  /** Time. */
  readonly clock: Clock;
  /** False: nothing is elided and no new conversation declares the tool. */
  readonly ccr: boolean;
}

/** One body to compress. */
export interface CompressInput {
  /** Adapter of its wire format. */
  readonly format: ProviderFormat;
  /** The body as received, decoded. */
  readonly body: Uint8Array;
  /** What may be done to it. */
  readonly mode: CompressionMode;
  /** Session and agent headers; `undefined` when the client sends none. */
  readonly session: string | undefined;
  /** See `session`. */
  readonly agent: string | undefined;
  /** Whether the destination is known not to take the tool for this model. */
  readonly refusesTool: (model: string) => boolean;
  /** Aborted when the client leaves: nothing is frozen then. */
  readonly signal: AbortSignal;
}

/** A body, ready to be sent. */
export interface CompressedBody {
  /** As received. */
  readonly body: Uint8Array;
  /** As sent; the same array when nothing was edited. */
  readonly bytes: Uint8Array;
  /** What was found; `undefined` when it did not scan. */
  readonly scan: BodyScan | undefined;
  /** What was replaced, ordered and disjoint. */
  readonly edits: readonly Edit[];
  /** Whose conversation it belongs to; `undefined` when it did not scan or is passed through. */
  readonly conversation: ConversationKey | undefined;
  /** How the model can get originals back. */
  readonly declaration: Declaration;
  /** Blocks whose form stands in `bytes`, in no order. */
  readonly formed: readonly FormedBlock[];
  /** What there is to count: blocks with a form were counted when it was made. */
  readonly uncounted: readonly CountedSpan[];
  /** Edits that put answered retrievals back. */
  readonly turns: readonly Edit[];
  /** Tokens that the forms in `bytes` save, by our counter; the definition is not subtracted. */
  readonly formTokensSaved: number;
  /** Ids of the compressors whose forms are in `bytes`, each once. */
  readonly strategies: readonly string[];
  /** Blocks whose original the model can ask for. */
  readonly elided: ReadonlyMap<CcrKey, BlockRef>;
  /** To be called when the request leaves: freezes what is in `bytes`. */
  readonly sent: () => void;
  /** Takes back what this body froze: the upstream did not take it. Never rejects. */
  readonly retract: () => Promise<void>;
}

/**
 * Compresses one body. Never rejects, but for an abort: on any other failure the bytes that came are sent.
 *
 * @throws {DOMException} `AbortError`, if `signal` was aborted before the forms were frozen.
 */
export async function compressBody(
  parts: CompressParts,
  input: CompressInput,
): Promise<CompressedBody> {
  const { format, body, mode } = input;
  const scan = await parts.attempt(
    `scan_${format.id}`,
    // deno-lint-ignore require-await
    async () => format.scan(body),
    undefined,
  );
  if (scan === undefined) return untouched(body, undefined, "unscannable");
  if (mode === "passthrough") return untouched(body, scan, "passthrough");
  return await parts.attempt(
    "compress_body",
    () => compressScanned(parts, input, scan),
    untouched(body, scan, "failed"),
  );
}

/** The body as it came. */
function untouched(
  body: Uint8Array,
  scan: BodyScan | undefined,
  reason: string,
): CompressedBody {
  return {
    body,
    bytes: body,
    scan,
    edits: [],
    conversation: undefined,
    declaration: { by: "nobody", reason },
    formed: [],
    uncounted: scan?.counted ?? [{ start: 0, end: body.length }],
    turns: [],
    formTokensSaved: 0,
    strategies: [],
    elided: new Map(),
    sent: () => {},
    retract: () => Promise.resolve(),
  };
}

async function compressScanned(
  parts: CompressParts,
  input: CompressInput,
  scan: BodyScan,
): Promise<CompressedBody> {
  const { format, body, signal } = input;
  const key = keyOfConversation(parts, input, scan);
  const conversation = parts.conversations.open(key);
  const session = keyOfSession(parts, input);
  const recognised = recognise(parts.forms, {
    body,
    scan,
    conversation: key,
  });
  const found = formedBlocks(scan, recognised);
  const declaration = declarationOf({
    scan,
    conversation: {
      ...conversation,
      definition: conversation.definition ??
        definitionOfSession(parts, session, conversation),
    },
    newestForm: found.at(-1)?.form,
    definition: parts.ccr ? format.retrieval.definition : undefined,
    isRefused: input.refusesTool(scan.model),
  });
  // Without the tool a marker would be a dead end: the original goes out, as it stands in the body.
  const known = declaration.by === "nobody"
    ? found.filter(({ form }) => form.entry === undefined)
    : found;
  const turns = conversation.retrievals.length === 0 ? [] : await parts.attempt(
    "splice_back",
    // deno-lint-ignore require-await
    async () =>
      format.retrieval.spliceBack(body, scan, conversation.retrievals),
    [],
  );
  const live = liveBlocks({
    body,
    scan,
    recognised,
    elided: new Set(known.flatMap(({ form }) => form.entry ?? [])),
    mayElide: parts.ccr && declaration.by !== "nobody" && !parts.store.full(),
    keyOf: parts.keyOf,
  });
  const decisions = live.length === 0
    ? []
    : await parts.decide(live.map(({ job }) => job));
  signal.throwIfAborted();
  const committed = await commit(parts, {
    key,
    declaration,
    live,
    decisions,
    stale: staleEntries(parts, { key, known, body }),
    signal,
  });
  const { inserted, linked } = committed;
  try {
    if (linked !== undefined) {
      parts.forms.adopt(committed.forms);
      parts.conversations.linked(key, linked, committed.now);
    }
    return await finish(parts, {
      input,
      scan,
      key,
      session,
      declaration,
      recognised,
      known,
      decided: decidedBlocks(live, declaration, committed),
      turns,
      inserted,
    });
  } catch (error) {
    // What was committed and is not sent would be sent next time, the tool included.
    await retract(parts, inserted);
    if (declaration.by === "proxy" && declaration.begins) {
      parts.conversations.undeclare(key);
    }
    throw error;
  }
}

/** A body that continues a response belongs to that one's conversation: it repeats nothing of it. */
function keyOfConversation(
  { store, conversationKey }: CompressParts,
  { body, session, agent }: CompressInput,
  { continues, firstUserText }: BodyScan,
): ConversationKey {
  const id = continues && decodeLiteral(body, continues);
  const known = id && store.responseId(conversationOf(id));
  if (known) return known as ConversationKey;
  const texts = firstUserText.map((span) => decodeLiteral(body, span) ?? "");
  return conversationKey({ session, agent, firstUserText: texts.join("\n") });
}

/** Stands for all conversations of one agent in one session; `undefined` where the client names none. */
function keyOfSession(
  { conversationKey }: CompressParts,
  { session, agent }: CompressInput,
): ConversationKey | undefined {
  return session === undefined
    ? undefined
    : conversationKey({ session, agent, firstUserText: undefined });
}

/**
 * A client that compacts a conversation goes on with another first message and the same tools. So a
 * conversation that was never seen has the tool if its session has declared it; one that was seen
 * without the tool, because the proxy was started in its middle, stays without.
 */
function definitionOfSession(
  { conversations }: CompressParts,
  session: ConversationKey | undefined,
  conversation: ConversationState,
): string | undefined {
  return session === undefined || conversation.activeAt !== undefined
    ? undefined
    : conversations.open(session).definition;
}

/** Name under which the store keeps the conversation of the response `id`. */
export function conversationOf(id: string): string {
  return `conversation of ${id}`;
}

/** Blocks whose form the store now holds. */
function decidedBlocks(
  live: readonly LiveBlock[],
  declaration: Declaration,
  { forms }: Committed,
): readonly FormedBlock[] {
  return live.flatMap(({ block, key }) => {
    const form = forms.get(key);
    // Another process may have been first, with a form that needs the tool.
    const isUsable = declaration.by !== "nobody" || form?.entry === undefined;
    return form !== undefined && isUsable ? [{ block, form }] : [];
  });
}

/** Originals of known forms that the store may have lost: their blocks stand in the body. */
function staleEntries(
  parts: CompressParts,
  { key, known, body }: {
    readonly key: ConversationKey;
    readonly known: readonly FormedBlock[];
    readonly body: Uint8Array;
  },
): readonly CcrEntry[] {
  const blocks = new Map(
    known.flatMap((formed) =>
      formed.form.entry === undefined ? [] : [[formed.form.entry, formed]]
    ),
  );
  const now = parts.clock.now();
  const stale = parts.conversations.stale(key, [...blocks.keys()], now);
  return stale.flatMap((entry) => {
    const { block, form } = blocks.get(entry)!;
    const original = decodeLiteral(body, block.span);
    if (original === undefined) return [];
    return [{
      key: entry,
      original,
      strategy: form.strategy,
      toolName: block.toolName ?? "",
      originalTokens: form.tokensBefore,
      originalItems: 0,
      keptItems: 0,
      storedAt: now,
    }];
  });
}

/** What one transaction is to hold. */
interface CommitInput {
  readonly key: ConversationKey;
  readonly declaration: Declaration;
  readonly live: readonly LiveBlock[];
  readonly decisions: readonly Decision[];
  readonly stale: readonly CcrEntry[];
  readonly signal: AbortSignal;
}

/** What the transaction left. */
interface Committed {
  readonly forms: ReadonlyMap<BlockKey, FrozenForm>;
  readonly inserted: readonly BlockKey[];
  /** Originals that it linked to the conversation; `undefined` when there was none. */
  readonly linked?: readonly CcrKey[];
  /** When. */
  readonly now: number;
}

/** Stores originals and forms; on a refusal the blocks go out as they are. */
async function commit(
  parts: CompressParts,
  { key, declaration, live, decisions, stale, signal }: CommitInput,
): Promise<Committed> {
  const now = parts.clock.now();
  const definition = declaration.by === "proxy"
    ? declaration.definition
    : undefined;
  const forms = new Map<BlockKey, FrozenForm>();
  const entries = [...stale];
  for (const [i, block] of live.entries()) {
    const decision = decisions[i];
    if (decision?.type === "failed") {
      parts.attempt.failed("compress_block", decision.reason);
    }
    if (decision?.type !== "form") continue;
    forms.set(block.key, frozenForm(decision, definition));
    entries.push(...entryOf(block, decision, now));
  }
  const nothing: Committed = { forms: new Map(), inserted: [], now };
  const begins = declaration.by === "proxy" && declaration.begins;
  if (forms.size === 0 && entries.length === 0 && !begins) return nothing;
  const written = await parts.attempt(
    "commit_forms",
    () =>
      parts.store.write({
        conversation: key,
        now,
        entries,
        forms,
        ...definition === undefined ? {} : { definition },
      }),
    nothing,
  );
  // A client that left meanwhile may have sent the same block again, and been given this row: it stays.
  signal.throwIfAborted();
  return written === nothing
    ? nothing
    : { ...written, linked: entries.map((entry) => entry.key), now };
}

/** Removes forms that were never sent. */
async function retract(
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

/** Everything that is known before the bytes are made. */
interface FinishInput {
  readonly input: CompressInput;
  readonly scan: BodyScan;
  readonly key: ConversationKey;
  readonly session: ConversationKey | undefined;
  readonly declaration: Declaration;
  readonly recognised: RecognisedBlocks;
  readonly known: readonly FormedBlock[];
  readonly decided: readonly FormedBlock[];
  readonly turns: readonly Edit[];
  readonly inserted: readonly BlockKey[];
}

/** A client names the response it saw; where the proxy continued that one, the provider knows the last round's. */
function continuedResponse(
  { store }: CompressParts,
  body: Uint8Array,
  { continues }: BodyScan,
): readonly Edit[] {
  if (continues === undefined) return [];
  const last = store.responseId(decodeLiteral(body, continues) ?? "");
  return last === undefined
    ? []
    : [{ span: continues, replacement: encodeLiteral(last) }];
}

async function finish(
  parts: CompressParts,
  facts: FinishInput,
): Promise<CompressedBody> {
  const { input, scan, key, declaration } = facts;
  const { body } = input;
  const formed = [...facts.known, ...facts.decided];
  const tools = declaration.by === "proxy"
    ? declare(scan, declaration.definition)
    : [];
  const continues = continuedResponse(parts, body, scan);
  const { edits, dropped } = mergeEdits(scan, [
    { zone: "frozen", edits: formEdits(facts.known) },
    { zone: "live", edits: formEdits(facts.decided) },
    { zone: "tools", edits: tools },
    { zone: "turns", edits: facts.turns },
    { zone: "continues", edits: continues },
  ]);
  if (dropped > 0) {
    parts.attempt.failed("merge_edits", `${dropped} edits outside their zone`);
  }
  const bytes = await parts.attempt(
    "splice",
    // deno-lint-ignore require-await
    async () => splice(body, edits),
    undefined,
  );
  if (bytes === undefined) {
    await retract(parts, facts.inserted);
    return untouched(body, scan, "failed");
  }
  const elided = new Map(
    formed.flatMap(({ block, form }) =>
      form.entry === undefined ? [] : [[form.entry, block]]
    ),
  );
  return {
    body,
    bytes,
    scan,
    edits,
    conversation: key,
    declaration,
    formed,
    uncounted: uncountedSpans(scan, facts.recognised, formed),
    turns: facts.turns.filter((edit) => edits.includes(edit)),
    formTokensSaved: formed.reduce(
      (sum, { form }) => sum + form.tokensBefore - form.tokensAfter,
      0,
    ),
    strategies: [...new Set(formed.map(({ form }) => form.strategy))],
    elided,
    sent: () =>
      // An async function runs up to its first await at once: all of this is noted before the request leaves.
      // deno-lint-ignore require-await
      void parts.attempt("note_sent", async () => {
        parts.forms.settle(facts.recognised.lookups);
        if (declaration.by === "proxy") {
          const { session } = facts;
          parts.conversations.declare(key, declaration.definition);
          if (session) {
            parts.conversations.declare(session, declaration.definition);
          }
        } else parts.conversations.seen(key);
        parts.conversations.active(key, [...elided.keys()]);
      }, undefined),
    retract: () => retract(parts, facts.inserted),
  };
}

function uncountedSpans(
  scan: BodyScan,
  { lookups }: RecognisedBlocks,
  formed: readonly FormedBlock[],
): readonly CountedSpan[] {
  const ids = new Map<ByteSpan, string>();
  for (const [i, { span }] of scan.blocks.entries()) {
    const lookup = lookups[i];
    if (lookup && "key" in lookup) ids.set(span, lookup.key);
  }
  const known = new Set(formed.map(({ block }) => block.span));
  return scan.counted.flatMap((span) => {
    if (known.has(span)) return [];
    const id = ids.get(span);
    return [id === undefined ? span : { ...span, id }];
  });
}
