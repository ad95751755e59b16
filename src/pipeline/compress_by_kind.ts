/** A text, or a text inside another, → the outcome of the compressor of its kind. Pure and synchronous. @module */
import { isData } from "./file_data.ts";
import type {
  Compressor,
  CompressOutcome,
  PartHint,
} from "../core/compressor.ts";
import type { BlockJob, LookedPart } from "../core/decision.ts";
import type {
  ContentDetector,
  ContentHint,
  ContentKind,
} from "../core/detector.ts";
import type { TokenCounter } from "../core/tokens.ts";
import { whyItStays } from "./pasted_part.ts";

/** What it takes to compress a text by its kind. */
export interface KindParts {
  /** Picks the kind. */
  readonly detector: ContentDetector;
  /** The compressor of each kind. */
  readonly content: Readonly<
    Record<ContentKind, { readonly compressor: Compressor }>
  >;
  /** The compressor of a user's texts: asks about their parts. Without it they stay as they are. */
  readonly pasted?: Compressor;
  /** Counts candidate forms. */
  readonly counter: TokenCounter;
  /** A compressor of the caller's for a text, asked before the detector; `undefined` where there is none. */
  readonly ownCompressor?:
    | ((text: string, hint: ContentHint) => Compressor | undefined)
    | undefined;
}

/** One text to compress. */
export interface KindTask {
  /** The block; its `text` is what is compressed. */
  readonly job: BlockJob;
  /** The text as it came, and its tokens. */
  readonly original: string;
  readonly tokens: number;
  /** Whether parts of the text may be left out. */
  readonly mayElide: boolean;
  /** Takes what became of the texts inside. */
  readonly log: LookedPart[];
}

/** An outcome and who made it. */
export interface KindOutcome {
  /** What the text was taken for; `undefined` when no recogniser of svc's claimed it. */
  readonly kind: ContentKind | undefined;
  /** Id of the compressor; empty without one. */
  readonly id: string;
  /** A reformatted outcome always has its inverse. */
  readonly outcome: CompressOutcome;
}

/** Texts inside texts inside texts: deeper ones stay as they are. */
const MAX_DEPTH = 3;

/** Kinds that hand the whole text on, but for what stands around it: the text inside decides. */
const WHOLE: ReadonlySet<ContentKind> = new Set(["numbered", "wrapped"]);

/** Shorter JSON is read as it is, in UTF-16 units. */
const LONG_JSON = 2048;

/** Whether an agent can edit from the forms of a kind that lose nothing: every line is there, or follows from one sentence. */
function staysEditable(kind: ContentKind | undefined, text: string): boolean {
  return isWhole(kind) || (kind === "json" && text.length >= LONG_JSON);
}

function isWhole(kind: ContentKind | undefined): boolean {
  return kind !== undefined && WHOLE.has(kind);
}

/** Texts inside that are listed. */
const MAX_LOG = 40;

/**
 * Compresses a block by its kind.
 *
 * @throws {Error} What a recogniser or a compressor throws.
 */
export function compressByKind(parts: KindParts, task: KindTask): KindOutcome {
  const { job, mayElide } = task;
  const place = { depth: 0, firstLine: 1 };
  const isOutlined = mayElide && job.mayOutline && job.options.codeAware;
  return (isOutlined ? outlineAt(parts, task, place) : undefined) ??
    compressAt(parts, task, place);
}

/** Kinds that an outline is made of, and those that may be around it. */
const OUTLINED: ReadonlySet<ContentKind | undefined> = new Set([
  "source_code",
  ...WHOLE,
]);

/** The outline of a file of source code, numbers before its lines and a wrapper around it included; `undefined` for none. */
function outlineAt(
  parts: KindParts,
  task: KindTask,
  { depth, firstLine }: Place,
): KindOutcome | undefined {
  const { job: { text, path, model }, original, tokens } = task;
  const { kind, compressor } = compressorFor(parts, task.job, depth);
  if (compressor === undefined || !OUTLINED.has(kind)) return undefined;
  const outcome = compressor.compress(text, {
    query: "",
    mayElide: true,
    isOutline: true,
    path,
    firstLine,
    countTokens: (part) =>
      part === original ? tokens : parts.counter.count(part, model),
    ...depth < MAX_DEPTH && {
      compressPart: (part: string, inner?: PartHint) => {
        const job = { ...task.job, text: part };
        const place = {
          depth: depth + 1,
          // What is in a wrapper is the file from its first line on.
          firstLine: kind === "wrapped" ? 1 : inner?.firstLine ?? 1,
        };
        return outlineAt(parts, { ...task, job }, place)?.outcome ??
          NO_OUTLINE;
      },
    },
  });
  return outcome.type === "elided"
    ? { kind, id: `${compressor.id}:${OUTLINE}`, outcome }
    : undefined;
}

/** Ends the strategy of an outline: what the model asks back of it says nothing of other forms. */
const OUTLINE = "outline";
const NO_OUTLINE: CompressOutcome = {
  type: "unchanged",
  reason: "no_kind",
};

