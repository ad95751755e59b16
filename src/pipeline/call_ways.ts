/** The kinds of calls, each as the way its steps are done. @module */
import { readTools } from "../bytes/tool_definitions.ts";
import type { BlockJob, Decision } from "../core/decision.ts";
import type { ConversationState } from "../core/forms.ts";
import type { BodyScan } from "../core/format.ts";
import type { ConversationKey, FrozenForm } from "../core/store.ts";
import {
  commit,
  type CommitInput,
  type Committed,
  keepOnly,
} from "./commit_forms.ts";
import type { CompressInput } from "./compress_input.ts";
import type { CompressParts } from "./compress_parts.ts";
import {
  pinKey,
  pinnedToOrigin,
  pinnedToSession,
} from "./conversation_keys.ts";
import {
  type Declaration,
  type DeclarationInput,
  declarationOf,
  MAX_TOOLS,
  type ToolsWanted,
} from "./declaration.ts";
import {
  askWith,
  decideInTurns,
  leaveSmall,
  type LibraryCall,
  libraryDeclaration,
  libraryScan,
  librarySession,
  protectCode,
  uncommitted,
} from "./library_call.ts";
import type { LiveBlock } from "./live_zone_pass.ts";
import { LEAVE_OLDER, type OlderPlan, olderPlan } from "./older_blocks.ts";
import { pinnedText, readPinned } from "./pinned.ts";
import { isRetrievalWorthIt, residentTools } from "./tool_deferral.ts";

/** What a call's declaration and its older blocks depend on. */
export interface ConversationFacts {
  /** The call. */
  readonly input: CompressInput;
  /** Scan of its body. */
  readonly scan: BodyScan;
  /** Its conversation. */
  readonly key: ConversationKey;
  /** Its session; `undefined` where the client names none. */
  readonly session: ConversationKey | undefined;
  /** What is known of the conversation. */
  readonly conversation: ConversationState;
}

/** How the steps of one kind of call are done. */
export interface CallWay {
  /** The call as the steps see it. */
  readonly enter: (
    input: CompressInput,
    scan: BodyScan,
  ) => { readonly input: CompressInput; readonly scan: BodyScan };
  /** Who gives the model a way back to originals; `newestForm` is the last form in the body. */
  readonly declare: (
    parts: CompressParts,
    facts: ConversationFacts,
    newestForm: FrozenForm | undefined,
  ) => Declaration;
  /** Answered retrievals that are put back. */
  readonly retrievals: (
    conversation: ConversationState,
  ) => ConversationState["retrievals"];
  /** Which older blocks are asked about. */
  readonly older: (parts: CompressParts, facts: ConversationFacts) => OlderPlan;
  /** The blocks again, as this call asks about them. */
  readonly ask: (
    live: readonly LiveBlock[],
    of: { readonly body: Uint8Array; readonly scan: BodyScan },
  ) => readonly LiveBlock[];
  /** One decision per job; there is at least one job. */
  readonly decide: (
    parts: CompressParts,
    jobs: readonly BlockJob[],
    how: { readonly older: OlderPlan; readonly signal: AbortSignal },
  ) => Promise<readonly Decision[]>;
  /** What the store then holds; at once where nothing is written. */
  readonly commit: (
    parts: CompressParts,
    facts: CommitInput,
  ) => Committed | Promise<Committed>;
  /** Notes a conversation that is sent without our tool. */
  readonly sentWithout: (parts: CompressParts, key: ConversationKey) => void;
}

/** A request that leaves for its provider. */
const LIVE: CallWay = {
  enter: (input, scan) => ({ input, scan }),
  declare: (parts, facts, newestForm) =>
    declareIn(
      parts,
      facts,
      newestForm,
      (wanted) => pinnedToNew(parts, facts, wanted),
    ),
  retrievals: ({ retrievals }) => retrievals,
  older: (parts, { input, key, conversation }) =>
    olderPlan(input, {
      activeAt: conversation.activeAt,
      now: parts.clock.now(),
      isDone: parts.olderTurns.has(key),
    }),
  ask: (live) => live,
  decide: ({ decide }, jobs, { older, signal }) =>
    older.scope === "none" ? decide(jobs) : decideInTurns(decide, jobs, signal),
  commit,
  sentWithout: ({ conversations }, key) => conversations.seen(key),
};

/** A question about a conversation: one that is not known is not begun by it. */
const PREVIEW: CallWay = {
  ...LIVE,
  declare: (parts, facts, newestForm) =>
    declareIn(parts, facts, newestForm, () => undefined),
  older: () => LEAVE_OLDER,
  commit: keepOnly,
};

/** Outside of {@linkcode libraryWay}: it is kept until the request is sent, and must not hold the caller's texts. */
const noteNothing: CallWay["sentWithout"] = () => {};

