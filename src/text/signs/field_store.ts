/** What is known of the fields of a text while its lines are read: values that are frequent, and ends of numbers. Bounded memory. @module */
import {
  excessOf,
  extremeOfFew,
  FEWEST_VALUES,
  LEAST_VALUES,
  MOST_EXTREMES,
  type Range,
  rangeOf,
} from "./extremes.ts";

/** Fields that are told apart, and slots of the table that finds them. */
const MOST_FIELDS = 2048;
const SLOTS = 8192;
const PROBES = 8;
/** Different values of a field that are counted; a field with more has no usual one. */
const VALUES = 8;
/** Occurrences up to which a value is rare. */
const RARE = 2;
/** Share of the occurrences that the usual values have together, and that each of them has; so many there are at most. */
const DOMINANT = 0.95;
const FREQUENT = 0.1;
const MOST_USUAL = 3;
/** Rare values of one field that are given. */
const MOST_RARE = 3;
/** Numbers of a field that are looked at to know what is usual. */
const SAMPLE = 128;
/** Share of the values of a field that are numbers, where they are no ids. */
const NUMERIC = 0.8;
/** Fields whose numbers are kept. */
const MOST_NUMERIC = 512;

/** What names a field: a word before it, a key with a colon and a blank as in a sentence, a key with any other sign. */
export const NO_KEY = 0;
export const SPOKEN_KEY = 1;
export const KEY = 2;

/** A line with an unusual value. */
export interface Unusual {
  readonly line: number;
  /** A value that occurs once or twice where another one is usual, or a number far from all others. */
  readonly reason: "rare" | "extreme";
  /** Larger is more unusual, within one reason. */
  readonly weight: number;
}

/** Numbers of one field. */
interface Numbers {
  readonly sample: number[];
  /** Every so many values one is taken. */
  step: number;
  count: number;
  /** Largest and smallest values with their lines, the most extreme first. */
  readonly high: number[];
  readonly low: number[];
  readonly highLine: number[];
  readonly lowLine: number[];
}

/** Fields by the hash of where they are. */
export class FieldStore {
  readonly #slots = new Int32Array(SLOTS);
  readonly #ids = new Int32Array(MOST_FIELDS);
  /** Occurrences of a field, those without a value, its different values, and where each of them was first and last. */
  readonly #counts = new Uint32Array(MOST_FIELDS);
  readonly #missing = new Uint32Array(MOST_FIELDS);
  readonly #used = new Uint8Array(MOST_FIELDS);
  /** What names each of them. */
  readonly #keyed = new Uint8Array(MOST_FIELDS);
  readonly #values = new Int32Array(MOST_FIELDS * VALUES);
  readonly #times = new Uint32Array(MOST_FIELDS * VALUES);
  readonly #first = new Uint32Array(MOST_FIELDS * VALUES);
  readonly #last = new Uint32Array(MOST_FIELDS * VALUES);
  readonly #numbers: (Numbers | undefined)[] = [];
  #size = 0;
  #numeric = 0;

  /** Forgets all fields, as if it were new; making one costs as much as reading a page. */
  clear(): void {
    this.#slots.fill(0);
    this.#counts.fill(0);
    this.#missing.fill(0);
    this.#used.fill(0);
    this.#numbers.length = this.#size = this.#numeric = 0;
  }

