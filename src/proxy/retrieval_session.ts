/** What answering the retrievals of one request needs, from the parts of the running proxy. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import { sourceOf } from "../core/block.ts";
import type { Clock } from "../core/clock.ts";
import type { Conversations, ResponseIds } from "../core/forms.ts";
import type { BodyScan, ProviderFormat } from "../core/format.ts";
import type {
  AnsweredRetrieval,
  RetrievalArguments,
} from "../core/retrieval.ts";
import type { Retrieved } from "../core/retrieved.ts";
import type { Reply } from "../core/upstream.ts";
import type {
  CcrEntry,
  CcrKey,
  CcrStore,
  RetrievalEvent,
} from "../core/store.ts";
import type { Attempt } from "../pipeline/attempt.ts";
import { reasonOf } from "../pipeline/attempt.ts";
import { entryOfForm } from "../pipeline/commit_forms.ts";
import type { CompressParts } from "../pipeline/compress_parts.ts";
import type { CompressedBody } from "../pipeline/compressed_body.ts";
import { findTools, type ToolsFound } from "../pipeline/tool_search.ts";
import type { Found, RetrievalSession } from "./retrieval_rounds.ts";

/** Parts that outlive the request. */
export interface RetrievalParts {
  /** Where the originals are. */
  readonly store: CcrStore;
  /** Where answered retrievals are remembered. */
  readonly conversations: Conversations;
  /** Answers what is asked for, given where to look. */
  readonly retrieve: (
    store: Pick<CcrStore, "entry">,
    wanted: RetrievalArguments,
  ) => Promise<{
    readonly retrieved: Retrieved;
    readonly event: RetrievalEvent | undefined;
  }>;
  /** Where the ids of continued responses are noted. */
  readonly responseIds: ResponseIds;
  /** See {@linkcode CompressParts.itemsIn}. */
  readonly itemsIn: CompressParts["itemsIn"];
  /** Time. */
  readonly clock: Clock;
  /** Counts failures. */
  readonly attempt: Attempt;
  /** Calls back every ten seconds until the returned function is called. */
  readonly everyTenSeconds: (callback: () => void) => () => void;
  /** Lets other requests have their turn. */
  readonly pause: () => Promise<void>;
}

/** The request that is answered. */
export interface RetrievalCallFacts {
  /** Its wire format. */
  readonly format: ProviderFormat;
  /** What was sent. */
  readonly call: CompressedBody;
  /** Its scan. */
  readonly scan: BodyScan;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  /** Told of every answer that goes to the model. */
  readonly onAnswer: (
    content: string,
    event: RetrievalEvent | undefined,
  ) => void;
  /**
   * Sends the first body with `elements` at the end of its conversation.
   *
   * @param elements All that was said since: JSON values separated by commas.
   */
  readonly send: (
    elements: Uint8Array,
    forbidTools: boolean,
    signal: AbortSignal,
  ) => Promise<Reply>;
}

/** Puts a session together. */
export function retrievalSession(
  parts: RetrievalParts,
  facts: RetrievalCallFacts,
): RetrievalSession {
  const { format, call, scan, signal } = facts;
  const { body } = call;
  let said: Uint8Array = new Uint8Array(0);
  const asked: RetrievalEvent[] = [];
  const remember = async (retrievals: readonly AnsweredRetrieval[]) => {
    const answered = { retrievals, asked: asked.splice(0) };
    if (call.conversation === undefined) return;
    await parts.conversations.remember(call.conversation, answered);
  };
  return {
    streaming: scan.streaming,
    toolChoiceAuto: isAuto(body, scan),
    exchange: (streaming) =>
      format.retrieval.exchange({
        streaming,
        conversationLength: scan.messages.length || 1,
        context: format.retrieval.turnContext(body, scan),
        includeUsage: scan.includeUsage,
        hidesUsage: call.usageRequest !== undefined,
        findsTools: call.tools.deferred.size > 0,
      }),
    signal,
    everyTenSeconds: parts.everyTenSeconds,
    lookup: (wanted) =>
      "tools" in wanted
        ? lookForTools(facts, wanted.tools, parts.pause)
        : giveBack(parts, facts, { wanted, asked }),
    continueWith: (elements, { forbidTools, signal }) => {
      said = joined(said, elements);
      return facts.send(said, forbidTools, signal);
    },
    remember,
    onResponseId: (seen, last) => parts.responseIds.note(seen, last),
    onFailure: (error) => {
      parts.attempt.failed("retrieval", reasonOf(error));
      // The model was answered, whatever became of its turn.
      if (asked.length > 0) {
        void parts.attempt("count_retrievals", () => remember([]), undefined);
      }
    },
  };
}