/** Where a text stands in the block. */
interface Place {
  readonly depth: number;
  readonly firstLine: number;
}

function compressAt(
  parts: KindParts,
  task: KindTask,
  { depth, firstLine }: Place,
): KindOutcome {
  const { job, tokens } = task;
  const { text, path } = job;
  const { kind, compressor } = compressorFor(parts, job, depth);
  if (compressor === undefined || (kind !== "json" && hasOddEnds(text))) {
    return unclaimed("no_kind");
  }
  const stays = reasonToLeave(parts, { job, kind }, depth);
  if (stays !== undefined) return { ...unclaimed(stays), kind };
  const isEdited = job.rule === "read" &&
    !(kind !== undefined && isData({ kind, path, text, tokens }));
  if (isEdited && !staysEditable(kind, text)) {
    return { ...unclaimed("file_read"), kind };
  }
  const mayElide = task.mayElide && job.rule !== "lossless" &&
    (!isEdited || isWhole(kind));
  const outcome = compressor.compress(text, {
    query: job.query,
    mayElide,
    countTokens: (part) =>
      part === task.original ? tokens : parts.counter.count(part, job.model),
    firstLine,
    ...path !== "" && { path },
    ...isEdited && { isEdited },
    ...depth < MAX_DEPTH && {
      compressPart: (part: string, hint?: PartHint) =>
        compressPart(parts, {
          task: { ...task, mayElide },
          depth: depth + 1,
          part,
          hint,
        }),
    },
  });
  return { kind, id: compressor.id, outcome: withInverse(compressor, outcome) };
}

/** Lines that end in anything but a line feed are one line to every kind: what is in them could not be weighed. */
function hasOddEnds(text: string): boolean {
  return !text.includes("\n") && /[\r\x85\u2028\u2029]/.test(text.trimEnd());
}

/** Why a text stays whatever could be made of it, as a slug; `undefined` where it need not. */
function reasonToLeave(
  { counter }: KindParts,
  { job, kind }: Pick<KindTask, "job"> & Pick<KindOutcome, "kind">,
  depth: number,
): string | undefined {
  if (kind === "source_code" && !job.options.codeAware) return "code_aware_off";
  if (job.rule !== "user" || depth === 0) return undefined;
  const { text, path, query, model } = job;
  const tokens = () => counter.count(text, model);
  return whyItStays({ kind, text, path, said: query, tokens });
}

/** Who compresses a text: a compressor of the caller's has no kind. */
function compressorFor(
  { detector, content, pasted, ownCompressor }: KindParts,
  { text, path, toolName, rule }: BlockJob,
  depth: number,
): Pick<KindOutcome, "kind"> & { readonly compressor: Compressor | undefined } {
  if (rule === "user" && depth === 0) {
    return { kind: "mixed", compressor: pasted };
  }
  const hint: ContentHint = {
    ...path !== "" && { path },
    ...toolName !== "" && { toolName },
  };
  const own = ownCompressor?.(text, hint);
  if (own !== undefined) return { kind: undefined, compressor: own };
  const kind = detector.detect(text, hint);
  return { kind, compressor: kind && content[kind].compressor };
}

/** A text inside another, and what is known of it. */
interface PartTask {
  readonly task: KindTask;
  readonly depth: number;
  readonly part: string;
  readonly hint: PartHint | undefined;
}

function compressPart(
  parts: KindParts,
  { task, depth, part, hint }: PartTask,
): CompressOutcome {
  const firstLine = hint?.firstLine ?? 1;
  const { job } = task;
  const path = hint?.path ?? (job.rule === "read" ? job.path : "");
  const query = [hint?.around, job.query].filter(Boolean).join("\n");
  const inner = { ...task, job: { ...job, text: part, path, query } };
  const { kind, outcome } = compressAt(parts, inner, { depth, firstLine });
  const checked = checkedPart(part, outcome, job.options.folds);
  const isAlone = checked.type === "unchanged";
  if (task.log.length < MAX_LOG) {
    task.log.push({
      kind,
      firstLine,
      length: part.length,
      shortened: isAlone ? part.length : checked.text.length,
      reason: isAlone ? checked.reason : "",
    });
  }
  return checked;
}

/** One part that cannot be turned back must not spoil the others. */
function checkedPart(
  part: string,
  outcome: CompressOutcome,
  mayFold: boolean,
): CompressOutcome {
  if (outcome.type !== "reformatted") return outcome;
  if (!mayFold) return { type: "unchanged", reason: "folds_off" };
  return outcome.restore?.(outcome.text) === part
    ? outcome
    : { type: "unchanged", reason: "not_reversible" };
}

function withInverse(
  compressor: Compressor,
  outcome: CompressOutcome,
): CompressOutcome {
  if (outcome.type !== "reformatted" || outcome.restore) return outcome;
  const restore = compressor.restore?.bind(compressor);
  return restore ? { ...outcome, restore } : outcome;
}

function unclaimed(reason: string): KindOutcome {
  return { kind: undefined, id: "", outcome: { type: "unchanged", reason } };
}
