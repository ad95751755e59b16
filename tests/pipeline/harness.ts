import {
  type CacheLives,
  NO_LEARNED_LIVES,
} from "../../src/core/cache_outcome.ts";
import { ScanCache } from "../../src/bytes/scan_cache.ts";
import { makeConversations } from "../../src/ccr/conversations.ts";
import { makeFrozenForms } from "../../src/ccr/frozen_forms.ts";
import { makeResponseIds } from "../../src/ccr/response_ids.ts";
import {
  itemsIn,
  markerLine,
  markerLines,
  mustStayWhole,
  omittedWhole,
} from "../../src/ccr/marker.ts";
import { ccrKey, conversationKey } from "../../src/ccr/key.ts";
import type { Compressor } from "../../src/core/compressor.ts";
import type { ProviderFormat } from "../../src/core/format.ts";
import type { CompressionMode } from "../../src/core/mode.ts";
import type { CcrStore } from "../../src/core/store.ts";
import { lineNote } from "../../src/engine/note.ts";
import { OutputShaper } from "../../src/pipeline/output_shape.ts";
import { ToolHabits } from "../../src/pipeline/tool_habits.ts";
import { ToolEditor } from "../../src/pipeline/added_tools.ts";
import { makeAttempt } from "../../src/pipeline/attempt.ts";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";
import { compressBody } from "../../src/pipeline/compress_body.ts";
import type { CompressInput } from "../../src/pipeline/compress_input.ts";
import type { CompressParts } from "../../src/pipeline/compress_parts.ts";
import type { LibraryCall } from "../../src/pipeline/library_call.ts";
import type { BlockJob, Decision } from "../../src/core/decision.ts";
import {
  type OlderDecided,
  OlderTurns,
} from "../../src/pipeline/older_blocks.ts";
import { EarlierTexts } from "../../src/pipeline/known_texts.ts";
import { makeRouter } from "../../src/pipeline/router.ts";
import { PASTED } from "../../src/compressors/registry.ts";
import {
  bodyOf,
  type ClientFormat,
  type Conversation,
  messagesClient,
} from "../conformance/conversation.ts";
import { contentOf } from "./content.ts";
import { chatCompletionsFormat } from "../../src/providers/chat_completions/format.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { responsesFormat } from "../../src/providers/responses/format.ts";
import { openMemoryStore } from "../../src/ccr/open_store.ts";

/** A compression pipeline on a memory store, with compressors whose effect is easy to foresee. */

/** The adapter of each client format. */
export const FORMATS: Readonly<Record<string, ProviderFormat>> = {
  messages: messagesFormat,
  chat_completions: chatCompletionsFormat,
  responses: responsesFormat,
};

/** Elides all but the first and last line. */
const elider: Compressor = {
  id: "log",
  compress(text, { mayElide }) {
    const lines = text.split("\n");
    if (!mayElide || lines.length < 5) {
      return { type: "unchanged", reason: "nothing_to_elide" };
    }
    const count = lines.length - 2;
    return {
      type: "elided",
      text: `${lines[0]}\n… lines 2-${count + 1} omitted\n${lines.at(-1)}`,
      omitted: { count, total: lines.length, unit: "lines" },
    };
  },
};

/** Writes a run of one letter as its length. */
const folder: Compressor = {
  id: "fold",
  compress: (text) => ({
    type: "reformatted",
    text: `${text[0]}*${text.length}`,
  }),
  restore: (form) => {
    const [letter = "", length] = form.split("*");
    return letter.repeat(Number(length));
  },
};

const thrower: Compressor = {
  id: "thrower",
  compress: () => {
    throw new RangeError("compressor bug");
  },
};

/** Decides with the compressors above: runs of a letter are folded, `throw…` throws, all else of several lines is elided. */
export const decide: (job: BlockJob) => Decision = makeRouter({
  detector: {
    detect: (text) =>
      /^(.)\1*$/.test(text)
        ? "json"
        : text.startsWith("throw")
        ? "diff"
        : "log",
  },
  content: {
    ...contentOf(elider),
    json: { compressor: folder },
    diff: { compressor: thrower },
  },
  pasted: PASTED.compressor,
  counter: {
    encodingOf: () => "quarter",
    count: (text) => Math.ceil(text.length / 4),
  },
  markerLine,
  markerLines,
  omittedLine: lineNote,
  mustStayWhole,
});

/** The same object, every method of which is announced first. */
function watched<T extends object>(part: T, enter: (name: string) => void): T {
  return new Proxy(part, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        enter(String(name));
        return Reflect.apply(member, target, args);
      };
    },
  });
}

/** A request, as far as it varies. */
export interface RequestFacts {
  readonly session?: string;
  readonly agent?: string;
  readonly mode?: CompressionMode;
  readonly library?: LibraryCall;
  readonly isTooLong?: boolean;
  readonly isPreview?: boolean;
  readonly asksUsage?: boolean;
  readonly defersTools?: boolean;
  readonly recompacts?: boolean;
  readonly keepsReasoning?: number;
  readonly signal?: AbortSignal;
  /** Whether the host has refused the retrieval tool to another conversation. */
  readonly isToolRefused?: boolean;
}

