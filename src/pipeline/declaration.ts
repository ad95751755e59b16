/** Whether a request declares the retrieval tool, and with which bytes. @module */
import type { ConversationState } from "../core/forms.ts";
import type { BodyScan } from "../core/format.ts";
import type { FrozenForm } from "../core/store.ts";
import { addedTools, addsRetrieval, clashes } from "./added_tools.ts";
import { isRetrievalTool } from "./tool_policy.ts";

/** Providers take at most this many tools. */
const MAX_TOOLS = 128;

/** Who, if anyone, gives the model a way back to originals, and what is added to the client's tools. */
export type Declaration =
  /** The client has the tool itself, through MCP. */
  | { readonly by: "client" }
  /** We add definitions. */
  | {
    readonly by: "proxy";
    /** What is added, the conversation's own bytes: see {@linkcode pinnedTools}. */
    readonly definition: string;
    /** Whether the conversation begins with this request. */
    readonly begins: boolean;
    /** Whether the model has a way back to originals: by our tool or one of the client's. */
    readonly mayElide: boolean;
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
  /**
   * What a conversation that begins adds; `undefined` for nothing.
   *
   * @param needsRetrieval Whether the client has no retrieval tool of its own.
   */
  readonly begin: (needsRetrieval: boolean) => string | undefined;
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
  const isClients = scan.tools?.names.some(isRetrievalTool) ?? false;
  const none = (reason: string): Declaration =>
    isClients ? { by: "client" } : { by: "nobody", reason };
  if (scan.tools === undefined) return none("no_tools");
  if (scan.tools.count >= MAX_TOOLS) return none("too_many_tools");
  if (scan.noTool !== undefined) return none(scan.noTool);
  const isRunning = input.hasDeclared && scan.begun;
  if (input.isRefused && !isRunning) return none("tool_refused");
  const begins = !scan.begun;
  const known = newestForm?.definition ?? conversation.definition;
  if (known === undefined && !begins) return none("mid_conversation");
  const definition = known ?? input.begin(!isClients);
  if (definition === undefined) return none("ccr_off");
  // What a client has itself from now on is not added as well; where others are deferred, all of it goes on.
  const isAdded = !clashes(definition, scan.tools.names) &&
    (!isClients || addedTools(definition).resident !== undefined);
  if (!isAdded) return none("tool_name_taken");
  const mayElide = isClients || addsRetrieval(definition);
  return { by: "proxy", definition, begins, mayElide };
}

/** Whether something may be left out: the model can ask for it. */
export function mayElide(declaration: Declaration): boolean {
  return declaration.by === "proxy"
    ? declaration.mayElide
    : declaration.by === "client";
}
