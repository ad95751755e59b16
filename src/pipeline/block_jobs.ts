/** What the router is asked about a block. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import { type BlockRef, sourceOf } from "../core/block.ts";
import type { BlockJob, FormOptions, NamedToolRule } from "../core/decision.ts";
import type { BodyScan } from "../core/format.ts";
import type { AskedShape, BlockKey, CcrKey } from "../core/store.ts";
import { readsWholeFile, toolPolicy } from "./tool_policy.ts";

/** What there is to decide about a block. */
export interface BlockTask {
  /** What the router is asked. */
  readonly job: BlockJob;
  /** Whether lines of it may be left out that are in an earlier text. */
  readonly mayRefer: boolean;
}

/** A block without a form. */
export interface JobQuestion {
  /** Its identity. */
  readonly key: BlockKey;
  /** Its original. */
  readonly text: string;
  /** Whether it stands in an older turn. */
  readonly isOlder: boolean;
  /** Why what was read no longer holds; `undefined` where it does. */
  readonly stale: string | undefined;
}

/** What the jobs of a body depend on. */
export interface JobFacts {
  /** The body. */
  readonly body: Uint8Array;
  /** Its scan. */
  readonly scan: BodyScan;
  /** Originals that stand elided in the body under other calls: the model asked for them again. */
  readonly elided: ReadonlySet<CcrKey>;
  /** Whether a marker may leave in this request. */
  readonly mayElide: boolean;
  /** What the conversation's model has asked for. */
  readonly asked: readonly AskedShape[];
  /** Key of an original. */
  readonly keyOf: (original: string) => CcrKey;
  /** Rules of the user for tools. */
  readonly toolRules: readonly NamedToolRule[];
  /** UTF-16 units from which on a whole file of source code becomes an outline; absent for never. */
  readonly outlineFrom?: number | undefined;
  /** What the configuration allows. */
  readonly options: FormOptions;
}

/** Makes the jobs of a body, in its order; a slug where the policy for a tool is to leave its results. */
export function jobsOf(
  input: JobFacts,
): (block: BlockRef, question: JobQuestion) => BlockTask | string {
  const seen = new Set(input.elided);
  const texts = new Map<BlockKey, BlockTask>();
  return (block, { key, text, stale, isOlder }) => {
    const same = block.isUserText && texts.get(key);
    if (same) return same;
    const { body } = input;
    const args = argumentsOf(body, block);
    const policy = policyOf(input, block, args);
    if (policy === undefined) return "never_compressed_tool";
    const { rule, path } = policy;
    const mayElide = input.mayElide && !policy.isLossless;
    const original = input.keyOf(text);
    const askedAgain = seen.has(original);
    seen.add(original);
    const asked = block.asked && decodeLiteral(body, block.asked);
    const toolName = sourceOf(block);
    // What the model has read already, and what it asked for again, it may be working with.
    const mayOutline = !isOlder && rule === "read" &&
      isLongFile(input, block, { text, args });
    const job: BlockJob = {
      ...{ text, original, toolName, rule, path },
      query: queryOf(asked, args),
      mayElide: mayElide && !askedAgain,
      ...stale !== undefined && { stale },
      ...mayOutline && { mayOutline },
      notElided: notElided(input.asked, toolName),
      model: input.scan.model,
      options: input.options,
    };
    const mayRefer = mayElide && REFERRING.has(rule) && stale === undefined &&
      !input.elided.has(original);
    const task = { job, mayRefer };
    if (block.isUserText) texts.set(key, task);
    return task;
  };
}

/** How far a block may be compressed. */
interface JobPolicy extends Pick<BlockJob, "rule" | "path"> {
  /** Whether nothing may be left out, whatever the rule. */
  readonly isLossless: boolean;
}

/** Rules of texts in which lines of earlier ones may be left out. */
const REFERRING: ReadonlySet<BlockJob["rule"]> = new Set(["normal", "read"]);

/** The policy for a block; `undefined` where it stays as it is. */
function policyOf(
  { toolRules }: JobFacts,
  { isUserText, toolName }: BlockRef,
  args: string | undefined,
): JobPolicy | undefined {
  if (isUserText) return { rule: "user", path: "", isLossless: false };
  const policy = toolPolicy(toolName, args, toolRules);
  if (policy.rule === "never") return undefined;
  return {
    rule: policy.rule,
    path: "path" in policy ? policy.path ?? "" : "",
    isLossless: "lossless" in policy && policy.lossless === true,
  };
}

/** Whether a result is a whole file of so many units that it may become an outline. */
function isLongFile(
  { outlineFrom = Infinity }: JobFacts,
  { toolName }: BlockRef,
  { text, args }: { readonly text: string; readonly args: string | undefined },
): boolean {
  return text.length >= outlineFrom && readsWholeFile(toolName, args);
}

/** Times that the model asks for what was left out of a shape before it is no longer left out. */
const MAX_ASKED = 2;

/** Compressors of which the model has asked for what they left out of results of `tool`. */
export function notElided(
  asked: readonly AskedShape[],
  tool: string,
): readonly string[] {
  return asked.filter(({ toolName, count }) =>
    toolName === tool && count >= MAX_ASKED
  ).map(({ strategy }) => strategy).sort();
}

/** Arguments as JSON text, whether the format holds an object or a string. */
export function argumentsOf(
  body: Uint8Array,
  { call }: Pick<BlockRef, "call">,
): string | undefined {
  if (call === undefined) return undefined;
  return body[call.start] === QUOTE
    ? decodeLiteral(body, call)
    : decoder.decode(body.subarray(call.start, call.end));
}
const QUOTE = 0x22;
const decoder = new TextDecoder();

/** A question can be a whole pasted file: what it asks stands at its ends. */
const MAX_QUERY_CHARS = 4000;

/** What is looked for in a block: the user's words, and others such as the arguments of its call; long ones are cut. */
export function queryOf(
  asked: string | undefined,
  others: string | undefined,
): string {
  const parts = [asked, others].flatMap((part) => part || []);
  return parts.map((part) =>
    part.length <= MAX_QUERY_CHARS
      ? part
      : `${part.slice(0, MAX_QUERY_CHARS / 2)}\n${
        part.slice(-MAX_QUERY_CHARS / 2)
      }`
  ).join("\n");
}
