/** Request fields by which clients name a conversation. @module */
import { ownHeaderNames } from "../upstream/header_policy.ts";

/** Session fields, the first that is present counts. */
const SESSION = [
  ...ownHeaderNames("session-id"),
  "x-claude-code-session-id",
  "session-id",
  "x-session-id",
];
/** Fields that name one of several agents in a session. */
const AGENT = ["x-claude-code-agent-id", "thread-id"];

/** Session and agent of a request; `undefined` where the client names none. */
export function conversationHeaders(
  headers: Headers,
): {
  readonly session: string | undefined;
  readonly agent: string | undefined;
} {
  const first = (names: readonly string[]) =>
    names.map((name) => headers.get(name)).find((value) => value !== null) ??
      undefined;
  return { session: first(SESSION), agent: first(AGENT) };
}
