/** Beta tokens that a session once sent are sent with all its later requests. @module */
import { hash } from "node:crypto";
import { Lru } from "../bytes/lru.ts";
import { ServiceError } from "../core/errors.ts";
import { scanContent, scanText } from "../bytes/content_parts.ts";
import { JsonCursor } from "../bytes/json_scan.ts";
import { decodeLiteral } from "../bytes/json_string.ts";
import type { ByteSpan } from "../core/block.ts";
import type { ConversationKey } from "../core/store.ts";
import { conversationHeaders } from "./request_headers.ts";

/** One request. */
export interface BetaCall extends BetaSessionFacts {
  /** The family's beta field, in lower case. */
  readonly header: string;
}

/** What becomes of one request's beta field. */
export interface StickyBetas {
  /** What to send instead of the client's value; `undefined` when that says it all, or there is nothing to say. */
  readonly value: string | undefined;
  /**
   * Forgets what was added to this request, or what it taught where nothing was. To be called when the upstream did
   * not take the request like that: a token that it refuses must not come back with every later one.
   */
  readonly forget: () => void;
}

/** How betas are kept. */
export interface BetaTrackerOptions {
  /** `disabled`: nothing is learnt or added; `invalid`: every request fails. */
  readonly sticky: "enabled" | "disabled" | "invalid";
  /** Sessions remembered, at least 1; the least recently used one is forgotten. */
  readonly maxSessions: number;
}

/** Tokens remembered per session; what comes after them is sent with its own request only. */
const MAX_TOKENS = 64;
/** UTF-16 units of a token that is remembered. */
const MAX_TOKEN_CHARS = 128;

/** Nothing to send, nothing to forget. */
const NOTHING: StickyBetas = { value: undefined, forget() {} };

/** Knows the beta tokens of sessions. They live in this process and end with it. */
export class BetaTracker {
  readonly #sticky: BetaTrackerOptions["sticky"];
  readonly #sessions: Lru<string, readonly string[]>;

  /** Knows no session yet. */
  constructor({ sticky, maxSessions }: BetaTrackerOptions) {
    this.#sticky = sticky;
    this.#sessions = new Lru(maxSessions);
  }