  /** The field of a hash; -1 when there are too many. @param keyed What names it. */
  fieldOf(hash: number, keyed = NO_KEY): number {
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    for (let i = 0; i < PROBES; i++) {
      const field = this.#slots[slot]! - 1;
      if (field < 0) {
        const added = this.#newField(hash, slot);
        if (added >= 0) this.#keyed[added] = keyed;
        return added;
      }
      if (this.#ids[field] === hash) return field;
      slot = (slot + 1) & (SLOTS - 1);
    }
    return -1;
  }

  /** Counts a value. */
  count(field: number, value: number, line: number): void {
    const used = this.#used[field]!;
    this.#counts[field]!++;
    if (used > VALUES) return;
    const base = field * VALUES;
    for (let i = base; i < base + used; i++) {
      if (this.#values[i] !== value) continue;
      this.#times[i]!++;
      this.#last[i] = line;
      return;
    }
    this.#used[field] = used + 1;
    if (used === VALUES) return;
    this.#values[base + used] = value;
    this.#times[base + used] = 1;
    this.#first[base + used] = this.#last[base + used] = line;
  }

  /** Takes note of a value that is missing. */
  miss(field: number): void {
    this.#missing[field]!++;
  }

  /** Takes a number of a field. */
  measure(field: number, value: number, line: number): void {
    const numbers = this.#numbers[field] ?? this.#newNumbers(field);
    if (numbers === undefined) return;
    if ((numbers.count++ & (numbers.step - 1)) === 0) {
      addToSample(numbers, value);
    }
    const { high, low } = numbers;
    if (value > high[MOST_EXTREMES - 1]!) {
      insert(high, numbers.highLine, value, line);
    }
    if (-value > low[MOST_EXTREMES - 1]!) {
      insert(low, numbers.lowLine, -value, line);
    }
  }

  /** Lines with rare values and with extreme numbers, in no order. */
  unusual(): Unusual[] {
    const found: Unusual[] = [];
    for (let field = 0; field < this.#size; field++) {
      if (this.#counts[field]! < FEWEST_VALUES) continue;
      this.#addRare(field, found);
      const numbers = this.#numbers[field];
      const areNumbers = numbers !== undefined &&
        numbers.count >=
          NUMERIC * (this.#counts[field]! - this.#missing[field]!);
      if (areNumbers) addExtremes(numbers, found);
    }
    return found;
  }

  #newField(hash: number, slot: number): number {
    if (this.#size === MOST_FIELDS) return -1;
    const field = this.#size++;
    this.#slots[slot] = field + 1;
    this.#ids[field] = hash;
    return field;
  }

  #newNumbers(field: number): Numbers | undefined {
    if (this.#numeric === MOST_NUMERIC) return undefined;
    this.#numeric++;
    return this.#numbers[field] = {
      sample: [],
      step: 1,
      count: 0,
      high: [-Infinity, -Infinity, -Infinity],
      low: [-Infinity, -Infinity, -Infinity],
      highLine: [0, 0, 0],
      lowLine: [0, 0, 0],
    };
  }

  #addRare(field: number, found: Unusual[]): void {
    const used = this.#used[field]!;
    if (used < 2 || used > VALUES) return;
    const count = this.#counts[field]!;
    const isFew = count < LEAST_VALUES;
    // Of a few words behind another one, any may be the only one.
    if (isFew && this.#keyed[field] === NO_KEY) return;
    const most = isFew ? 1 : RARE;
    const usual = this.#usualOf(field, Math.max(most + 1, FREQUENT * count));
    if (usual === undefined) return;
    const base = field * VALUES;
    let given = 0;
    for (let i = base; i < base + used && given < MOST_RARE; i++) {
      // A change that lasts, as of a date, is no rare value; a key says what its value is.
      const isBetween = this.#keyed[field] === KEY ||
        (this.#first[i]! > usual.first && this.#last[i]! < usual.last);
      if (this.#times[i]! > most || !isBetween) continue;
      given++;
      found.push({
        line: this.#first[i]!,
        reason: "rare",
        weight: count / this.#times[i]!,
      });
    }
  }

  /** Where the usual values of a field are first and last; `undefined` where too many are, or they are too few. */
  #usualOf(field: number, least: number) {
    const base = field * VALUES;
    let usual = 0;
    let kinds = 0;
    let first = Infinity;
    let last = 0;
    for (let i = base; i < base + this.#used[field]!; i++) {
      if (this.#times[i]! < least) continue;
      kinds++;
      usual += this.#times[i]!;
      first = Math.min(first, this.#first[i]!);
      last = Math.max(last, this.#last[i]!);
    }
    const count = this.#counts[field]!;
    const most = this.#keyed[field] === NO_KEY ? 1 : MOST_USUAL;
    const areUsual = kinds <= most &&
      usual >= Math.min(DOMINANT * count, count - 1);
    return areUsual ? { first, last } : undefined;
  }
}

/** Halves a sample that is full, and takes every second value from then on. */
function addToSample(numbers: Numbers, value: number): void {
  const { sample } = numbers;
  if (sample.length === SAMPLE) {
    for (let i = 0; i < SAMPLE / 2; i++) sample[i] = sample[2 * i]!;
    sample.length = SAMPLE / 2;
    numbers.step *= 2;
  }
  sample.push(value);
}

function insert(
  ends: number[],
  lines: number[],
  value: number,
  line: number,
): void {
  let at = MOST_EXTREMES - 1;
  for (; at > 0 && ends[at - 1]! < value; at--) {
    ends[at] = ends[at - 1]!;
    lines[at] = lines[at - 1]!;
  }
  ends[at] = value;
  lines[at] = line;
}

function addExtremes(numbers: Numbers, found: Unusual[]): void {
  if (numbers.high[0] === -numbers.low[0]!) return;
  const sample = new Float64Array(numbers.sample);
  if (numbers.count < LEAST_VALUES) {
    const extreme = extremeOfFew(sample);
    if (extreme === undefined) return;
    const lines = extreme === numbers.high[0]
      ? numbers.highLine
      : numbers.lowLine;
    found.push({ line: lines[0]!, reason: "extreme", weight: 1 });
    return;
  }
  const range = rangeOf(sample);
  if (range === undefined) return;
  addEnd(numbers.high, numbers.highLine, { sign: 1, range, found });
  addEnd(numbers.low, numbers.lowLine, { sign: -1, range, found });
}

function addEnd(
  ends: readonly number[],
  lines: readonly number[],
  { sign, range, found }: { sign: number; range: Range; found: Unusual[] },
): void {
  for (let i = 0; i < MOST_EXTREMES; i++) {
    const weight = Number.isFinite(ends[i]!)
      ? excessOf(sign * ends[i]!, range)
      : 0;
    if (weight === 0) return;
    found.push({ line: lines[i]!, reason: "extreme", weight });
  }
}
