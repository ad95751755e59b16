/** What is known of a call and its conversation before anything is decided. @module */
import type { ConversationState } from "../core/forms.ts";
import type { BodyScan } from "../core/format.ts";
import type { ConversationKey } from "../core/store.ts";
import type { CompressInput } from "./compress_input.ts";
import type { RecognisedBlocks } from "./frozen_pass.ts";
import type { Turn } from "./turn.ts";

/** What a call's declaration and its older blocks depend on. */
export interface ConversationFacts {
  /** The call. */
  readonly input: CompressInput;
  /** Scan of its body. */
  readonly scan: BodyScan;
  /** Its conversation. */
  readonly key: ConversationKey;
  /** The same for all sessions that share its first message. */
  readonly origin: ConversationKey;
  /** Its session; `undefined` where the client names none. */
  readonly session: ConversationKey | undefined;
  /** What is known of the conversation. */
  readonly conversation: ConversationState;
  /** Its blocks, with what is known of each. */
  readonly recognised: RecognisedBlocks;
  /** Which decisions hold in it. */
  readonly turn: Turn;
}
