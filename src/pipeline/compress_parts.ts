/** What compression is made of; all of it outlives a request. @module */
import type { ScanCache } from "../bytes/scan_cache.ts";
import type { CacheLives } from "../core/cache_outcome.ts";
import type { Clock } from "../core/clock.ts";
import type {
  BlockJob,
  Decision,
  FormOptions,
  NamedToolRule,
} from "../core/decision.ts";
import type {
  BlockName,
  Conversations,
  FrozenForms,
  ResponseIds,
} from "../core/forms.ts";
import type { CcrKey, CcrStore, ConversationKey } from "../core/store.ts";
import type { ToolEditor } from "./added_tools.ts";
import type { Attempt } from "./attempt.ts";
import type { OutputShaper } from "./output_shape.ts";
import type { ToolHabits } from "./tool_habits.ts";
import type { OlderDecided, OlderTurns } from "./older_blocks.ts";
import type { EarlierTexts } from "./known_texts.ts";

/** What one body's compression needs. */
export interface CompressParts {
  /** Bodies seen before. */
  readonly bodies: ScanCache<BlockName>;
  /** Blocks seen before. */
  readonly forms: FrozenForms;
  /** Conversations seen before. */
  readonly conversations: Conversations;
  /** Responses that a body may continue. */
  readonly responseIds: ResponseIds;
  /** Where originals and forms are committed. */
  readonly store: CcrStore;
  /** Decides blocks, one answer per job; never rejects. */
  readonly decide: (jobs: readonly BlockJob[]) => Promise<readonly Decision[]>;
  /** Units in an original and in its form, as the marker in the form's literal says; `undefined` without a marker. */
  readonly itemsIn: (
    literal: Uint8Array,
  ) => { readonly total: number; readonly kept: number } | undefined;
  /** What stands for a text that is left out as a whole: a note and its marker. */
  readonly omitted: (count: number, unit: string, key: CcrKey) => string;
  /** Key of an original. */
  readonly keyOf: (original: string) => CcrKey;
  /** Key of a conversation. */
  readonly conversationKey: (
    parts: {
      session: string | undefined;
      agent: string | undefined;
      firstUserText: string | undefined;
    },
  ) => ConversationKey;
  /** What was learned of how long prompts are held. */
  readonly cacheLives: CacheLives;
  /** Absorbs failures. */
  readonly attempt: Attempt;
  /** Time. */
  readonly clock: Clock;
  /** Makes the edits of tool arrays. */
  readonly toolEditor: ToolEditor;
  /** Says how new conversations ask for shorter answers. */
  readonly shaper: OutputShaper;
  /** What is known of how clients use their tools. */
  readonly habits: ToolHabits;
  /** False: nothing is elided and no new conversation declares the tool. */
  readonly ccr: boolean;
  /** Which forms the configuration allows. */
  readonly options: FormOptions;
  /** Conversations whose older blocks were looked at. */
  readonly olderTurns: OlderTurns;
  /** Told when older blocks of a conversation got forms. Never throws. */
  readonly onOlderDecided: (
    conversation: ConversationKey,
    decided: OlderDecided,
  ) => void;
  /** Whether logs, data and the like in a user's own texts are shortened. */
  readonly userMessages: boolean;
  /** Whether text that is in an earlier one of its request is left out for a reference. */
  readonly dedupe: boolean;
  /** Lines of conversations, to be found again. */
  readonly earlierTexts: EarlierTexts;
  /** Rules of the user for tools. */
  readonly toolRules: readonly NamedToolRule[];
}
