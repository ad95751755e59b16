/** Whether a request declares the retrieval tool, and with which bytes. @module */
import type { BodyScan } from "../core/format.ts";
import { addsRetrieval, clashes, readPinned, withoutTools } from "./pinned.ts";
import { isRetrievalTool } from "./tool_policy.ts";

/** Providers take at most this many tools. */
export const MAX_TOOLS = 128;

/** Who, if anyone, gives the model a way back to originals, and what else is pinned to the conversation. */
export type Declaration =
  & {
    /** What is pinned, see {@linkcode pinnedText}; absent for nothing. */
    readonly pinned?: string;
  }
  & (
    /** The client has the tool itself, through MCP. */
    | { readonly by: "client" }
    /** We add definitions. */
    | {
      readonly by: "proxy";
      /** What is pinned, definitions among it. */
      readonly pinned: string;
      /** Whether the tool comes with this request: the conversation begins with it, or is first seen with it. */
      readonly begins: boolean;
      /** Present where the conversation is first seen in its middle: the tool has to pay for the prefix that it changes. */
      readonly isMidway?: true;
      /** Whether the model has a way back to originals: by our tool or one of the client's. */
      readonly mayElide: boolean;
    }
    /** Nobody: nothing may be elided. */
    | { readonly by: "nobody"; readonly reason: string }
  );

/** What of our tools a request can have. */
export interface ToolsWanted {
  /** Whether tools of ours may be among its tools. */
  readonly mayAdd: boolean;
  /** Whether the client has no retrieval tool of its own. */
  readonly needsRetrieval: boolean;
}

/** What the decision depends on. */
export interface DeclarationInput {
  /** Scan of the body. */
  readonly scan: BodyScan;
  /** What was pinned to the conversation before, or to the newest form in it; `undefined` for nothing. */
  readonly known: string | undefined;
  /** What is pinned to a conversation that begins, or is first seen in its middle; `undefined` for nothing. */
  readonly begin: (wanted: ToolsWanted) => string | undefined;
  /** Whether the destination is known not to take the tool: only a conversation that goes on with it keeps it. */
  readonly isRefused: boolean;
  /** Whether this conversation has declared it, and not only another one of its session. */
  readonly hasDeclared: boolean;
}

/**
 * Decides: declared if the newest form in the body was made under a declaration, or an earlier request
 * of the conversation declared it, or the conversation begins. A tool that comes or goes in
 * mid-conversation costs the provider's whole prefix cache: where it may be worth that, the newest results say.
 */
export function declarationOf(input: DeclarationInput): Declaration {
  const { scan, known } = input;
  const names = scan.tools?.names ?? [];
  const isClients = names.some(isRetrievalTool);
  const begins = !scan.begun;
  const obstacle = obstacleOf(input);
  const wanted = {
    mayAdd: obstacle === undefined,
    needsRetrieval: !isClients,
  };
  const pinned = known ?? input.begin(wanted);
  const without = (reason: string): Declaration => {
    // What is pinned to its tools is not sent.
    const others = pinned && withoutTools(pinned);
    const rest = others === undefined ? {} : { pinned: others };
    return isClients
      ? { by: "client", ...rest }
      : { by: "nobody", reason, ...rest };
  };
  if (obstacle !== undefined) return without(obstacle);
  if (pinned === undefined) return without(begins ? "off" : MIDWAY.reason);
  const { definitions, resident } = readPinned(pinned);
  if (definitions === "") return without("off");
  // What a client has itself from now on is not added as well; where others are deferred, all of it goes on.
  const isAdded = !clashes(pinned, names) &&
    (!isClients || resident !== undefined);
  if (!isAdded) return without("tool_name_taken");
  const mayElide = isClients || addsRetrieval(pinned);
  const isMidway = known === undefined && !begins;
  return {
    by: "proxy",
    pinned,
    begins: begins || isMidway,
    mayElide,
    ...isMidway && { isMidway },
  };
}

/** A conversation that is first seen in its middle, and goes on as it is. */
export const MIDWAY = { by: "nobody", reason: "mid_conversation" } as const;

/** Whether the tool has yet to pay for the prefix that it changes. */
export function isMidway(declaration: Declaration): boolean {
  return declaration.by === "proxy" && declaration.isMidway === true;
}

/** Why our tools cannot be in the request; `undefined` when they can. */
function obstacleOf(
  { scan, known, isRefused, hasDeclared }: DeclarationInput,
): string | undefined {
  if (scan.tools === undefined) return "no_tools";
  // Tools that are deferred count for nothing, and must not all come back at once.
  const isDeferring = known !== undefined &&
    readPinned(known).resident !== undefined;
  if (scan.tools.count >= MAX_TOOLS && !isDeferring) return "too_many_tools";
  if (scan.noTool !== undefined) return scan.noTool;
  return isRefused && !(hasDeclared && scan.begun) ? "tool_refused" : undefined;
}

/** Whether something may be left out: the model can ask for it. */
export function mayElide(declaration: Declaration): boolean {
  return declaration.by === "proxy"
    ? declaration.mayElide
    : declaration.by === "client";
}