/** One process. */
export interface Harness {
  readonly store: CcrStore;
  /** What `compress` is made of. */
  readonly parts: CompressParts;
  /** Compresses one body and marks it as sent. */
  readonly send: (
    format: string,
    body: Uint8Array,
    facts?: RequestFacts,
  ) => Promise<CompressedBody>;
  /** Compresses one body that is not sent yet. */
  readonly compress: Harness["send"];
  /** Sends requests of a conversation, each after so many steps of it; of the messages client unless another is given. */
  readonly talk: (
    conversation: Conversation,
    client?: ClientFormat,
  ) => (n: number, facts?: RequestFacts) => Promise<CompressedBody>;
  /** Blocks that were decided so far. */
  readonly decided: readonly BlockJob[];
  /** Older blocks that got forms, one entry per request. */
  readonly older: readonly OlderDecided[];
  /** Failures that were absorbed. */
  readonly failures: ReadonlyMap<string, number>;
  /** Sets the time. */
  readonly clock: { ms: number };
}

/** What a process is started with. */
export interface HarnessOptions {
  /** Decides one block; the compressors above unless given. */
  readonly decide?: (job: BlockJob) => Decision | Promise<Decision>;
  /** Whether users' texts are looked at; true when not given. */
  readonly userMessages?: boolean;
  readonly store?: CcrStore;
  readonly ttlSeconds?: number;
  readonly ccr?: boolean;
  readonly dedupe?: boolean;
  readonly clock?: { ms: number };
  /** Stands between the pipeline and the decision. */
  readonly meanwhile?: () => void | Promise<void>;
  /** What was learned of prompt caches; nothing unless given. */
  readonly cacheLives?: CacheLives;
  /** Called as each part is entered, by its name; may throw. */
  readonly enter?: (part: string) => void;
}

/** What a request asks of the pipeline. */
export function inputOf(
  format: string,
  body: Uint8Array,
  facts: RequestFacts = {},
): CompressInput {
  return {
    format: FORMATS[format]!,
    body,
    mode: facts.mode ?? "cache",
    session: facts.session,
    agent: facts.agent,
    refusesTool: () => facts.isToolRefused === true,
    ...facts.library && { library: facts.library },
    isTooLong: facts.isTooLong === true,
    isPreview: facts.isPreview === true,
    defersTools: () => facts.defersTools === true,
    recompacts: facts.recompacts === true,
    ...facts.keepsReasoning !== undefined && {
      keepsReasoning: facts.keepsReasoning,
    },
    asksUsage: () => facts.asksUsage === true,
    signal: facts.signal ?? new AbortController().signal,
  };
}

/** Starts a process; a given store is shared with another. */
export function harness(options: HarnessOptions = {}): Harness {
  const { ttlSeconds = 1800, ccr = true, meanwhile } = options;
  const enter = options.enter ?? (() => {});
  const time = options.clock ?? { ms: 1_000_000 };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const log = () => {};
  const store = options.store ?? openMemoryStore({ ttlSeconds, clock, log });
  const attempt = makeAttempt(log);
  const decided: BlockJob[] = [];
  const older: OlderDecided[] = [];
  const parts: CompressParts = {
    bodies: new ScanCache(),
    forms: watched(makeFrozenForms(store, { clock, log }), enter),
    conversations: watched(
      makeConversations(store, { clock, ttlSeconds, log }),
      enter,
    ),
    store: watched(store, enter),
    decide: async (jobs: readonly BlockJob[]) => {
      enter("decide");
      decided.push(...jobs);
      await meanwhile?.();
      return await Promise.all(jobs.map(options.decide ?? decide));
    },
    keyOf: (original: string) => {
      enter("keyOf");
      return ccrKey(original);
    },
    responseIds: makeResponseIds(store, clock),
    itemsIn,
    omitted: omittedWhole,
    conversationKey,
    attempt,
    clock,
    ccr,
    options: { exact: false, folds: true, codeAware: true },
    olderTurns: new OlderTurns(),
    cacheLives: options.cacheLives ?? NO_LEARNED_LIVES,
    dedupe: options.dedupe === true,
    earlierTexts: new EarlierTexts(),
    toolEditor: new ToolEditor(ccrKey),
    habits: new ToolHabits({ store, attempt, clock }),
    shaper: new OutputShaper({ store, attempt, clock }),
    onOlderDecided: (_, event) => void older.push(event),
    userMessages: options.userMessages ?? true,
    toolRules: [],
  };
  const compress: Harness["compress"] = (...request) =>
    compressBody(parts, inputOf(...request));
  const send: Harness["send"] = async (...args) => {
    const call = await compress(...args);
    call.sent();
    return call;
  };
  return {
    store,
    parts,
    compress,
    send,
    talk: (conversation, client = messagesClient) => (n, facts) =>
      send(client.id, bodyOf(client, conversation, n), facts),
    decided,
    older,
    failures: attempt.failures,
    clock: time,
  };
}