/** What the model gets of an original; it is noted in `asked` where it was given. */
async function giveBack(
  parts: RetrievalParts,
  { call, onAnswer }: RetrievalCallFacts,
  { wanted, asked }: {
    readonly wanted: RetrievalArguments;
    readonly asked: RetrievalEvent[];
  },
): Promise<Found> {
  const from = sentOriginals(parts, call);
  const { retrieved, event } = await parts.retrieve(from, wanted);
  if (event) asked.push(event);
  const content = JSON.stringify(retrieved.data);
  onAnswer(content, event);
  return { content };
}

/**
 * The store, and behind it the body itself: the client sends every original again.
 *
 * Only what the conversation was sent can be found. A text that looks like a marker opens nothing: a tool may return
 * one that it read elsewhere. So what counts is where this proxy put its markers, not where such texts are.
 */
function sentOriginals(
  { store, conversations, clock, itemsIn }: RetrievalParts,
  { body, conversation, elided, formed }: CompressedBody,
): Pick<CcrStore, "entry"> {
  const isSent = (key: CcrKey) =>
    elided.has(key) ||
    conversation !== undefined && conversations.hasSent(conversation, key);
  const inBody = (key: CcrKey): CcrEntry | undefined => {
    const block = elided.get(key);
    const form = formed.find((one) => one.block === block)?.form;
    const original = block && decodeLiteral(body, block.span);
    if (!block || original === undefined || form === undefined) {
      return undefined;
    }
    const toolName = sourceOf(block);
    const now = clock.now();
    return entryOfForm({ itemsIn }, { key, original, form, toolName, now });
  };
  return {
    entry(key, now) {
      if (!isSent(key)) return { status: "missing" };
      const found = store.entry(key, now);
      return "status" in found ? inBody(key) ?? found : found;
    },
  };
}

/** What the model gets for a search; it reads the definitions that are loaded, too. */
async function lookForTools(
  { call: { body, tools }, scan, onAnswer }: RetrievalCallFacts,
  query: string,
  pause: () => Promise<void>,
): Promise<ToolsFound> {
  const { definitions } = tools;
  const listed = scan.tools?.names ?? [];
  const found = await findTools(body, { definitions, listed, pause }, query);
  const loaded = found.loads?.map(({ definition }) => definition);
  onAnswer(loaded?.join("\n") ?? found.content, undefined);
  return found;
}

/** Whether the client lets the model choose: the default of all formats. */
function isAuto(body: Uint8Array, { toolChoice }: BodyScan): boolean {
  if (toolChoice === undefined) return true;
  const raw = body.subarray(toolChoice.start, toolChoice.end);
  const value: unknown = JSON.parse(new TextDecoder().decode(raw));
  return value === null || value === "auto" ||
    (typeof value === "object" && "type" in value && value.type === "auto");
}

function joined(said: Uint8Array, elements: Uint8Array): Uint8Array {
  if (said.length === 0) return elements;
  const all = new Uint8Array(said.length + 1 + elements.length);
  all.set(said);
  all[said.length] = 0x2c;
  all.set(elements, said.length + 1);
  return all;
}
