/** The kinds of calls, each as the way its steps are done. @module */
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
import { type TurnInput, turnOf } from "./cold_turns.ts";
import type { ConversationFacts } from "./conversation_facts.ts";
import {
  pinKey,
  pinnedToOrigin,
  pinnedToSession,
} from "./conversation_keys.ts";
import {
  type Declaration,
  type DeclarationInput,
  declarationOf,
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
import { pinnedToNew } from "./pinned_to_new.ts";
import { FIRST_TURN, type Turn } from "./turn.ts";
import type { LiveBlock } from "./live_zone_pass.ts";
import {
  DECIDE_ANEW,
  LEAVE_OLDER,
  longestLife,
  type OlderPlan,
  olderPlan,
} from "./older_blocks.ts";
import { isWrittenLike, readPinned } from "./pinned.ts";
import { wentUndeclared } from "./undeclared.ts";

/** How the steps of one kind of call are done. */
export interface CallWay {
  /** The call as the steps see it. */
  readonly enter: (
    input: CompressInput,
    scan: BodyScan,
  ) => { readonly input: CompressInput; readonly scan: BodyScan };
  /** Which decisions hold. */
  readonly turn: (
    parts: CompressParts,
    of: TurnInput,
  ) => Turn;
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
  /** Notes a conversation that is sent without our tool; `names`: under which else it is kept that it was. */
  readonly sentWithout: (
    parts: CompressParts,
    key: ConversationKey,
    names: readonly ConversationKey[],
  ) => void;
}

/** A request that leaves for its provider. */
const LIVE: CallWay = {
  enter: (input, scan) => ({ input, scan }),
  turn: (parts, of) => turnOf(parts, of, true),
  declare: (parts, facts, newestForm) =>
    declareIn(
      parts,
      facts,
      newestForm,
      (wanted) => pinnedToNew(parts, facts, wanted),
    ),
  retrievals: ({ retrievals }) => retrievals,
  older: (parts, { input, scan, key, conversation, turn }) =>
    turn.isAnew ? DECIDE_ANEW : olderPlan(input, {
      longest: longestLife(parts, input, scan),
      activeAt: conversation.activeAt,
      now: parts.clock.now(),
      isDone: parts.olderTurns.has(key),
    }),
  ask: (live) => live,
  decide: ({ decide }, jobs, { older, signal }) =>
    older.scope === "none" ? decide(jobs) : decideInTurns(decide, jobs, signal),
  commit,
  sentWithout: ({ conversations }, key, names) => {
    for (const name of [key, ...names.slice(0, -1)]) conversations.seen(name);
    // The next request asks for the last one, and may come from another process, or after this one was killed.
    const [last] = names.slice(-1);
    if (last) conversations.seen(last, "now");
  },
};

/** A question about a conversation: one that is not known is not begun by it. */
const PREVIEW: CallWay = {
  ...LIVE,
  turn: (parts, of) => turnOf(parts, of, false),
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
    turn: () => FIRST_TURN,
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
  facts: ConversationFacts,
  newestForm: FrozenForm | undefined,
  begin: DeclarationInput["begin"],
): Declaration {
  const { input, scan, key, session, conversation } = facts;
  return declarationOf({
    scan,
    known: scan.tools === undefined
      ? parts.conversations.open(pinKey(key, scan)).definition
      // What it was sent with stays, whatever a fork of it has made since.
      : conversation.definition ?? ofNewestForm(parts, facts, newestForm) ??
        ofOrigin(parts, { input, scan, conversation }) ??
        ofSession(parts, { input, scan, session, conversation }),
    begin,
    isRefused: input.refusesTool(scan.model),
    hasDeclared: conversation.definition !== undefined,
  });
}

/** What the newest form brings along; nothing where the conversation went on without, and another one shares its past. */
function ofNewestForm(
  parts: CompressParts,
  facts: ConversationFacts,
  newestForm: FrozenForm | undefined,
): string | undefined {
  const { input: { format } } = facts;
  const brought = newestForm?.definition;
  if (brought === undefined) return undefined;
  const fits = isWrittenLike(brought, format.retrieval.definition);
  return !fits || wentUndeclared(parts, facts) ? undefined : brought;
}

/** What a conversation that is met in its middle takes over: it may be a fork of one that is known. */
function ofOrigin(
  parts: CompressParts,
  { input, scan, conversation }: Pick<
    ConversationFacts,
    "input" | "scan" | "conversation"
  >,
): string | undefined {
  return scan.begun && conversation.activeAt === undefined
    ? pinnedToOrigin(parts, { ...input, scan })
    : undefined;
}

/** What a new conversation takes over from its session; not what was switched off since. */
function ofSession(
  parts: CompressParts,
  { input, scan, session, conversation }: Pick<
    ConversationFacts,
    "input" | "scan" | "session" | "conversation"
  >,
): string | undefined {
  const pinned = pinnedToSession(parts, session, { conversation, scan });
  const isOff = pinned !== undefined && readPinned(pinned).resident &&
    !input.defersTools?.(scan.model);
  return isOff ? undefined : pinned;
}