  /**
   * Learns the tokens of one request and gives those of its session.
   *
   * Not to be asked for requests that are passed through.
   *
   * @throws {ServiceError} A `configuration_error` when the setting holds a word that it does not know.
   */
  betasFor(call: BetaCall): StickyBetas {
    if (this.#sticky === "invalid") {
      throw new ServiceError(
        "configuration_error",
        "Cannot forward with an unknown word in SVC_BETA_HEADER_STICKY: set it to enabled or disabled and start " +
          "the proxy again",
      );
    }
    const sessions = this.#sessions;
    const own = betaTokens(call.headers.get(call.header));
    const isIdle = own.length === 0 && sessions.size === 0;
    if (this.#sticky === "disabled" || isIdle) return NOTHING;
    return stickyBetas(sessions, `${call.header} ${betaSessionOf(call)}`, own);
  }
}

function stickyBetas(
  sessions: Lru<string, readonly string[]>,
  key: string,
  own: readonly string[],
): StickyBetas {
  const known = sessions.get(key) ?? [];
  const all = unionOfBetas(known, own);
  const taught = all.slice(known.length);
  if (taught.length > 0) sessions.set(key, remembered(all));
  const changed = all.length !== own.length ||
    all.some((token, i) => token !== own[i]);
  return {
    value: changed ? all.join(",") : undefined,
    forget() {
      const isOwn = namesOf(own);
      const added = known.filter((token) => !isOwn.has(token.toLowerCase()));
      const gone = namesOf(added.length > 0 ? added : taught);
      const kept = (sessions.get(key) ?? [])
        .filter((token) => !gone.has(token.toLowerCase()));
      if (kept.length > 0) sessions.set(key, kept);
      else sessions.delete(key);
    },
  };
}

/** A client may not fill the memory, or make a field that no provider takes. */
function remembered(tokens: readonly string[]): readonly string[] {
  return tokens.filter((token) => token.length <= MAX_TOKEN_CHARS)
    .slice(0, MAX_TOKENS);
}

/** Tokens of a field's value, in order, as they are written; none for `null`. */
function betaTokens(value: string | null): readonly string[] {
  return (value ?? "").split(",").map((token) => token.trim())
    .filter((token) => token !== "");
}

/** The known tokens, then those of `own` that are new, each once whatever its case, as it was first written. */
function unionOfBetas(
  known: readonly string[],
  own: readonly string[],
): readonly string[] {
  const byName = new Map<string, string>();
  for (const token of [...known, ...own]) {
    const name = token.toLowerCase();
    if (!byName.has(name)) byName.set(name, token);
  }
  return [...byName.values()];
}

function namesOf(tokens: readonly string[]): ReadonlySet<string> {
  return new Set(tokens.map((token) => token.toLowerCase()));
}

/** What tells one session from another. */
interface BetaSessionFacts {
  /** The client's fields. */
  readonly headers: Headers;
  /** Model of the request: a session asks several, and each knows other betas. */
  readonly model: string;
  /** The body, decoded: JSON. */
  readonly body: Uint8Array;
  /** Whose conversation it is; `undefined` where that is not known. */
  readonly conversation: ConversationKey | undefined;
}

/** UTF-16 units of the system prompt that tell sessions apart where the client names none. */
const HEAD_CHARS = 500;

/** Fields that say who is calling. */
const CREDENTIALS = ["authorization", "x-api-key", "api-key", "cookie"];

/**
 * Names the session of a request: 32 lowercase hex digits.
 *
 * Where the client names its session (and agent) it is that and the model. Else it is the model, the beginning of
 * the system prompt and the credentials; a request without a system prompt shares with its own conversation only.
 * O(1) with a session field, else one pass over the body.
 */
function betaSessionOf(facts: BetaSessionFacts): string {
  const { headers, model, body, conversation } = facts;
  const { session, agent } = conversationHeaders(headers);
  if (session !== undefined) return digest(["named", model, session, agent]);
  const head = systemHead(body);
  const callers = CREDENTIALS.map((name) => headers.get(name) ?? undefined);
  const alone = head === "" ? conversation : undefined;
  return digest(["unnamed", model, head, alone, ...callers]);
}

/** A value may hold any character: each carries its length, so that no two lists run into the same text. */
function digest(fields: readonly (string | undefined)[]): string {
  const framed = fields.map((field) =>
    field === undefined ? "-;" : `${field.length}:${field};`
  );
  return hash("sha256", framed.join(""), "hex").slice(0, 32);
}

/** Beginning of the system prompt; empty when there is none, or the body is no JSON object. */
function systemHead(body: Uint8Array): string {
  const texts: ByteSpan[] = [];
  try {
    const cursor = new JsonCursor(body);
    cursor.object((key) => {
      if (key === "system" || key === "instructions") {
        texts.push(...textsAt(cursor, body));
      } else if (key === "messages" || key === "input") {
        texts.push(...firstSystemMessage(cursor, body));
      }
    });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return "";
  }
  let head = "";
  for (const span of texts) {
    if (head.length >= HEAD_CHARS) break;
    head += decodeLiteral(body, span) ?? "";
  }
  return head.slice(0, HEAD_CHARS);
}

function textsAt(cursor: JsonCursor, body: Uint8Array): readonly ByteSpan[] {
  return scanContent(cursor, body).flatMap(({ text }) => text ?? []);
}

/** The texts of the first element, if that is an instruction. */
function firstSystemMessage(
  cursor: JsonCursor,
  body: Uint8Array,
): readonly ByteSpan[] {
  if (cursor.type() !== "array") return [];
  let isSystem = false;
  let texts: readonly ByteSpan[] = [];
  cursor.array((index) => {
    if (index > 0 || cursor.type() !== "object") return;
    cursor.object((key) => {
      if (key === "content") texts = textsAt(cursor, body);
      else if (key === "role") {
        isSystem = /^(system|developer)$/.test(scanText(cursor, body) ?? "");
      }
    });
  });
  return isSystem ? texts : [];
}
