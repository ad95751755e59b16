/** A body that a caller wants compressed for himself: no provider follows, and he asks for originals where he got it. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import type { BlockJob, Decision } from "../core/decision.ts";
import type { BodyScan } from "../core/format.ts";
import type { Committed } from "./commit_forms.ts";
import type { CompressParts } from "./compress_parts.ts";
import type { Declaration } from "./declaration.ts";
import type { LiveBlock } from "./live_zone_pass.ts";
import { frozenForm } from "./commit_forms.ts";

/** What such a caller may ask for. */
export interface LibraryCall {
  /** Messages, counted from the end, in which source code stays whole; 0 for none. */
  readonly protectRecent: number;
  /** Whether source code stays whole where the user's last text before it asks to have something looked into. */
  readonly protectAnalysis: boolean;
  /** Only forms that can be turned back; they are apart from those that leave something out. */
  readonly isLossless: boolean;
  /** Nothing is stored or remembered: the bytes show what would be made. */
  readonly isSimulation: boolean;
  /** Whether logs, data and the like in users' texts are shortened; as the configuration says unless given. */
  readonly userMessages?: boolean;
  /** What the reader looks for, beside what stands in the messages; nothing unless given. */
  readonly query?: string;
  /** Tokens below which a text stays as it is; none unless given. */
  readonly minTokens?: number;
}

/**
 * The scan as such a call needs it. Every block is live: there is no cache of a provider to lose, and the caller
 * has no other chance. A result without its call is no part of a longer conversation either, so that it has a name,
 * the empty one.
 */
export function libraryScan(
  scan: BodyScan,
  { isLossless, userMessages = true }: LibraryCall,
): BodyScan {
  const blocks = userMessages
    ? scan.blocks
    : scan.blocks.filter(({ isUserText }) => !isUserText);
  return {
    ...scan,
    lastModelMessage: -1,
    lastCall: -1,
    begun: false,
    keepsState: false,
    continues: undefined,
    blocks: blocks.map((block) => {
      // Of a user's text the caller has no other name than the text itself.
      const { callId = block.isUserText && "user text" } = block;
      return {
        ...block,
        ...callId === undefined ? {} : {
          callId: own(`${isLossless ? "lossless " : ""}${callId}`),
        },
        toolName: block.toolName ?? "",
      };
    }),
  };
}

/**
 * What such calls name is apart from what the proxy names: a form that was made here must not stand in for a block
 * that a provider was sent otherwise, nor a conversation that was only compressed for one that has begun.
 */
function own(name: string): string {
  return `library ${name}`;
}

/** The session under which such a call is known. */
export function librarySession(session: string | undefined): string {
  return own(session ?? "");
}

/** The caller can retrieve himself, as long as originals are kept. */
export function libraryDeclaration(ccr: boolean): Declaration {
  return ccr ? { by: "client" } : { by: "nobody", reason: "ccr_off" };
}

/** Words with which a user asks to have something looked into. */
const ANALYSIS =
  /\b(?:analy[sz]|review|audit|inspect|security|vulnerab|bug|issue|problem|explain|underst(?:an|oo)d|how do(?:es)?\b|what do(?:es)?\b|debug|fix|error|wrong|broken|refactor|improv|optimi[sz]|clean ?up)/i;

/** The blocks again; those that the call protects keep their source code whole. */
export function protectCode(
  live: readonly LiveBlock[],
  { body, scan }: { readonly body: Uint8Array; readonly scan: BodyScan },
  { protectRecent, protectAnalysis }: LibraryCall,
): readonly LiveBlock[] {
  const recent = scan.messages.length - protectRecent;
  const isProtected = ({ block }: LiveBlock) =>
    block.messageIndex >= recent ||
    (protectAnalysis && block.asked !== undefined &&
      ANALYSIS.test(decodeLiteral(body, block.asked) ?? ""));
  return live.map((one) =>
    isProtected(one)
      ? {
        ...one,
        job: { ...one.job, options: { ...one.job.options, codeAware: false } },
      }
      : one
  );
}

/** The blocks again, looked at with the caller's question too. */
export function askWith(
  live: readonly LiveBlock[],
  query: string | undefined,
): readonly LiveBlock[] {
  if (!query) return live;
  return live.map((one) => ({
    ...one,
    job: { ...one.job, query: `${query}\n${one.job.query}` },
  }));
}

/** UTF-16 units decided before other requests get their turn: some ten milliseconds of work. */
const TURN_LENGTH = 64 * 1024;

/**
 * Decides a few blocks at a time: requests on their way to a provider do not wait for a whole conversation.
 *
 * @throws {DOMException} `AbortError`, if `signal` is aborted: the rest is not decided.
 */
export async function decideInTurns(
  decide: CompressParts["decide"],
  jobs: readonly BlockJob[],
  signal: AbortSignal,
): Promise<readonly Decision[]> {
  const decisions: Decision[] = [];
  let turn: BlockJob[] = [];
  let length = 0;
  for (const [i, job] of jobs.entries()) {
    turn.push(job);
    length += job.text.length;
    if (length < TURN_LENGTH && i < jobs.length - 1) continue;
    signal.throwIfAborted();
    decisions.push(...await decide(turn));
    turn = [];
    length = 0;
  }
  return decisions;
}

/** The decisions again; texts that the call calls too small stay as they are. */
export function leaveSmall(
  decisions: readonly Decision[],
  { minTokens = 0 }: LibraryCall,
): readonly Decision[] {
  return decisions.map((decision) =>
    decision.type === "form" && decision.tokensBefore < minTokens
      ? {
        type: "alone",
        reason: "too_small",
        looked: decision.looked,
        tokens: decision.tokensBefore,
      }
      : decision
  );
}

/** What a commit would leave if no other process were first. */
export function uncommitted(
  live: readonly LiveBlock[],
  decisions: readonly Decision[],
  now: number,
): Committed {
  const forms = live.flatMap(({ key }, i) => {
    const decision = decisions[i];
    return decision?.type === "form"
      ? [[key, frozenForm(decision, undefined)] as const]
      : [];
  });
  return { forms: new Map(forms), inserted: [], now };
}
