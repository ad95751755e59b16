/** A proxy that a test writes: what the client sent, and answers in turn. */
import type { ClientFetch } from "../../../src/sdk/client/options.ts";

/** One request of the client. */
export interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  /** The body, parsed; `undefined` where there was none. */
  readonly body: unknown;
  readonly init: RequestInit;
}

/** What answers a request. */
export type FakeAnswer =
  | Response
  | Error
  | ((sent: Sent) => Response | Promise<Response>);

/** Answers in turn; the last answer serves all further requests. */
export function fakeProxy(
  ...answers: readonly FakeAnswer[]
): { readonly fetch: ClientFetch; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  return {
    sent,
    // deno-lint-ignore require-await
    fetch: async (url, init) => {
      const one = {
        url,
        method: init.method ?? "GET",
        headers: new Headers(init.headers),
        body: typeof init.body === "string" ? JSON.parse(init.body) : undefined,
        init,
      };
      sent.push(one);
      const answer = answers[Math.min(sent.length, answers.length) - 1]!;
      if (answer instanceof Error) throw answer;
      return answer instanceof Response ? answer.clone() : answer(one);
    },
  };
}

/** An answer of `/v1/compress`: every text `long` has become `short`. */
export function compressed(sent: Sent): Response {
  const { messages } = Object(sent.body);
  const text = JSON.stringify(messages).replaceAll('"long"', '"short"');
  return Response.json({
    messages: JSON.parse(text),
    tokens_before: 10,
    tokens_after: 4,
    tokens_saved: 6,
    compression_ratio: 0.4,
    transforms_applied: ["router:log"],
    transforms_summary: { "router:log": 1 },
    ccr_hashes: ["k1"],
  });
}

/** An error as svc tells it. */
export function refusal(status: number, type: string): Response {
  const error = { type, message: `${type} happened`, code: status };
  return Response.json({ type: "error", error }, { status });
}
