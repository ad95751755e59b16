/** Whether a request declares the retrieval tool, and with which bytes. @module */
import type { Edit } from "../core/block.ts";
import type { ConversationState } from "../core/forms.ts";
import type { BodyScan } from "../core/format.ts";
import type { FrozenForm } from "../core/store.ts";
import { isRetrievalTool } from "./tool_policy.ts";

/** Providers take at most this many tools. */
const MAX_TOOLS = 128;

/** Who, if anyone, gives the model a way back to originals. */
export type Declaration =
  /** The client has the tool itself, through MCP. */
  | { readonly by: "client" }
  /** We add the definition. */
  | {
    readonly by: "proxy";
    /** JSON text of the definition: the conversation's own bytes. */
    readonly definition: string;
    /** Whether the conversation begins with this request. */
    readonly begins: boolean;
  }
  /** Nobody: nothing may be elided. */
  | { readonly by: "nobody"; readonly reason: string };

/** What the decision depends on. */
export interface DeclarationInput {
  /** Scan of the body. */
  readonly scan: BodyScan;
  /** What is known of the conversation. */
  readonly conversation: ConversationState;
  /** The last form in the body, when there is one. */
  readonly newestForm: FrozenForm | undefined;
  /** Definition for a conversation that begins; `undefined` when new ones do not declare it. */
  readonly definition: string | undefined;
  /** Whether the destination is known not to take the tool: only a conversation that goes on with it keeps it. */
  readonly isRefused: boolean;
  /** Whether this conversation has declared it, and not only another one of its session. */
  readonly hasDeclared: boolean;
}

/**
 * Decides: declared if the newest form in the body was made under a declaration, or an earlier request
 * of the conversation declared it, or the conversation begins. A tool that comes or goes in
 * mid-conversation would cost the provider's whole prefix cache.
 */
export function declarationOf(input: DeclarationInput): Declaration {
  const { scan, conversation, newestForm } = input;
  if (scan.tools?.names.some(isRetrievalTool)) return { by: "client" };
  if (scan.tools === undefined) return nobody("no_tools");
  if (scan.tools.count >= MAX_TOOLS) return nobody("too_many_tools");
  if (scan.noTool !== undefined) return nobody(scan.noTool);
  const isRunning = input.hasDeclared && scan.begun;
  if (input.isRefused && !isRunning) return nobody("tool_refused");
  const begins = !scan.begun;
  const known = newestForm?.definition ?? conversation.definition;
  if (known !== undefined) {
    return { by: "proxy", definition: known, begins };
  }
  if (!begins) return nobody("mid_conversation");
  return input.definition === undefined
    ? nobody("ccr_off")
    : { by: "proxy", definition: input.definition, begins };
}

function nobody(reason: string): Declaration {
  return { by: "nobody", reason };
}

/** The edit that adds `definition` behind the last tool. */
export function declare(scan: BodyScan, definition: string): readonly Edit[] {
  if (scan.tools === undefined) return [];
  const end = scan.tools.span.end - 1;
  const replacement = new TextEncoder().encode(`,${definition}`);
  return [{ span: { start: end, end }, replacement }];
}
