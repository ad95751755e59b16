/** New results that repeat earlier text of their request: decided again, with references to it. @module */
import { type BlockJob, type Decision, DEDUPE } from "../core/decision.ts";
import type { CompressParts } from "./compress_parts.ts";
import { EarlierSearch } from "./earlier_search.ts";
import type { LiveBlock } from "./live_zone_pass.ts";
import type { Plan } from "./plan.ts";
import { fewerTokens, takesReferences } from "./reference_form.ts";
import { toolPolicy } from "./tool_policy.ts";
import { argumentsOf } from "./block_jobs.ts";

/** UTF-16 units of a text that is looked at: one step of the server thread. */
const MAX_LENGTH = 256 * 1024;

/** What each block was decided to be, and who decides more. */
export interface FirstDecisions {
  /** One per block that was asked about. */
  readonly decisions: readonly Decision[];
  /** Decides blocks; one answer per job. */
  readonly decide: (
    jobs: readonly BlockJob[],
  ) => Promise<readonly Decision[]>;
}

/**
 * Decides again about the blocks that repeat earlier text: with references to it, where that takes fewer tokens. It
 * depends on what is sent before a block, and on nothing else. Nothing is done where no new block has three lines.
 *
 * @returns One decision per block that was asked about. Linear in the body; a few milliseconds at a time.
 */
export async function referToEarlier(
  parts: CompressParts,
  plan: Plan,
  { decisions, decide }: FirstDecisions,
): Promise<readonly Decision[]> {
  const candidates = new Set(
    plan.asked.filter((one) => mayRefer(parts, plan, one)),
  );
  if (candidates.size === 0) return decisions;
  const search = new EarlierSearch(parts, plan, decisions);
  const found = await search.run(candidates);
  const made = found.length === 0
    ? []
    : await decide(found.map(({ asked, repeats }) => ({
      ...plan.asked[asked]!.job,
      repeats,
    })));
  const chosen = [...decisions];
  for (const [i, { asked }] of found.entries()) {
    const second = made[i]!;
    if (second.type === "failed") {
      parts.attempt.failed("refer_to_earlier", second.reason);
    }
    chosen[asked] = fewerTokens(decisions[asked]!, second);
  }
  search.keep(
    found.filter(({ asked }) => chosen[asked]!.type !== "form")
      .map(({ asked }) => plan.asked[asked]!),
  );
  return chosen;
}

/** Whether lines of a block may be left out that are in an earlier text. */
function mayRefer(
  { options }: CompressParts,
  plan: Plan,
  { mayRefer, block, job, text }: LiveBlock,
): boolean {
  // A call of the library protects its source code.
  const isProtected = options.codeAware && !job.options.codeAware;
  return mayRefer && !isProtected && text.length <= MAX_LENGTH &&
    hasThreeLines(text) && !job.notElided.includes(DEDUPE) &&
    takesReferences(text) && !isReadAgain(plan, block.span.start, job);
}

function hasThreeLines(text: string): boolean {
  const second = text.indexOf("\n") + 1;
  const third = second === 0 ? 0 : text.indexOf("\n", second) + 1;
  return third > 0 && third < text.length;
}

/** Results before a block that are looked at. */
const MAX_BEFORE = 50;

/**
 * Whether the last result of the same file has references in it and nothing can have changed the file since: then the
 * model reads it, or a part of it, for what they stand for.
 */
function isReadAgain(
  { input: { body }, scan: { blocks }, known }: Plan,
  start: number,
  { rule, path }: BlockJob,
): boolean {
  if (rule !== "read" || path === "") return false;
  const forms = new Map(
    known.flatMap(({ block, form }) =>
      form.strategy === DEDUPE ? [[block, form]] : []
    ),
  );
  if (forms.size === 0) return false;
  const before = blocks.filter(({ span }) => span.start < start)
    .slice(-MAX_BEFORE).toReversed();
  for (const block of before) {
    const policy = toolPolicy(block.toolName, argumentsOf(body, block));
    if (policy.rule !== "read") return false;
    if (policy.path === path) return forms.has(block);
  }
  return false;
}
