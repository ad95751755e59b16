/** How providers say that a prompt is longer than a model takes. @module */

/** Slugs and sentences of providers and of compatible servers. */
const SIGNS =
  /context_length_exceeded|prompt is too long|maximum context length|context window|exceeds? the (?:model'?s )?(?:maximum )?context|too many (?:input )?tokens|input (?:is|length is) too long|request_too_large/i;

/** Whether `text`, the body of a response with `status`, says so. */
export function saysTooLong(status: number, text: string): boolean {
  return status === 413 || (status === 400 && SIGNS.test(text));
}
