/** Which requests share their beta tokens. @module */
import { hash } from "node:crypto";
import { scanContent, scanText } from "../bytes/content_parts.ts";
import { JsonCursor } from "../bytes/json_scan.ts";
import { decodeLiteral } from "../bytes/json_string.ts";
import type { ByteSpan } from "../core/block.ts";
import type { ConversationKey } from "../core/store.ts";
import { conversationHeaders } from "./conversation_headers.ts";

/** What tells one session from another. */
export interface BetaSessionFacts {
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
export function betaSessionOf(facts: BetaSessionFacts): string {
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
