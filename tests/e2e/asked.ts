/** Requests of the Anthropic SDK in conversations without tool results, and what the provider got for them. */
import type { Rig } from "./proxy.ts";
import type { Reply } from "./scripted_wires.ts";
import type { Script } from "./scripted_provider.ts";
import { messagesSdk, type Seen } from "./sdk_clients.ts";
import type { Received } from "./upstream.ts";

/** One request. */
export interface Asked {
  /** The first words of the user, by which a conversation is known. */
  readonly question: string;
  /** Turns before it. */
  readonly turns?: number;
  /** The user's last words; something else in each turn unless given. */
  readonly last?: string;
  /** Elements behind the question; those of the turns unless given. */
  readonly said?: readonly unknown[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly members?: Readonly<Record<string, unknown>>;
  /** In front of the path. */
  readonly prefix?: string;
  readonly streaming?: boolean;
}

/** What became of it. */
export interface Sent {
  readonly seen: Seen;
  /** What the provider got, the last one first. */
  readonly sent: readonly Received[];
  readonly last: Received;
}

/** Sends a request; rejects as the SDK does. */
export async function send(
  { url, provider }: Pick<Rig, "url" | "provider">,
  { question, turns = 0, headers = {}, members = {}, ...asked }: Asked,
): Promise<Sent> {
  const from = provider.received.length;
  const said = Array.from({ length: turns }, (_, i) => [
    { role: "assistant", content: `So ${i}.` },
    messagesSdk.user(i + 1 === turns && asked.last || `And ${i}?`),
  ]);
  const seen = await messagesSdk.send({
    url: url + (asked.prefix ?? ""),
    streaming: asked.streaming ?? false,
    elements: [messagesSdk.user(question), ...asked.said ?? said.flat()],
    headers,
    members,
  });
  const sent = provider.received.slice(from);
  return { seen, sent, last: sent.at(-1)! };
}

/** A tool as it was sent. */
export interface SentTool {
  readonly name: string;
  readonly defer_loading?: boolean;
}

/** The tools of a request. */
export function toolsIn({ json }: Received): readonly SentTool[] {
  return (json!["tools"] ?? []) as readonly SentTool[];
}

/** Names of the tools that it defers. */
export function deferredIn(request: Received): readonly string[] {
  return toolsIn(request).flatMap(({ name, defer_loading }) =>
    defer_loading ? name : []
  );
}

/** A tool of the client. */
export function tool(name: string) {
  return { name, input_schema: { type: "object" } };
}

/** A model that has little to say. */
export const fine: Script = () => ({ text: "fine" });

/** How a provider refuses a request. */
export function refusal(
  status: number,
  message: string,
  type = "invalid_request_error",
): Reply {
  const error = { type, message };
  return { error: { status, body: JSON.stringify({ type: "error", error }) } };
}

/** Prefixes that svc broke, as the proxy counts them. */
export async function brokenBySvc(url: string): Promise<number> {
  const { prefix_stability } = await (await fetch(`${url}/stats`)).json();
  return prefix_stability.ours;
}
