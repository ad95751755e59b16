/** How a wire format declares, calls and answers the retrieval tool. @module */
import type { Edit } from "./block.ts";
import { type DeferralFormat, SEARCH_TOOL } from "./deferral.ts";
import { ServiceError } from "./errors.ts";
import type { BodyScan } from "./format.ts";

/** Name of the tool in every format. */
export const RETRIEVAL_TOOL = "headroom_retrieve";

/** What the model is told about it. Name, description and schema stay within 80 tokens: every request pays for them. */
export const RETRIEVAL_TOOL_DESCRIPTION =
  "Original of a hash= marker, or its lines 41-80, query matches, JSON path.";

/** Whether calls of the tool are answered by the proxy. */
export function isOwnTool(name: unknown): boolean {
  return name === RETRIEVAL_TOOL || name === SEARCH_TOOL;
}

/** Whether this names the retrieval tool, also as MCP clients name it. */
export function isRetrievalTool(name: unknown): boolean {
  return typeof name === "string" &&
    (name === RETRIEVAL_TOOL || name.endsWith(`__${RETRIEVAL_TOOL}`));
}

/** JSON Schema of its arguments: {@linkcode RetrievalArguments}. */
export const RETRIEVAL_TOOL_SCHEMA = {
  type: "object",
  properties: {
    hash: { type: "string" },
    lines: { type: "string" },
    query: { type: "string" },
    path: { type: "string" },
  },
  required: ["hash"],
} as const;

/** What is asked for. Without a part, the whole original. */
export interface RetrievalArguments {
  /** As the model gave it; empty when missing. */
  readonly hash: string;
  /** Lines, counted from 1: `41-80`, `41` or `41-`. */
  readonly lines?: string;
  /** Words that the wanted lines or rows hold. */
  readonly query?: string;
  /** Place in a JSON document: `items[3].name`, or a JSON Pointer (RFC 6901). */
  readonly path?: string;
}

/** One response with retrievals that the proxy answered, kept so that they are put back on later requests (law 2). */
export interface AnsweredRetrieval {
  /**
   * Names of the assistant turn that it belongs to, separated by line feeds: a call id, a thinking signature,
   * an item id, or a digest of its text together with the {@linkcode ExchangeOptions.context} before it.
   */
  readonly anchor: string;
  /** {@linkcode ProviderFormat.id} of the format that wrote `data`. */
  readonly format: string;
  /** An {@linkcode AnsweredTurn} as JSON: the model's blocks as produced, the answers as sent. */
  readonly data: string;
}

/** What {@linkcode AnsweredRetrieval.data} holds. All JSON texts are in the format's own shape. */
export interface AnsweredTurn {
  /** Elements that stood before the turn in the client's conversation. */
  readonly at: number;
  /** Rounds that only retrieved, in order. The client saw their blocks without the calls, merged with what came after. */
  readonly rounds: readonly AnsweredRound[];
  /** What the last round said, as far as the format needs it to find the turn again: JSON values. */
  readonly last: readonly string[];
  /** Calls in the last round beside the client's own; `undefined` when there were none. */
  readonly beside: AnsweredBeside | undefined;
  /** Names of the deferred tools that the answers load; absent for none. */
  readonly loads?: readonly string[];
}

/** Names of the deferred tools that a record loads: put back, it needs all of them in the request. */
export function loadedBy({ data }: AnsweredRetrieval): readonly string[] {
  // Most records load none, and are long: they are not parsed.
  if (!data.includes('"loads":[')) return [];
  return (JSON.parse(data) as AnsweredTurn).loads ?? [];
}

/** One continued round. */
export interface AnsweredRound {
  /** Conversation elements of the model, as sent back: JSON values separated by commas. */
  readonly turn: string;
  /** Conversation elements that answer it. */
  readonly answer: string;
}

/** Retrievals that the client never saw, in a turn that also called its own tools. */
export interface AnsweredBeside {
  /** The calls, in order. */
  readonly calls: readonly PlacedCall[];
  /** Their results, separated by commas. */
  readonly answer: string;
  /** Ids of the client's own calls in the turn. */
  readonly clientCalls: readonly string[];
}

/** A call and its neighbour in the turn. */
export interface PlacedCall {
  /** The call as produced. */
  readonly json: string;
  /** Id of the client's call that it stands before or after. */
  readonly neighbour: string;
  /** On which side of the neighbour it stands. */
  readonly side: "before" | "after";
}

/** A request for an original, or for tools. */
export interface RetrievalCall {
  /** Id that the answer must carry. */
  readonly callId: string;
  /** What is asked for; `tools` says which ones are looked for. */
  readonly wanted: RetrievalArguments | { readonly tools: string };
}

/** A call as a client has it that runs the model's tools itself. */
export interface ToolCall {
  /** What is asked for. */
  readonly wanted: RetrievalArguments;
  /** The tool result that answers the call, in the shape of its family. */
  readonly result: (content: string) => Readonly<Record<string, unknown>>;
}

/** What a call is answered with. */
export interface RetrievalAnswer {
  /** The call. */
  readonly call: RetrievalCall;
  /** Text of the tool result: JSON. */
  readonly content: string;
  /** The tools that it loads instead of saying anything; absent for none. */
  readonly loads?: readonly LoadedTool[];
}

/** A deferred tool that was found. */
export interface LoadedTool {
  /** Its name. */
  readonly name: string;
  /** Its definition, as the client wrote it: JSON. */
  readonly definition: string;
}

