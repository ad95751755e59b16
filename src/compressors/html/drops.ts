/** What was left out since the last note. @module */
import { counted, grouped } from "./text_size.ts";

/** Characters without a name of their own that make a note due. */
const DUE = 2_000;
/** They stand among the text; a note at each would be in its way. */
const NEVER_DUE = new Set(["svg", "img", "canvas", "hidden"]);

/** Collects what is left out, so that neighbours share a note. */
export class Drops {
  #named: string[] = [];
  #kinds = new Map<string, number>();
  #characters = 0;
  #due = 0;

  /** Whether a note should stand here. */
  get isDue(): boolean {
    return this.#named.length > 0 || this.#due >= DUE;
  }

  /** Counts the characters of a script, a picture or the like. */
  add(kind: string, characters: number): void {
    if (characters <= 0) return;
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    this.#characters += characters;
    if (!NEVER_DUE.has(kind)) this.#due += characters;
  }

  /** Tells of something by its own words. */
  tell(what: string): void {
    this.#named.push(what);
  }

  /** The note of everything since the last one; `undefined` for nothing. */
  take(): string | undefined {
    const parts = this.#named;
    if (this.#characters > 0) {
      const kinds = [...this.#kinds].map(([kind, count]) =>
        count === 1 ? kind : `${grouped(count)} ${kind}`
      );
      parts.push(
        `${counted(this.#characters, "character")} of ${kinds.join(", ")}`,
      );
    }
    this.#named = [];
    this.#kinds = new Map();
    this.#characters = 0;
    this.#due = 0;
    return parts.length === 0 ? undefined : `… omitted: ${parts.join("; ")}`;
  }
}
