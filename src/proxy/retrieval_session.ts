/** What answering the retrievals of one request needs, from the parts of the running proxy. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import type { Clock } from "../core/clock.ts";
import type { Conversations } from "../core/forms.ts";
import type { BodyScan, ProviderFormat } from "../core/format.ts";
import type { CcrEntry, CcrKey, CcrStore } from "../core/store.ts";
import type { Attempt } from "../pipeline/attempt.ts";
import { reasonOf } from "../pipeline/attempt.ts";
import type { CompressedBody } from "../pipeline/compress_body.ts";
import type { RetrievalSession } from "./answer_retrievals.ts";

/** Parts that outlive the request. */
export interface RetrievalParts {
  /** Where the originals are. */
  readonly store: CcrStore;
  /** Where answered retrievals are remembered. */
  readonly conversations: Conversations;
  /** Tool result for a hash, given where to look. */
  readonly answer: (
    store: Pick<CcrStore, "entry">,
    hash: string,
    now: number,
  ) => string;
  /** Time. */
  readonly clock: Clock;
  /** Counts failures. */
  readonly attempt: Attempt;
  /** Calls back every ten seconds until the returned function is called. */
  readonly everyTenSeconds: (callback: () => void) => () => void;
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
  readonly onAnswer: (content: string) => void;
  /**
   * Sends the first body with `elements` at the end of its conversation.
   *
   * @param elements All that was said since: JSON values separated by commas.
   */
  readonly send: (
    elements: Uint8Array,
    forbidTools: boolean,
    signal: AbortSignal,
  ) => Promise<Response>;
}

/** Puts a session together. */
export function retrievalSession(
  parts: RetrievalParts,
  facts: RetrievalCallFacts,
): RetrievalSession {
  const { format, call, scan, signal } = facts;
  const { body } = call;
  let said: Uint8Array = new Uint8Array(0);
  return {
    retrieval: format.retrieval,
    streaming: scan.streaming,
    toolChoiceAuto: isAuto(body, scan),
    includeUsage: scan.includeUsage,
    conversationLength: scan.messages.length || 1,
    context: format.retrieval.turnContext(body, scan),
    signal,
    everyTenSeconds: parts.everyTenSeconds,
    lookup: (hash) => {
      const { answer, clock } = parts;
      const content = answer(withBody(parts, call), hash, clock.now());
      facts.onAnswer(content);
      return Promise.resolve(content);
    },
    continueWith: (elements, { forbidTools, again, signal }) => {
      if (!again) said = joined(said, elements);
      return facts.send(said, forbidTools, signal);
    },
    remember: async (records) => {
      if (call.conversation === undefined) return;
      await parts.conversations.remember(call.conversation, records);
    },
    onResponseId: async (seen, last) => {
      const now = parts.clock.now();
      await parts.store.write({ now, responseIds: new Map([[seen, last]]) });
    },
    onFailure: (error) => parts.attempt.failed("retrieval", reasonOf(error)),
  };
}

/** The store, and behind it the body itself: the client sends every original again. */
function withBody(
  { store, clock }: RetrievalParts,
  { body, elided, formed }: CompressedBody,
): Pick<CcrStore, "entry"> {
  const inBody = (key: CcrKey): CcrEntry | undefined => {
    const block = elided.get(key);
    const form = formed.find((one) => one.block === block)?.form;
    const original = block && decodeLiteral(body, block.span);
    if (original === undefined || form === undefined) return undefined;
    return {
      key,
      original,
      strategy: form.strategy,
      toolName: block?.toolName ?? "",
      originalTokens: form.tokensBefore,
      originalItems: 0,
      keptItems: 0,
      storedAt: clock.now(),
    };
  };
  return {
    entry(key, now) {
      const found = store.entry(key, now);
      return "status" in found ? inBody(key) ?? found : found;
    },
  };
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
