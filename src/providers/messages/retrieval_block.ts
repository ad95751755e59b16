/** One content block of a streamed message, put together from its events. @module */
import {
  elementsOf,
  membersOf,
  objectOf,
  parseJson,
  textOr,
} from "../../bytes/json_parts.ts";
import { type TurnBlock, turnBlock } from "./retrieval_turn.ts";

/** Deltas that append text, by type: member of the delta and of the block. */
const TEXT_DELTAS = new Map([
  ["text_delta", "text"],
  ["thinking_delta", "thinking"],
  ["signature_delta", "signature"],
  ["compaction_delta", "content"],
]);

/** Grows by the block's deltas. What it cannot hold makes it inexact. */
export class StreamedBlock {
  /** Its index in the client's stream. */
  shownAt: unknown;
  /** Whether the client does not see it. */
  isHidden = false;
  readonly #members: Map<string, string>;
  readonly #texts: Map<string, string[]> = new Map();
  readonly #input: string[] = [];
  readonly #citations: string[] = [];
  #isExact = true;

  /**
   * Begins with the block of its start event.
   * @throws {SyntaxError} If `json` is not an object.
   */
  constructor(json: string) {
    this.#members = membersOf(json);
  }

  /** Whether it is a call of the retrieval tool. */
  get isOurs(): boolean {
    return turnBlock(objectOf(this.#members)).calls === "proxy";
  }

  /** Whether {@linkcode whole} is the block as the model produced it. */
  get isExact(): boolean {
    return this.#isExact && parseJson(this.#inputJson()) !== undefined;
  }

  /**
   * Takes a `delta`.
   *
   * @param delta Parsed. @param json Gives it as it is written.
   */
  add(delta: Readonly<Record<string, unknown>>, json: () => string): void {
    const type = textOr(delta.type);
    const member = TEXT_DELTAS.get(type);
    if (member !== undefined) {
      const texts = this.#texts.get(member) ?? [];
      texts.push(textOr(delta[member]));
      this.#texts.set(member, texts);
    } else if (type === "input_json_delta") {
      this.#input.push(textOr(delta.partial_json));
    } else if (type === "citations_delta") {
      this.#citations.push(membersOf(json()).get("citation") ?? "null");
    } else this.#isExact = false;
  }

  /** The block with all its deltas. */
  whole(): TurnBlock {
    const members = new Map(this.#members);
    for (const [member, texts] of this.#texts) {
      const start = textOr(parseJson(members.get(member) ?? "null"));
      members.set(member, JSON.stringify(start + texts.join("")));
    }
    const input = this.#inputJson();
    if (this.#input.length > 0 && parseJson(input) !== undefined) {
      members.set("input", input);
    }
    if (this.#citations.length > 0) {
      const start = members.get("citations") ?? "null";
      const before = start.startsWith("[") ? elementsOf(start) : [];
      members.set("citations", `[${[...before, ...this.#citations]}]`);
    }
    return turnBlock(objectOf(members));
  }

  /** Empty input deltas leave the start event's input: the model passed no arguments. */
  #inputJson(): string {
    const input = this.#input.join("");
    return input === "" ? this.#members.get("input") ?? "{}" : input;
  }
}
