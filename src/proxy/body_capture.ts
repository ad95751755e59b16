/** Copies of what passes, for those whom the user has asked to keep it. @module */
import { concat } from "../bytes/concat.ts";
import type { RefusedCall } from "../core/refused_call.ts";
import type { CompressedBody } from "../pipeline/compressed_body.ts";

/** Takes what is kept. Nothing here throws. */
export interface BodyCapture {
  /** Takes bodies by the id of their request; absent unless messages are logged. */
  readonly messages?: {
    /** Takes what came, and what was sent for it. */
    note(
      id: string,
      bodies: { readonly received: Uint8Array; readonly sent: Uint8Array },
    ): void;
    /** Takes the response, as far as it is kept. */
    noteResponse(id: string, response: Uint8Array): void;
  };
  /** Takes a request that was answered with 400; absent unless such requests are dumped. */
  readonly refused?: (call: RefusedCall) => void;
}

/** One call whose response is about to pass. */
export interface KeptCall {
  /** Of the request, in its record. */
  readonly id: string;
  /** The client's request. */
  readonly request: Request;
  /** Host of the upstream. */
  readonly host: string;
  /** What was sent. */
  readonly call: CompressedBody;
  /** Status of the response. */
  readonly status: number;
}

/** Sees the chunks of one response. */
export interface KeeperTap {
  /** Takes the next chunk. */
  push(chunk: Uint8Array): void;
  /** To be called after the last one, before the request is recorded. */
  end(): void;
}

/** Bytes of a response that are kept. */
const MAX_RESPONSE = 1024 * 1024;

/** The tap for those who keep something of this call; `undefined` when nobody does. */
export function keeperTap(
  { messages, refused }: BodyCapture,
  { id, request, host, call, status }: KeptCall,
): KeeperTap | undefined {
  const dumps = status === 400 ? refused : undefined;
  if (messages === undefined && dumps === undefined) return undefined;
  messages?.note(id, { received: call.body, sent: call.bytes });
  const { method, url, headers } = request;
  const dump = dumps && ((error: Uint8Array) =>
    dumps({
      ...{ id, method, path: url, status, host, headers },
      body: call.bytes,
      error,
    }));
  const chunks: Uint8Array[] = [];
  let length = 0;
  return {
    push(chunk) {
      if (length >= MAX_RESPONSE) return;
      const part = chunk.slice(0, MAX_RESPONSE - length);
      length += part.length;
      chunks.push(part);
    },
    end() {
      const response = concat(chunks);
      messages?.noteResponse(id, response);
      dump?.(response);
    },
  };
}