/** What the model asked for in one round. */
export interface RoundEnd {
  /** Retrievals to answer; empty when the response ends here. */
  readonly calls: readonly RetrievalCall[];
  /** True: the answers go upstream at once. False: they wait for the client's own results. */
  readonly continues: boolean;
  /** What the client gets now. */
  readonly bytes: Uint8Array;
}

/** The end of a response. */
export interface ExchangeEnd {
  /** What the client still gets, once `records` are durable. */
  readonly bytes: Uint8Array;
  /** To be remembered; at most one. */
  readonly records: readonly AnsweredRetrieval[];
  /** Response id that the client saw and the one of the last round, where they differ and the provider keeps state. */
  readonly responseId:
    | { readonly seen: string; readonly last: string }
    | undefined;
}

/** What an exchange must know about the request. */
export interface ExchangeOptions {
  /** Whether the response is an event stream; else it is one JSON document. */
  readonly streaming: boolean;
  /** Elements in the client's conversation array; 1 for a conversation given as one string. */
  readonly conversationLength: number;
  /** {@linkcode RetrievalFormat.turnContext} of the request; without it a turn that only its text names is not kept. */
  readonly context?: string;
  /** Whether the client asked for a usage event, in formats where it must. */
  readonly includeUsage: boolean;
  /** Whether searches for tools are the proxy's to answer. */
  readonly findsTools?: boolean;
  /** Whether the proxy asked for it instead: the client sees none of what that adds to the stream. */
  readonly hidesUsage?: boolean;
}

/**
 * Follows one response through its rounds and writes what the client sees of it.
 *
 * Per round: `push` every chunk, then `endRound`. If its calls continue: `continuation`, and the next
 * round begins. Else `finish`. Every method but `failure` may throw a {@linkcode ServiceError} or a
 * SyntaxError when a round cannot be rebuilt: the response then ends with `failure`.
 */
export interface RetrievalExchange {
  /** Whether the client's bytes differ from the upstream's by now; before that an interrupted body is the client's to see. */
  readonly touched: boolean;
  /** Sent while the client waits between rounds; empty where that is impossible. */
  readonly ping: Uint8Array;
  /** Takes a chunk of an event stream, split at any byte, or a whole document; returns what the client gets now. */
  push(chunk: Uint8Array): Uint8Array;
  /**
   * Called when the round's body is complete.
   *
   * @param isLast Default false; if true, no further round may follow: a retrieval on its own is dropped, and what was said by then is the answer.
   */
  endRound(isLast?: boolean): RoundEnd;
  /** Called when the body broke off while nothing is {@linkcode touched}: what arrived of an event that has no end. */
  rest(): Uint8Array;
  /**
   * Begins the next round.
   * @returns Elements to append to the conversation that was sent last: JSON values separated by commas.
   */
  continuation(answers: readonly RetrievalAnswer[]): Uint8Array;
  /** Ends the response. `answers`: those of the last `endRound`. */
  finish(answers: readonly RetrievalAnswer[]): ExchangeEnd;
  /** The family's error: an in-stream event, or the body of a 502. In a stream `said`, the provider's own, stands in place of `message`. */
  failure(message: string, said?: ProviderError): Uint8Array;
}

/** The object `error` of a provider's answer: it has a message, and mostly a type. */
export type ProviderError = Readonly<Record<string, unknown>>;

/** The retrieval half of a provider format. */
export interface RetrievalFormat {
  /** JSON text of the tool definition, the same bytes on every call. */
  readonly definition: string;
  /** How definitions of tools are deferred; absent in formats whose providers do not. */
  readonly deferral?: DeferralFormat;
  /** Follows one response. */
  exchange(options: ExchangeOptions): RetrievalExchange;
  /**
   * Names what the next turn answers: the last tool result, and what the client said behind it. It outlives
   * whatever clients rewrite without changing what is said, and differs between conversations that begin alike.
   *
   * @param body The client's body. @param scan Its scan.
   * @returns A digest.
   */
  turnContext(body: Uint8Array, scan: BodyScan): string;
  /**
   * All names under which an answered retrieval may belong to a turn of the body, see {@linkcode AnsweredRetrieval.anchor}.
   * Linear in the body, and slower than a scan: for conversations met for the first time.
   */
  turnNames(body: Uint8Array, scan: BodyScan): readonly string[];
  /**
   * Puts answered retrievals back at their original position.
   * A retrieval whose anchor is not found exactly yields no edit; of several for one turn the newest is put back.
   *
   * @param body The client's body. @param scan Its scan. @param retrievals Those of this conversation, oldest first.
   * @returns Ordered, disjoint edits of the client's body.
   */
  spliceBack(
    body: Uint8Array,
    scan: BodyScan,
    retrievals: readonly AnsweredRetrieval[],
  ): readonly Edit[];
}

/** How the reason begins why a response ends that we began to answer. */
export const CANNOT_CONTINUE =
  "Cannot continue after a tool call that svc answered";

/** Reads arguments as a model gave them; one that is no text, or empty, counts as missing. */
export function retrievalArguments(
  given: Readonly<Record<string, unknown>>,
): RetrievalArguments {
  const { hash } = given;
  const parts = ["lines", "query", "path"].flatMap((name) => {
    const value = given[name];
    const text = typeof value === "number" ? `${value}` : value;
    return typeof text === "string" && text !== "" ? [[name, text]] : [];
  });
  return {
    hash: typeof hash === "string" ? hash : "",
    ...Object.fromEntries(parts),
  };
}

/** The error of a round that cannot be sent back as it was produced. */
export function notRebuilt(what: string): ServiceError {
  return new ServiceError("provider_error", `${CANNOT_CONTINUE}: ${what}`);
}
