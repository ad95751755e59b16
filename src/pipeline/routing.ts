/** Asking another model than the client wants: one literal of the body is replaced. @module */
import { objectOr, parseJson, textOr } from "../bytes/json_parts.ts";
import type { Edit } from "../core/block.ts";
import type { BodyScan } from "../core/format.ts";
import type { ModelRoute } from "../core/model_route.ts";
import type { ConversationKey } from "../core/store.ts";
import type { CompressInput } from "./compress_input.ts";
import type { CompressParts } from "./compress_parts.ts";
import { pinKey } from "./conversation_keys.ts";

/** What is done to a request. */
export interface Routing {
  /** Which model is asked for which. */
  readonly route: ModelRoute;
  /** The edit of the model's name. */
  readonly edits: readonly Edit[];
  /** Whether the conversation begins with it, and keeps it. */
  readonly isNew: boolean;
}

const BYTES_PER_TOKEN = 4;
const utf8 = new TextEncoder();

/** Decides; `undefined` where the client's model is asked. A conversation keeps the model that it began with. */
export function routingOf(
  parts: Pick<CompressParts, "conversations">,
  { input, scan }: { readonly input: CompressInput; readonly scan: BodyScan },
  conversation: ConversationKey,
): Routing | undefined {
  const { route: decide } = input;
  const { model, modelLiteral, begun, tools, prompt } = scan;
  if (decide === undefined || modelLiteral === undefined) return undefined;
  const key = nameOf(pinKey(conversation, scan));
  const pinned = parts.conversations.open(key).definition;
  const kept = pinned === undefined ? undefined : routeIn(pinned);
  const route = decide({
    model,
    tokens: Math.floor(
      prompt.reduce((sum, { span }) => sum + span.end - span.start, 0) /
        BYTES_PER_TOKEN,
    ),
    hasTools: tools !== undefined,
    begun: begun || pinned !== undefined,
  }) ?? (kept?.from === model ? kept : undefined);
  if (route === undefined || route.to === model) return undefined;
  const replacement = utf8.encode(JSON.stringify(route.to));
  return {
    route,
    edits: [{ span: modelLiteral, replacement }],
    isNew: !begun && pinned === undefined,
  };
}

/** Notes the route of a conversation that begins. */
export function keepRoute(
  { conversations }: Pick<CompressParts, "conversations">,
  conversation: ConversationKey,
  route: ModelRoute,
): void {
  conversations.declare(nameOf(conversation), JSON.stringify(route));
}

/** Forgets it again: the upstream does not take it. */
export function forgetRoute(
  { conversations }: Pick<CompressParts, "conversations">,
  conversation: ConversationKey,
): void {
  conversations.undeclare(nameOf(conversation));
}

/** Name under which the route of a conversation is kept. */
function nameOf(conversation: ConversationKey): ConversationKey {
  return `${conversation} model` as ConversationKey;
}

function routeIn(text: string): ModelRoute {
  const { from, to, rule } = objectOr(parseJson(text));
  return { from: textOr(from), to: textOr(to), rule: textOr(rule) };
}
