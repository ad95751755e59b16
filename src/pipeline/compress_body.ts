/** One request body → the bytes that are sent for it. @module */
import type { KnownBody } from "../bytes/known_bodies.ts";
import { splice } from "../bytes/splice.ts";
import type { BlockRef, Edit } from "../core/block.ts";
import type { BlockLookup } from "../core/forms.ts";
import type { BodyScan } from "../core/format.ts";
import type { SeenBlock, StageFailure } from "../core/ledger.ts";
import type { BlockKey, CcrKey, ConversationKey } from "../core/store.ts";
import { noting } from "./attempt.ts";
import { type CallWay, wayOf } from "./call_ways.ts";
import { decidedBlocks, retract } from "./commit_forms.ts";
import type { CompressInput } from "./compress_input.ts";
import type { CompressParts } from "./compress_parts.ts";
import {
  continuedResponse,
  conversationState,
  keyOfConversation,
  keyOfSession,
  noteNewest,
  takenOver,
} from "./conversation_keys.ts";
import {
  type CompressedBody,
  hasOlder,
  uncountedSpans,
  untouched,
} from "./compressed_body.ts";
import type { Declaration } from "./declaration.ts";
import { declare } from "./declaration.ts";
import type { FormedBlock, RecognisedBlocks } from "./frozen_pass.ts";
import { formedBlocks, formEdits, recognise } from "./frozen_pass.ts";
import { liveZone } from "./live_zone_pass.ts";
import { mergeEdits } from "./merge_edits.ts";
import { keepIfItPays, type OlderDecided } from "./older_blocks.ts";
import { seenBlocks } from "./seen_blocks.ts";

/**
 * Compresses one body. Never rejects, but for an abort: on any other failure the bytes that came are sent.
 *
 * @throws {DOMException} `AbortError`, if `signal` was aborted before the forms were frozen.
 */
export async function compressBody(
  parts: CompressParts,
  input: CompressInput,
): Promise<CompressedBody> {
  const failures: StageFailure[] = [];
  const attempt = noting(parts.attempt, failures);
  return { ...await compressNoting({ ...parts, attempt }, input), failures };
}

async function compressNoting(
  parts: CompressParts,
  input: CompressInput,
): Promise<CompressedBody> {
  const { format, body, mode } = input;
  const known = parts.bodies.begin(body);
  const scan = await parts.attempt(
    `scan_${format.id}`,
    // deno-lint-ignore require-await
    async () => format.scan(body, known),
    undefined,
  );
  if (scan === undefined) return untouched(body, undefined, "unscannable");
  if (mode === "passthrough") return untouched(body, scan, "passthrough");
  return await parts.attempt(
    "compress_body",
    () => {
      const way = wayOf(input);
      return compressScanned(parts, way, {
        ...way.enter(input, scan),
        known,
      });
    },
    untouched(body, scan, "failed"),
  );
}

