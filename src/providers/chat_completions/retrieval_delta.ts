/** The assistant message of a streamed completion, put together from its deltas. @module */
import {
  elementsOf,
  isJsonObject,
  membersOf,
  objectOf,
  objectOr,
  parseJson,
  setAt,
  textOr,
} from "../../bytes/json_parts.ts";
import { RETRIEVAL_TOOL } from "../../core/retrieval.ts";
import { type Turn, type TurnCall, turnCall } from "./retrieval_turn.ts";

/** A member of the message, as far as it has come. */
interface OpenMember {
  /** Pieces of a text. */
  readonly texts: string[];
  /** Elements of a list: JSON. */
  readonly elements: string[];
  /** The latest value of any other type: JSON. */
  other: string;
}

/** A call, as far as it has come. */
interface OpenCall {
  /** As the upstream counts. */
  readonly index: unknown;
  readonly members: Map<string, string>;
  name: string;
  readonly args: string[];
  /** Its index in the client's stream, once shown. */
  shownAt: number | undefined;
}

/** An entry of a delta's `tool_calls`. */
interface Entry {
  readonly json: string;
  /** Parsed; empty for what is no object. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly members: ReadonlyMap<string, string>;
}

/** @throws {SyntaxError} If it is an object that cannot be read. */
function entryOf(json: string): Entry {
  const value = parseJson(json);
  return isJsonObject(value)
    ? { json, value, members: membersOf(json) }
    : { json, value: {}, members: new Map() };
}

/** Grows by the deltas of one round. */
export class StreamedTurn {
  readonly #members: Map<string, OpenMember> = new Map();
  readonly #calls: OpenCall[] = [];

  /** Whether it has a retrieval, which the client does not see. */
  get retrieves(): boolean {
    return this.#calls.some(({ name, shownAt }) =>
      shownAt === undefined && name === RETRIEVAL_TOOL
    );
  }

  /** Whether it has a call whose name is still to come, so that it may be a retrieval. */
  get isUndecided(): boolean {
    return this.#calls.some(({ name, shownAt }) =>
      shownAt === undefined && name === ""
    );
  }

  /** Makes calls without a name the client's. */
  giveUpNameless(nextIndex: () => number): void {
    for (const call of this.#calls) {
      if (call.name === "") call.shownAt ??= nextIndex();
    }
  }

  /**
   * Takes a `delta` that says nothing but texts: nearly all do, and there may be many.
   *
   * @param delta Parsed.
   * @returns Whether it was one; if not, nothing was taken.
   */
  addTexts(delta: Readonly<Record<string, unknown>>): boolean {
    const members = Object.entries(delta);
    if (!members.every(([, value]) => typeof value === "string")) return false;
    for (const [key, text] of members) {
      if (key === "role") this.#add(key, JSON.stringify(text));
      else this.#member(key).texts.push(textOr(text));
    }
    return true;
  }

  /**
   * Takes any `delta`.
   *
   * @param json The delta.
   * @param nextIndex Gives a new call its index in the client's stream.
   * @returns Its members without our calls and with the client's calls renumbered.
   * @throws {SyntaxError} If it is malformed.
   */
  add(json: string, nextIndex: () => number): Map<string, string> {
    const members = membersOf(json);
    const calls = members.get("tool_calls") ?? "null";
    const entries = calls.startsWith("[") ? elementsOf(calls).map(entryOf) : [];
    // Nothing was taken so far: from here on, nothing throws.
    for (const [key, value] of members) {
      if (key !== "tool_calls") this.#add(key, value);
    }
    if (!calls.startsWith("[")) return members;
    const shown = entries.flatMap((entry) =>
      this.#call(entry, nextIndex) ?? []
    );
    if (shown.length === 0) members.delete("tool_calls");
    else members.set("tool_calls", `[${shown.join(",")}]`);
    return members;
  }

  /** The message with all deltas. */
  whole(): Turn {
    const calls = this.#calls.map((call) => turnCallOf(call));
    const members = new Map<string, string>();
    for (const [key, { texts, elements, other }] of this.#members) {
      const text = texts.join("");
      if (elements.length > 0) members.set(key, `[${elements.join(",")}]`);
      else if (text === "" && key === "content") members.set(key, "null");
      else members.set(key, texts.length > 0 ? JSON.stringify(text) : other);
    }
    return { members, calls };
  }

  #member(key: string): OpenMember {
    const open = this.#members.get(key) ??
      { texts: [], elements: [], other: "null" };
    this.#members.set(key, open);
    return open;
  }

  #add(key: string, json: string): void {
    const open = this.#member(key);
    if (key === "role") open.other = json;
    else if (json.startsWith('"')) open.texts.push(textOr(parseJson(json)));
    else if (json.startsWith("[")) open.elements.push(...elementsOf(json));
    else if (json !== "null") open.other = json;
  }

  #call(entry: Entry, nextIndex: () => number): string | undefined {
    const { json, value: { index, id, function: called } } = entry;
    const isStart = textOr(id) !== "" || isJsonObject(called);
    const isKnown = this.#calls.some((call) => call.index === index);
    // What belongs to no call hides none.
    if (!isStart && !isKnown) return json;
    const call = this.#callAt(index, textOr(id));
    this.#extend(call, entry);
    if (call.shownAt !== undefined) {
      return setAt(json, ["index"], String(call.shownAt));
    }
    if (call.name === "" || call.name === RETRIEVAL_TOOL) return undefined;
    call.shownAt = nextIndex();
    return setAt(turnCallOf(call).json, ["index"], String(call.shownAt));
  }

  /** Some providers give every call the same index, or none: then a new id begins a new call. */
  #callAt(index: unknown, id: string): OpenCall {
    const open = this.#calls.findLast((call) => call.index === index);
    const openId = open?.members.get("id");
    const isOther = id !== "" && openId !== undefined &&
      openId !== JSON.stringify(id);
    if (open && !isOther) return open;
    const call: OpenCall = {
      index,
      members: new Map(),
      name: "",
      args: [],
      shownAt: undefined,
    };
    this.#calls.push(call);
    return call;
  }

  #extend(call: OpenCall, { members }: Entry): void {
    for (const [key, value] of members) {
      // Later pieces repeat members as `null` or empty.
      if (key === "index" || value === "null" || value === '""') continue;
      if (key !== "function") call.members.set(key, value);
      else {
        const called = objectOr(parseJson(value));
        call.name += textOr(called.name);
        call.args.push(textOr(called.arguments));
      }
    }
  }
}

function turnCallOf({ members, name, args }: OpenCall): TurnCall {
  const whole = new Map(members);
  whole.set(
    "function",
    JSON.stringify({ name, arguments: args.join("") }),
  );
  return turnCall(objectOf(whole));
}