/** A body that a caller wants for himself. */
function libraryWay(library: LibraryCall): CallWay {
  return {
    enter: (input, scan) => ({
      input: { ...input, session: librarySession(input.session) },
      scan: libraryScan(scan, library),
    }),
    declare: ({ ccr }) => libraryDeclaration(ccr),
    retrievals: () => [],
    older: () => LEAVE_OLDER,
    ask: (live, of) => protectCode(askWith(live, library.query), of, library),
    decide: async ({ decide }, jobs, { signal }) =>
      leaveSmall(await decideInTurns(decide, jobs, signal), library),
    commit: LIVE.commit,
    sentWithout: noteNothing,
  };
}

/** Nothing is written. */
const simulate: CallWay["commit"] = ({ clock }, { live, decisions }) =>
  uncommitted(live, decisions, clock.now());

/** The way of a call. */
export function wayOf(
  { library, isPreview, isSimulation }: Pick<
    CompressInput,
    "library" | "isPreview" | "isSimulation"
  >,
): CallWay {
  const way = library ? libraryWay(library) : isPreview ? PREVIEW : LIVE;
  return library?.isSimulation || isSimulation
    ? { ...way, commit: simulate }
    : way;
}

function declareIn(
  parts: CompressParts,
  { input, scan, key, session, conversation }: ConversationFacts,
  newestForm: FrozenForm | undefined,
  begin: DeclarationInput["begin"],
): Declaration {
  return declarationOf({
    scan,
    known: scan.tools === undefined
      ? parts.conversations.open(pinKey(key, scan)).definition
      : newestForm?.definition ?? conversation.definition ??
        ofOrigin(parts, { input, scan, conversation }) ??
        ofSession(parts, { input, scan, session, conversation }),
    begin,
    isRefused: input.refusesTool(scan.model),
    hasDeclared: conversation.definition !== undefined,
  });
}

/** What a conversation that is met in its middle takes over: it may be a fork of one that is known. */
function ofOrigin(
  parts: CompressParts,
  { input: { body }, scan, conversation }: Pick<
    ConversationFacts,
    "input" | "scan" | "conversation"
  >,
): string | undefined {
  return scan.begun && conversation.activeAt === undefined
    ? pinnedToOrigin(parts, { body, scan })
    : undefined;
}

/** What a new conversation takes over from its session; not what was switched off since. */
function ofSession(
  parts: CompressParts,
  { input, scan, session, conversation }: Omit<ConversationFacts, "key">,
): string | undefined {
  const pinned = pinnedToSession(parts, session, { conversation, scan });
  const isOff = pinned !== undefined && readPinned(pinned).resident &&
    !input.defersTools?.(scan.model);
  return isOff ? undefined : pinned;
}

/** What is pinned to a conversation that begins; `undefined` for nothing. */
function pinnedToNew(
  parts: CompressParts,
  { input, scan, key }: ConversationFacts,
  { mayAdd, needsRetrieval }: ToolsWanted,
): string | undefined {
  const { format: { retrieval, promptCache }, body } = input;
  const habits = parts.habits.of(input.client ?? "");
  const names = scan.tools?.names ?? [];
  const isDeclared = mayAdd && parts.ccr && needsRetrieval &&
    (isRetrievalWorthIt(names, habits) || isTrial(key) ||
      parts.userMessages && holdsLongText(scan));
  const own = isDeclared ? [retrieval.definition] : [];
  const { deferral } = retrieval;
  const hasRoom = (scan.tools?.count ?? 0) + own.length < MAX_TOOLS;
  const resident = mayAdd && hasRoom && deferral &&
      input.defersTools?.(scan.model)
    ? parts.attempt.now(
      "defer_tools",
      () =>
        residentTools({
          tools: readTools(body, scan.tools!.span),
          bodyBytes: body.length,
          habits,
          deferral,
          promptCache,
        }),
      undefined,
    )
    : undefined;
  return pinnedText({
    definitions: resident === undefined
      ? own
      : [...own, deferral!.searchDefinition],
    ...resident && { resident, model: scan.model },
    ...input.compactsTools && mayAdd && { isCompact: true },
    ...input.output && parts.shaper.pinned(input.output, key),
  });
}

/** Bytes of a user's text beside which the definition of our tool is next to nothing. */
const LONG_TEXT = 16 * 1024;

/** Whether a user may have pasted much of what can be left out. */
function holdsLongText({ blocks }: Pick<BodyScan, "blocks">): boolean {
  return blocks.some(({ isUserText, span: { start, end } }) =>
    isUserText && end - start >= LONG_TEXT
  );
}

/** Whether a conversation has the retrieval tool whatever is expected of it: one in sixteen, so that habits may change. */
function isTrial(key: ConversationKey): boolean {
  return key.endsWith("0");
}
