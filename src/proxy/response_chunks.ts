/** Reading the bodies of replies whole. @module */
import { decodedReply } from "./content_encoding.ts";
import { CANNOT_CONTINUE } from "../core/retrieval.ts";
import { ServiceError } from "../core/errors.ts";
import { isJsonObject, objectOr, parseJson } from "../bytes/json_parts.ts";
import { concat } from "../bytes/concat.ts";
import type { ChunkReader, Reply } from "../core/upstream.ts";

/** What {@linkcode readWhole} read. */
export interface WholeBody {
  /** The body; its beginning if it is longer than the limit. */
  readonly bytes: Uint8Array;
  /** The body from its first byte, when it is longer than the limit. Whoever cancels it cancels the body. */
  readonly rest?: ChunkReader;
}

/** Reads a body of at most `limit` bytes into memory. Rejects with the signal's reason, or with what broke the body. */
export async function readWhole(
  body: NonNullable<Reply["body"]>,
  limit: number,
  signal: AbortSignal,
): Promise<WholeBody> {
  if (body instanceof Uint8Array) return { bytes: body };
  const cancel = () => void body.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel);
  try {
    signal.throwIfAborted();
    const parts: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      const part = await body.read();
      signal.throwIfAborted();
      if (part === undefined) return { bytes: concat(parts) };
      parts.push(part);
      length += part.length;
      if (length <= limit) continue;
      const rest: ChunkReader = {
        read: () => {
          const read = parts.shift();
          return read ? Promise.resolve(read) : body.read();
        },
        cancel: (reason) => body.cancel(reason),
      };
      return { bytes: parts[0]!, rest };
    }
  } catch (error) {
    cancel();
    // A decoder breaks by the cancel, and says so instead.
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Longest error that is read, in bytes. */
const ERROR_BYTES = 64 * 1024;

/** Ends the response of which the round was to be a part. */
export class RefusedRound extends ServiceError {
  /** What the provider answered; its body is not read. */
  readonly reply: Reply;

  /** Takes a reply with an error status. */
  constructor(reply: Reply) {
    super(
      "provider_error",
      `${CANNOT_CONTINUE}: the provider answered with status ${reply.status}`,
    );
    this.name = "RefusedRound";
    this.reply = reply;
  }

  /**
   * Reads the body.
   *
   * @returns The object `error` in it, if that has a message.
   * @throws What breaks the body, or the reason of `signal`.
   */
  async said(
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { body } = decodedReply(this.reply);
    if (body === null) return undefined;
    const { bytes, rest } = await readWhole(body, ERROR_BYTES, signal);
    if (rest !== undefined) {
      await rest.cancel(undefined);
      return undefined;
    }
    const { error } = objectOr(parseJson(new TextDecoder().decode(bytes)));
    return isJsonObject(error) && typeof error.message === "string"
      ? error
      : undefined;
  }
}
