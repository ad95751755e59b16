/** A further round that the provider did not take. @module */
import { isJsonObject, objectOr, parseJson } from "../bytes/json_parts.ts";
import { ServiceError } from "../core/errors.ts";
import { CANNOT_CONTINUE } from "../core/retrieval.ts";
import type { Reply } from "../core/upstream.ts";
import { decodedReply } from "./content_encoding.ts";
import { readWhole } from "./response_chunks.ts";

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
