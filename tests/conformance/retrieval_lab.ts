/** One conversation between a scripted provider, the proxy's retrieval half and a client that replays what it saw. */
import assert from "node:assert/strict";
import { splice } from "../../src/bytes/splice.ts";
import {
  type AnsweredRetrieval,
  RETRIEVAL_TOOL,
} from "../../src/core/retrieval.ts";
import { answerRetrievals } from "../../src/proxy/answer_retrievals.ts";
import type { RetrievalSession } from "../../src/proxy/retrieval_rounds.ts";
import { replyOf, responseOf } from "../upstream/replies.ts";
import type { Dialect, Part, Turn } from "./retrieval_dialects.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** A retrieval. */
export function ask(id: string, hash = `hash of ${id}`): Part {
  return { tool: RETRIEVAL_TOOL, id, args: JSON.stringify({ hash }) };
}

/** A call of the client's own tool. */
export function call(id: string): Part {
  return { tool: "Bash", id, args: `{"command":"é ls ${id}"}` };
}

/** Whether a part is ours. */
export function isOurs(part: Part): boolean {
  return "tool" in part && part.tool === RETRIEVAL_TOOL;
}

/** Turns of one response: round k costs 100 + k input tokens and 10 + k output tokens. */
export function turns(
  name: string,
  ...rounds: readonly (readonly Part[] | { readonly cut: readonly Part[] })[]
): readonly Turn[] {
  return rounds.map((round, k): Turn => {
    const parts = "cut" in round ? round.cut : round;
    const calls = parts.some((part) => "tool" in part);
    const stop = "cut" in round ? "cut" : calls ? "calls" : "end";
    return {
      id: `${name}_${k}`,
      parts,
      stop,
      input: 100 + k,
      output: 10 + k,
    };
  });
}

/** How the provider's answers arrive. */
export interface Delivery {
  readonly streaming: boolean;
  /** Bytes per chunk; the whole body unless given. */
  readonly chunkSize?: number;
}

/** What came of one request. */
export interface Exchanged {
  readonly response: Response;
  readonly text: string;
  /** Bodies sent upstream, in order. */
  readonly sent: readonly Uint8Array[];
  readonly forbidden: readonly boolean[];
  readonly ids: readonly (readonly [seen: string, last: string])[];
}

/** One conversation of one client. */
export class Lab {
  readonly dialect: Dialect;
  readonly delivery: Delivery;
  /** What the client would send. */
  readonly elements: unknown[] = [];
  /** What the proxy remembers. */
  readonly records: AnsweredRetrieval[] = [];

  constructor(dialect: Dialect, delivery: Delivery) {
    this.dialect = dialect;
    this.delivery = delivery;
    this.elements.push(dialect.user("why?"));
  }

  /** The client's next body. */
  body(): Uint8Array {
    const members = { model: "m", [this.dialect.array]: this.elements };
    return utf8.encode(JSON.stringify(members));
  }

  /** The next body as the proxy sends it. */
  spliced(body = this.body()): Uint8Array {
    const { format } = this.dialect;
    const scan = format.scan(body);
    const edits = format.retrieval.spliceBack(body, scan, this.records);
    const out = splice(body, edits);
    JSON.parse(decoder.decode(out));
    return out;
  }

  /** What the conversation array of a body holds, as bytes. */
  inside(body: Uint8Array): string {
    const { conversation } = this.dialect.format.scan(body);
    const span = body.subarray(conversation.start + 1, conversation.end - 1);
    return decoder.decode(span);
  }

  /** The provider's answer. */
  answer(turn: Turn): Response {
    const { streaming, chunkSize } = this.delivery;
    const text = streaming
      ? this.dialect.stream(turn)
      : this.dialect.document(turn);
    return bodyOf(text, streaming, chunkSize);
  }

  /** Sends the next request and reads what comes back. `script`: answers, or whole responses, one for each time that something is sent. */
  async exchange(
    script: readonly (Turn | (() => Response))[],
    overrides: Partial<RetrievalSession> = {},
  ): Promise<Exchanged> {
    const { format } = this.dialect;
    const sent = [this.spliced()];
    const forbidden: boolean[] = [];
    const ids: [string, string][] = [];
    const steps = script.values();
    const scan = format.scan(this.body());
    const next = () => {
      const step = steps.next().value;
      assert.ok(step, `the script ends before request ${sent.length}`);
      return typeof step === "function" ? step() : this.answer(step);
    };
    const reply = await answerRetrievals(replyOf(next()), {
      exchange: (streaming) =>
        format.retrieval.exchange({
          streaming,
          includeUsage: true,
          conversationLength: scan.messages.length,
          context: format.retrieval.turnContext(this.body(), scan),
        }),
      streaming: this.delivery.streaming,
      toolChoiceAuto: true,
      lookup: (wanted) => {
        const hash = "hash" in wanted ? wanted.hash : "";
        return Promise.resolve({ content: JSON.stringify({ hash, é: "\n" }) });
      },
      // deno-lint-ignore require-await
      continueWith: async (elements, { forbidTools }) => {
        const body = sent.at(-1)!;
        const edits = format.append(body, format.scan(body), elements);
        sent.push(splice(body, edits));
        forbidden.push(forbidTools);
        return replyOf(next());
      },
      remember: (records) => {
        this.records.push(...records);
        return Promise.resolve();
      },
      onResponseId: (seen, last) => void ids.push([seen, last]),
      signal: new AbortController().signal,
      everyTenSeconds: () => () => {},
      ...overrides,
    });
    const response = responseOf(reply);
    const text = await response.text();
    return { response, text, sent, forbidden, ids };
  }

  /** Reads a response as a strict client. */
  read(text: string): Turn {
    return this.delivery.streaming
      ? this.dialect.readStream(text)
      : this.dialect.readDocument(text);
  }

  /** The client takes what it saw into its conversation, runs its tools, or asks on. */
  take(seen: Turn): void {
    this.elements.push(...this.dialect.echo(seen));
    const calls = seen.parts.flatMap((part) => "tool" in part ? part.id : []);
    const { results, user } = this.dialect;
    this.elements.push(
      ...calls.length > 0 ? results(calls) : [user("and then?")],
    );
  }
}

/** A 200 with this body. */
export function bodyOf(
  text: string,
  streaming: boolean,
  chunkSize = Infinity,
): Response {
  const bytes = utf8.encode(text);
  const size = Math.min(chunkSize, bytes.length);
  const chunks = Array.from(
    { length: Math.ceil(bytes.length / size) },
    (_, i) => bytes.slice(i * size, (i + 1) * size),
  );
  const type = streaming
    ? "text/event-stream; charset=utf-8"
    : "application/json";
  const headers = { "content-type": type, "x-request-id": "r1" };
  return new Response(ReadableStream.from(chunks), { headers });
}