async function compressScanned(
  parts: CompressParts,
  way: CallWay,
  { input, scan, known: knownBody }: {
    readonly input: CompressInput;
    readonly scan: BodyScan;
    readonly known: KnownBody;
  },
): Promise<CompressedBody> {
  const { format, body, signal } = input;
  const key = keyOfConversation(parts, input, scan);
  const conversation = conversationState(parts, input, { key, scan });
  const session = keyOfSession(parts, input);
  const recognised = recognise(parts.forms, {
    known: knownBody,
    scan,
    conversation: key,
  });
  parts.bodies.keep(knownBody);
  const found = formedBlocks(scan, recognised);
  const facts = { input, scan, key, session, conversation };
  const declaration = way.declare(parts, facts, found.at(-1)?.form);
  // Without the tool a marker would be a dead end: the original goes out, as it stands in the body.
  const known = declaration.by === "nobody"
    ? found.filter(({ form }) => form.entry === undefined)
    : found;
  const retrievals = way.retrievals(conversation);
  const turns = retrievals.length === 0 ? [] : await parts.attempt(
    "splice_back",
    // deno-lint-ignore require-await
    async () => format.retrieval.spliceBack(body, scan, retrievals),
    [],
  );
  const plan = way.older(parts, facts);
  const zone = liveZone({
    body,
    scan,
    recognised,
    older: plan.scope,
    elided: new Set(known.flatMap(({ form }) => form.entry ?? [])),
    mayElide: parts.ccr && declaration.by !== "nobody" && !parts.store.full(),
    asked: conversation.asked,
    keyOf: parts.keyOf,
    toolRules: parts.toolRules,
    options: parts.options,
  });
  const asked = way.ask(zone.live, { body, scan });
  const answers = asked.length === 0 ? [] : await way.decide(
    parts,
    asked.map(({ job }) => job),
    { older: plan, signal },
  );
  signal.throwIfAborted();
  const { live, decisions, older } = keepIfItPays(
    plan,
    { live: asked, decisions: answers },
    input,
  );
  const made = way.commit(parts, {
    key,
    declaration,
    isDeclared: conversation.definition !== undefined,
    keepsState: scan.keepsState,
    live,
    decisions,
    known,
    body,
    signal,
  });
  const committed = made instanceof Promise ? await made : made;
  const { inserted, linked } = committed;
  try {
    if (linked !== undefined) {
      parts.forms.adopt(
        committed.forms,
        live.flatMap(({ key, verdict }) =>
          committed.forms.has(key) ? [verdict] : []
        ),
      );
      parts.conversations.linked(key, linked, committed.now);
    }
    const decided = decidedBlocks(live, declaration, committed);
    const dropped = asked.filter((one) => !live.includes(one));
    return finish(parts, {
      input,
      sentWithout: way.sentWithout,
      scan,
      key,
      session,
      declaration,
      recognised,
      known,
      decided,
      turns,
      inserted,
      older,
      isNew: conversation.activeAt === undefined,
      isOlderDone: plan.scope === "all" || older !== undefined,
      hasDeclared: conversation.definition !== undefined,
      seen: seenBlocks({
        left: [
          ...zone.left,
          ...dropped.map(({ block, key }) => ({
            block,
            key,
            reason: "older_turn",
          })),
        ],
        live,
        decisions,
        decided,
        ...knownInZone(scan, recognised, known),
      }),
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

/** What stands behind the last thing the model said and came before, e.g. in another conversation or in a try that failed. */
function knownInZone(
  { blocks, lastModelMessage }: BodyScan,
  { lookups }: RecognisedBlocks,
  formed: readonly FormedBlock[],
) {
  const isLive = ({ messageIndex }: BlockRef) =>
    messageIndex > lastModelMessage;
  return {
    known: formed.filter(({ block }) => isLive(block)),
    knownAlone: blocks.flatMap((block, i) => {
      const lookup = lookups[i];
      return isLive(block) && lookup?.state === "alone"
        ? [{ block, key: lookup.key }]
        : [];
    }),
  };
}

/** Everything that is known before the bytes are made. */
interface FinishInput {
  readonly input: CompressInput;
  readonly sentWithout: CallWay["sentWithout"];
  readonly scan: BodyScan;
  readonly key: ConversationKey;
  readonly session: ConversationKey | undefined;
  readonly declaration: Declaration;
  readonly recognised: RecognisedBlocks;
  readonly known: readonly FormedBlock[];
  readonly decided: readonly FormedBlock[];
  readonly turns: readonly Edit[];
  readonly inserted: readonly BlockKey[];
  readonly older: OlderDecided | undefined;
  /** Whether no earlier request of the conversation is known. */
  readonly isNew: boolean;
  readonly isOlderDone: boolean;
  readonly hasDeclared: boolean;
  readonly seen: readonly SeenBlock[];
}

function finish(parts: CompressParts, facts: FinishInput): CompressedBody {
  const { input, scan, key, declaration } = facts;
  const { body } = input;
  const formed = [...facts.known, ...facts.decided];
  const tools = declaration.by === "proxy"
    ? declare(scan, declaration.definition)
    : [];
  const continues = continuedResponse(parts, body, scan);
  const usageRequest = input.asksUsage?.(scan.model)
    ? scan.usageRequest
    : undefined;
  const isLive = ({ block }: FormedBlock) =>
    block.messageIndex > scan.lastModelMessage;
  // Only where the older ones were asked about: elsewhere such an edit would be a bug, and is dropped.
  const isOlder = (formed: FormedBlock) =>
    facts.older !== undefined && !isLive(formed);
  const { edits, dropped } = mergeEdits(scan, [
    { zone: "frozen", edits: formEdits(facts.known) },
    { zone: "frozen", edits: formEdits(facts.decided.filter(isOlder)) },
    { zone: "live", edits: formEdits(facts.decided.filter(isLive)) },
    { zone: "tools", edits: tools },
    { zone: "turns", edits: facts.turns },
    { zone: "continues", edits: continues },
    { zone: "usage", edits: usageRequest ? [usageRequest] : [] },
  ]);
  if (dropped > 0) {
    parts.attempt.failed("merge_edits", `${dropped} edits outside their zone`);
  }
  const bytes = splice(body, edits);
  // What is remembered of a call until it was sent needs no texts.
  const lookups = facts.recognised.lookups.map(withoutText);
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
    usageRequest: edits.find((edit) => edit === usageRequest),
    turns: facts.turns.filter((edit) => edits.includes(edit)),
    formTokensSaved: formed.reduce(
      (sum, { form }) => sum + form.tokensBefore - form.tokensAfter,
      0,
    ),
    strategies: [...new Set(formed.map(({ form }) => form.strategy))],
    seen: facts.seen,
    older: facts.older,
    hasOlder: hasOlder(scan, facts.recognised),
    decided: facts.decided,
    hasDeclared: facts.hasDeclared,
    elided,
    // Replaced by those of the request.
    failures: [],
    ...afterwards(parts, {
      ...{ key, declaration, lookups, elided },
      session: facts.session,
      inserted: facts.inserted,
      older: facts.older,
      isOlderDone: facts.isOlderDone,
      sentWithout: facts.sentWithout,
      takenOver: declaration.by === "proxy" && facts.session && facts.isNew
        ? takenOver(parts, facts.session, { body, scan })
        : [],
    }),
  };
}

function withoutText(lookup: BlockLookup): BlockLookup {
  return lookup.state === "new" ? { ...lookup, text: "" } : lookup;
}

/** What is known after the bytes are made; nothing of it holds the body or a text of it. */
interface AfterwardsInput extends
  Pick<
    FinishInput,
    "key" | "session" | "declaration" | "inserted" | "sentWithout"
  > {
  readonly lookups: readonly BlockLookup[];
  readonly elided: CompressedBody["elided"];
  readonly older: OlderDecided | undefined;
  readonly isOlderDone: boolean;
  /** Originals that a new conversation takes over from the one before it. */
  readonly takenOver: readonly CcrKey[];
}

/** What is done when the request leaves, or when the upstream did not take it. */
function afterwards(
  parts: CompressParts,
  facts: AfterwardsInput,
): Pick<CompressedBody, "sent" | "retract"> {
  const { key, declaration } = facts;
  return {
    sent: () =>
      // An async function runs up to its first await at once: all of this is noted before the request leaves.
      // deno-lint-ignore require-await
      void parts.attempt("note_sent", async () => {
        parts.forms.settle(facts.lookups);
        if (facts.isOlderDone) parts.olderTurns.add(key);
        if (facts.older) parts.onOlderDecided(key, facts.older);
        const sends = [...facts.elided.keys(), ...facts.takenOver];
        if (declaration.by === "proxy") {
          const { session } = facts;
          parts.conversations.declare(key, declaration.definition);
          if (session) {
            parts.conversations.declare(session, declaration.definition);
            if (sends.length > 0) void noteNewest(parts, session, key);
          }
        } else facts.sentWithout(parts, key);
        parts.conversations.active(key, sends);
      }, undefined),
    retract: () => retract(parts, facts.inserted),
  };
}
