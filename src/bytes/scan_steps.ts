/** Scans of large bodies in steps, between which other work gets its turn. @module */
import type { ScanMemory } from "../core/block.ts";
import { ScanStep } from "./body_scan.ts";

/** Bytes and elements of a step: a few milliseconds. */
const STEP_BYTES = 512 * 1024;
const STEP_ELEMENTS = 500;
/** Steps are halved so often at first, and once less with each: code that has not run yet takes ten times as long. */
const HALVINGS = 4;

/**
 * Scans a body in steps.
 *
 * @param scan One scan, with the memory that it is given.
 * @param memory Of bodies that begin like this one.
 * @param pause Lets other work have its turn.
 * @throws {SyntaxError} What `scan` throws.
 */
export async function scanInSteps<T>(
  scan: (memory: ScanMemory) => T,
  memory: ScanMemory,
  pause: () => Promise<void>,
): Promise<T> {
  let before: ScanStep | undefined;
  for (let share = 2 ** -HALVINGS;; share = Math.min(1, share * 2)) {
    try {
      return scan(stepOf(memory, before, share));
    } catch (thrown) {
      if (!(thrown instanceof ScanStep)) throw thrown;
      before = thrown;
    }
    await pause();
  }
}

function stepOf(
  memory: ScanMemory,
  before: ScanStep | undefined,
  share: number,
): ScanMemory {
  let from: number | undefined;
  let count = 0;
  return {
    equal: memory.equal,
    elements: memory.elements,
    note: (elements) => memory.note(elements),
    before,
    endsStep(offset, start) {
      from ??= offset;
      count++;
      // What stands in front of the conversation is read in each step: a step is no shorter, so that all work is linear.
      return offset - from >= start &&
        (offset - from >= STEP_BYTES * share ||
          count >= STEP_ELEMENTS * share);
    },
  };
}
