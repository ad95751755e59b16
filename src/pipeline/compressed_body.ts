/** What compression makes of one body. @module */
import { splice } from "../bytes/splice.ts";
import type { BlockRef, ByteSpan, Edit } from "../core/block.ts";
import { type BodyScan, isNewer } from "../core/format.ts";
import { nextTurn, Pace } from "../core/next_turn.ts";
import type { AnswerShape, SeenBlock, StageFailure } from "../core/ledger.ts";
import type { CcrKey, ConversationKey } from "../core/store.ts";
import type { CountedSpan } from "../core/tokens.ts";
import { NO_TOOL_EDITS, type ToolEdits } from "./added_tools.ts";
import type { Declaration } from "./declaration.ts";
import type { FormedBlock, RecognisedBlocks } from "./frozen_pass.ts";
import type { Routing } from "./routing.ts";
import type { OlderDecided } from "./older_blocks.ts";

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
  /** How its tools were edited. */
  readonly tools: ToolEdits;
  /** Which model is asked instead of the client's; `undefined` for none. */
  readonly routing: Routing | undefined;
  /** What is asked of the answer; `undefined` where nothing is. */
  readonly shape: AnswerShape | undefined;
  /** Deferred definitions that the model does not read in this request. */
  readonly unloaded: readonly CountedSpan[];
  /** Blocks whose form stands in `bytes`, in no order. */
  readonly formed: readonly FormedBlock[];
  /** What there is to count: blocks with a form were counted when it was made. */
  readonly uncounted: readonly CountedSpan[];
  /** The one of them that asks for usage in the stream: the client must not see what it causes. `undefined` when there is none. */
  readonly usageRequest: Edit | undefined;
  /** Those that set breakpoints of the provider's cache. */
  readonly breakpoints: readonly Edit[];
  /** Edits that put answered retrievals back. */
  readonly turns: readonly Edit[];
  /** Edits that leave out what the model reasoned, where its tokens count; none unless given. */
  readonly unreasoned?: readonly Edit[];
  /** Tokens that the forms in `bytes` save, by our counter; the definition is not subtracted. */
  readonly formTokensSaved: number;
  /** Ids of the compressors whose forms are in `bytes`, each once. */
  readonly strategies: readonly string[];
  /** Blocks that were met for the first time, in body order. */
  readonly seen: readonly SeenBlock[];
  /** Blocks of older turns that got a form in this request; `undefined` when there are none. */
  readonly older: OlderDecided | undefined;
  /** Cold turns of its conversation, on which what was sent before may change; absent where it holds no result to know it by. */
  readonly coldTurns?: number;
  /** Whether blocks of older turns stand in the body without a form. */
  readonly hasOlder: boolean;
  /** Blocks that got their form in this request. */
  readonly decided: readonly FormedBlock[];
  /** See {@linkcode CompressInput.extended}. */
  readonly extended?: readonly ByteSpan[];
  /** Whether the definition of our tool stood in the request before. */
  readonly hasDeclared: boolean;
  /** Blocks whose original the model can ask for. */
  readonly elided: ReadonlyMap<CcrKey, BlockRef>;
  /** Steps that failed so far, and were skipped; it may grow until the response has ended. */
  readonly failures: StageFailure[];
  /** To be called when the request leaves: freezes what is in `bytes`. */
  readonly sent: () => void;
  /** To be called when the response has ended; absent where nobody has to know. */
  readonly answered?: () => void;
  /** Takes back what this body froze: the upstream did not take it. Never rejects. */
  readonly retract: () => Promise<void>;
}

/** The body as it came. */
export function untouched(
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
    tools: NO_TOOL_EDITS,
    routing: undefined,
    shape: undefined,
    unloaded: [],
    formed: [],
    uncounted: scan?.counted ?? [{ start: 0, end: body.length }],
    usageRequest: undefined,
    breakpoints: [],
    turns: [],
    formTokensSaved: 0,
    strategies: [],
    seen: [],
    older: undefined,
    hasOlder: false,
    decided: [],
    hasDeclared: false,
    failures: [],
    elided: new Map(),
    sent: () => {},
    retract: () => Promise.resolve(),
  };
}

/** The body without {@linkcode CompressedBody.usageRequest}: for an upstream that refuses it. */
export function withoutUsageRequest(call: CompressedBody): CompressedBody {
  const { usageRequest } = call;
  const spliced = spliceWithout(call, usageRequest ? [usageRequest] : []);
  return { ...call, ...spliced, usageRequest: undefined };
}

/** The body without {@linkcode CompressedBody.breakpoints}: for an upstream that refuses them. */
export function withoutBreakpoints(call: CompressedBody): CompressedBody {
  const spliced = spliceWithout(call, call.breakpoints);
  return { ...call, ...spliced, breakpoints: [] };
}

/** The body for the model that the client wants. */
export function unrouted(
  call: CompressedBody,
  { edits, route }: Routing,
): CompressedBody {
  return {
    ...call,
    ...spliceWithout(call, edits),
    scan: call.scan && { ...call.scan, model: route.from },
    routing: undefined,
  };
}

function spliceWithout(
  { body, edits: all }: CompressedBody,
  left: readonly Edit[],
): Pick<CompressedBody, "edits" | "bytes"> {
  const edits = all.filter((edit) => !left.includes(edit));
  return { edits, bytes: splice(body, edits) };
}

/** Whether there is anything to decide in older turns. */
export function hasOlder(
  scan: BodyScan,
  { lookups }: RecognisedBlocks,
): boolean {
  return scan.blocks.some((block, i) => {
    const state = lookups[i]?.state;
    return !isNewer(scan, block) && (state === "new" || state === "alone");
  });
}

/** What a look at a span takes, in microseconds. */
const SPAN_US = 0.5;

/** What there is to count: blocks with a form were counted when it was made. Others have their turn between those of a large body. */
export async function uncountedSpans(
  scan: BodyScan,
  { lookups }: RecognisedBlocks,
  formed: readonly FormedBlock[],
): Promise<readonly CountedSpan[]> {
  const known = new Set(formed.map(({ block }) => block.span));
  const uncounted: CountedSpan[] = [];
  const { blocks } = scan;
  const pace = new Pace();
  let at = 0;
  for (const span of scan.counted) {
    if (pace.isDue(SPAN_US)) await nextTurn();
    // Both are in body order: a map of all blocks would take several times as long.
    while (at < blocks.length && blocks[at]!.span.start < span.start) at++;
    if (known.has(span)) continue;
    const lookup = blocks[at]?.span === span ? lookups[at] : undefined;
    const { start, end } = span;
    uncounted.push(
      lookup && "key" in lookup ? { start, end, id: lookup.key } : span,
    );
  }
  return uncounted;
}
