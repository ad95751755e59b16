/** The word that an upstream has for its error, without the text, which may quote the prompt. @module */
import type { Reply } from "../core/upstream.ts";

/** Looks at the body of an error as it goes by. */
export interface ErrorTypeTap {
  /** Takes the next chunk, split at any byte. */
  push(chunk: Uint8Array): void;
  /** E.g. `invalid_request_error`; empty when the body names none. */
  type(): string;
}

/** Bytes of an error that are looked at. */
const MAX_BYTES = 16 * 1024;
/** What is no word may be a text. */
const WORD = /^[\w.-]{1,80}$/;

/** A tap for a response with an error status; `undefined` for one that succeeded. */
export function errorTypeTap(
  { status }: Pick<Reply, "status">,
): ErrorTypeTap | undefined {
  if (status < 400) return undefined;
  const decoder = new TextDecoder();
  let text = "";
  let left = MAX_BYTES;
  return {
    push(chunk) {
      const part = chunk.subarray(0, left);
      left -= part.length;
      if (part.length > 0) text += decoder.decode(part, { stream: true });
    },
    type: () => errorTypeIn(text),
  };
}

/**
 * The most exact word in the body of an error.
 *
 * @param text JSON with an object `error` that has `code`, `status` or `type`; anything else has no word.
 */
export function errorTypeIn(text: string): string {
  const error = member(parsed(text), "error");
  const words = ["code", "status", "type"].map((name) => member(error, name));
  const word = words.find((value) =>
    typeof value === "string" && WORD.test(value)
  );
  return typeof word === "string" ? word : "";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null &&
      Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
