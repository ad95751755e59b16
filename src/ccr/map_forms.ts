/** Frozen forms in a map. @module */
import type {
  BlockKey,
  CcrKey,
  CcrWritten,
  FrozenForm,
} from "../core/store.ts";
import { Lru } from "../bytes/lru.ts";
import { NOTED_MS } from "./clear.ts";
import { FORM_LIFE_MS } from "./reads.ts";

/** Bytes that a form takes beside its literal, roughly. */
const OVERHEAD = 400;

/** A form and its last use, in milliseconds since the Unix epoch. */
interface Row {
  readonly form: FrozenForm;
  readonly usedAt: number;
}

/** Keeps forms for 30 days after their last use, within a bound of bytes. */
export class MapForms {
  readonly #rows: Lru<BlockKey, Row>;

  /** Holds nothing yet; `maxBytes` of literals at most. */
  constructor(maxBytes: number) {
    this.#rows = new Lru(
      maxBytes,
      ({ form }) =>
        form.literal.length + (form.definition?.length ?? 0) + OVERHEAD,
    );
  }

  /** Forms of these blocks that live. */
  of(keys: readonly BlockKey[], now: number): Map<BlockKey, FrozenForm> {
    const found = new Map<BlockKey, FrozenForm>();
    for (const key of keys) {
      const row = this.#rows.get(key);
      if (row !== undefined && row.usedAt >= now - FORM_LIFE_MS) {
        found.set(key, row.form);
      }
    }
    return found;
  }

  /** Keeps forms; an existing one stays. Says what is kept now. */
  freeze(forms: ReadonlyMap<BlockKey, FrozenForm>, now: number): CcrWritten {
    const inserted: BlockKey[] = [];
    const kept = new Map<BlockKey, FrozenForm>();
    for (const [key, form] of forms) {
      const known = this.#rows.get(key);
      if (known === undefined) inserted.push(key);
      const row = { form: known?.form ?? detached(form), usedAt: now };
      this.#rows.set(key, row);
      kept.set(key, row.form);
    }
    return { forms: kept, inserted };
  }

  /** Removes forms that were never sent. */
  retract(keys: readonly BlockKey[]): void {
    for (const key of keys) this.#rows.delete(key);
  }

  /** Notes uses. */
  touch(keys: readonly BlockKey[], now: number): void {
    for (const key of keys) {
      const row = this.#rows.get(key);
      if (row !== undefined) this.#rows.set(key, { ...row, usedAt: now });
    }
  }

  /** Removes forms whose life has ended. */
  sweep(now: number): void {
    this.#rows.deleteWhere(({ usedAt }) => usedAt < now - FORM_LIFE_MS);
  }

  /** Removes everything. */
  clearAll(): void {
    this.#rows.clear();
  }

  /** Removes forms of originals that were just removed, and old ones whose original is not there. */
  clearIdle(
    removed: ReadonlySet<CcrKey>,
    isHeld: (key: CcrKey) => boolean,
    now: number,
  ): void {
    this.#rows.deleteWhere(({ form: { entry }, usedAt }) =>
      entry !== undefined && removed.has(entry) ||
      usedAt < now - NOTED_MS && !(entry !== undefined && isHeld(entry))
    );
  }
}

/** A view would keep the whole buffer behind it, which may be a request body. */
function detached(form: FrozenForm): FrozenForm {
  const { literal } = form;
  const isWhole = literal.byteLength === literal.buffer.byteLength;
  return isWhole ? form : { ...form, literal: literal.slice() };
}
