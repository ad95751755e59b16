/** Messages of which nothing is known → JSON. @module */

/** Stands for a message that cannot be written: one that says nothing. */
const UNWRITABLE = '{"type":"message","role":"user","content":""}';

/**
 * Writes messages as a JSON array. What JSON leaves out or changes does not matter: the text is only looked at.
 *
 * @param messages Any values.
 * @returns One element per message, also for one that JSON cannot hold.
 */
export function messageJson(messages: readonly unknown[]): string {
  try {
    return JSON.stringify(messages);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return `[${messages.map(oneMessage).join(",")}]`;
  }
}

function oneMessage(message: unknown): string {
  try {
    const json = JSON.stringify(
      message,
      (_, value) => typeof value === "bigint" ? `${value}` : value,
    );
    return json ?? "null";
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return UNWRITABLE;
  }
}

/** A circle, a number without an end, too deep a nesting. */
function isUnwritable(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}
