/** The ways in which callers write messages, and how each of them is compressed. @module */

/**
 * Ways of writing messages: `anthropic` (content blocks), `openai` (chat completions), `responses` (items of the
 * responses API), `vercel` (model messages of the `ai` package) and `google` (contents with `parts`).
 */
export type MessageFormat =
  | "anthropic"
  | "openai"
  | "responses"
  | "vercel"
  | "google";

/** Ways of writing that are compressed as they are; by the ids of the wire formats. */
export type NativeFormat = "messages" | "chat_completions" | "responses";

/** Where a value stands: keys and indices from the array of messages down, e.g. `[3, "content", 0, "text"]`. */
export type MessagePath = readonly (string | number)[];

/** Where the text of a shadow comes from. */
export interface Slot {
  /** Place in the caller's messages that is replaced. */
  readonly path: MessagePath;
  /**
   * Makes what is put there of the compressed text; the text itself when absent. Needed where the place does not
   * hold the shadow's text as it is, e.g. a JSON value whose text was compressed.
   */
  value?(text: string): unknown;
}

/**
 * Messages in a native format that stand for the caller's. It is read once, as JSON, and thrown away: the caller's
 * messages are never made from it, only the places named by `slots` are replaced in them.
 */
export interface Shadow {
  /** Format of `messages`. */
  readonly format: NativeFormat;
  /** What is compressed. Must become the same JSON for the same messages, whatever stands behind them (law 2). */
  readonly messages: readonly unknown[];
  /**
   * JSON Pointer (RFC 6901, e.g. `/3/content/0/text`) of a text of `messages` → its place in the caller's messages.
   * A text without a slot is never replaced. Absent: the caller's messages are native, and every text is its own slot.
   */
  readonly slots?: ReadonlyMap<string, Slot>;
}

/** One way of writing messages. */
export interface MessageShape {
  /** Its name. */
  readonly id: MessageFormat;
  /** Whether a message, or an item of a conversation, can only be of this shape. Never throws; looks at the message alone. */
  tells(message: unknown): boolean;
  /**
   * Makes what is compressed for these messages.
   *
   * @param messages The caller's; read only.
   * @throws {Error} What reading them throws: they are then left as they are.
   */
  shadow(messages: readonly unknown[]): Shadow;
}
