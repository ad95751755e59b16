/** Reads of files that no longer hold: the file was edited or read again later in the conversation. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import type { BlockRef } from "../core/block.ts";
import type { NamedToolRule } from "../core/decision.ts";
import { argumentsOf } from "./block_jobs.ts";
import { editedPaths, readsWholeFile, toolPolicy } from "./tool_policy.ts";

/** What is looked at. */
export interface StaleInput {
  /** The body. */
  readonly body: Uint8Array;
  /** Its results, oldest first. */
  readonly blocks: readonly BlockRef[];
  /** Rules of the user for tools. */
  readonly toolRules: readonly NamedToolRule[];
}

/** What a later call did with a file. */
interface Later {
  isEdited: boolean;
  isReadWhole: boolean;
  /** Arguments of its later reads, with the tool's name. */
  readonly reads: Set<string>;
}

/** Lines that tools read at most when they are not told how many. */
const DEFAULT_LINES = 2000;
/** Characters of an answer to an edit in which it says that nothing was edited. */
const ANSWER_CHARS = 300;
const FAILED =
  /error|fail|not found|no match|invalid|denied|refused|rejected|cannot|could not|unable|did not|must be read|has not been read/i;

/**
 * Finds them. A read of a part is outdated by the same call again, or by a read of the whole file; an edit that says that
 * it failed outdates nothing.
 *
 * @returns By index of the block: what happened later. O(body).
 */
export function staleReads(
  { body, blocks, toolRules }: StaleInput,
): ReadonlyMap<number, string> {
  const stale = new Map<number, string>();
  const files = new Map<string, Later>();
  const later = (path: string): Later => {
    const name = path.replace(/^\.\//, "");
    const known = files.get(name) ??
      { isEdited: false, isReadWhole: false, reads: new Set() };
    files.set(name, known);
    return known;
  };
  for (const [i, block] of [...blocks.entries()].toReversed()) {
    const args = argumentsOf(body, block);
    if (args === undefined || block.toolName === undefined) continue;
    const edited = editedPaths(block.toolName, args);
    if (edited.length > 0) {
      if (hasFailed(body, block)) continue;
      for (const path of edited) later(path).isEdited = true;
      continue;
    }
    const policy = toolPolicy(block.toolName, args, toolRules);
    if (policy.rule !== "read" || policy.path === undefined) continue;
    const file = later(policy.path);
    const call = `${block.toolName} ${args}`;
    if (file.isEdited) stale.set(i, "the file was edited later");
    else if (file.isReadWhole || file.reads.has(call)) {
      stale.set(i, "the file was read again later");
    }
    file.reads.add(call);
    file.isReadWhole ||= readsWholeFile(block.toolName, args) &&
      isWhole(body, block);
  }
  return stale;
}

function hasFailed(body: Uint8Array, { span }: BlockRef): boolean {
  const answer = decodeLiteral(body, span) ?? "";
  return FAILED.test(answer.slice(0, ANSWER_CHARS));
}

/** Whether a read without a range got the file to its end. */
function isWhole(body: Uint8Array, { span }: BlockRef): boolean {
  const text = decodeLiteral(body, span) ?? "";
  if (FAILED.test(text.slice(0, ANSWER_CHARS)) && text.length < ANSWER_CHARS) {
    return false;
  }
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    if (++lines >= DEFAULT_LINES) return false;
  }
  return true;
}
