/** Which machine-made strings of a text are left out. @module */
import { type Digest, digestOf, mayName, MIN_DIGEST_CHARS } from "./digest.ts";
import { LONG_STRING } from "./defaults.ts";
import { lowerBound } from "./order.ts";
import { type QueryHits, type QueryTerms, termsOf } from "./query.ts";
import { keysOf } from "./shape.ts";
import { ARRAY, ESCAPED, keyOf, OBJECT, STRING, type Tape } from "./tape.ts";

/** Values with the same key, or in the same container, from which they are left out. */
const MIN_ALIKE = 3;
/** The same for checksums. */
const MIN_CHECKSUMS = 2;
/** Values with a word of the query up to which each of them matters. */
const RARE_HITS = 20;
const REGISTRY = /^https:\/\/([^\s"?#]{1,200})\/$/;
const FOLDER = "node_modules/";

/** Values that are left out. */
export interface Digests {
  /** Strings, and lists of nothing else; ascending. */
  readonly nodes: Int32Array;
  /** What each of them is. */
  readonly labels: ReadonlyMap<number, string>;
}

/** What must stay. */
interface Asked {
  /** Nodes that report failures, ascending. */
  readonly failures: Int32Array;
  /** What the query's words hit. */
  readonly hits: QueryHits;
  /** What the reader asked for. */
  readonly query: string;
}

/** A string that may be left out. */
interface Candidate extends Digest {
  readonly node: number;
  readonly key: string;
  /** Node of its container. */
  readonly parent: number;
}

/** Finds them: those that do not stand alone, report no failure and are not asked for. Linear. */
export function digestsOf(tape: Tape, asked: Asked): Digests {
  const found = new Finder(tape).run();
  if (found.length === 0) {
    return { nodes: new Int32Array(0), labels: new Map() };
  }
  const byKey = countsOf(found, ({ key }) => key);
  const byParent = countsOf(found, ({ parent }) => parent);
  const stays = stayingNodes(asked);
  const terms = termsOf(asked.query);
  const labels = new Map<number, string>();
  const lists = new Map<number, number>();
  for (const { node, key, parent, label, isChecksum } of found) {
    const alike = Math.max(byKey.get(key)!, byParent.get(parent)!);
    const isAlone = alike < (isChecksum ? MIN_CHECKSUMS : MIN_ALIKE) &&
      tape.end[node]! - tape.start[node]! <= LONG_STRING;
    if (isAlone || stays.has(node) || isAskedFor(key, terms)) continue;
    labels.set(node, label);
    if (tape.kind[parent] !== ARRAY) continue;
    const count = (lists.get(parent) ?? 0) + 1;
    lists.set(parent, count);
    const isAll = count === tape.count[parent] && count > 1;
    if (isAll && tape.key[parent]! > 0) {
      labels.set(parent, `${count} × ${label}`);
    }
  }
  return { nodes: Int32Array.from(labels.keys()).sort(), labels };
}

function countsOf<K>(
  found: readonly Candidate[],
  of: (candidate: Candidate) => K,
): Map<K, number> {
  const counts = new Map<K, number>();
  for (const candidate of found) {
    counts.set(of(candidate), (counts.get(of(candidate)) ?? 0) + 1);
  }
  return counts;
}

function stayingNodes({ failures, hits }: Asked): Set<number> {
  const stays = new Set(failures);
  for (const nodes of hits) {
    if (nodes.length <= RARE_HITS) {
      for (const node of nodes) stays.add(node);
    }
  }
  return stays;
}

/** Whether the query names the key, or a part of it. */
function isAskedFor(key: string, terms: QueryTerms): boolean {
  if (terms.size === 0) return false;
  const lower = key.toLowerCase();
  return terms.has(lower) ||
    lower.split(/[-_.]/).some((part) => terms.has(part));
}

/** Whether something in the subtree of `node` is left out. O(log n). */
export function holdsDigest(
  { nodes }: Digests,
  tape: Tape,
  node: number,
): boolean {
  const at = lowerBound(nodes, node);
  return at < nodes.length && nodes[at]! < tape.next[node]!;
}

/** Looks at each string of a tape once. */
class Finder {
  readonly #tape: Tape;
  readonly #found: Candidate[] = [];
  /** Keys of a shape that may name its records. */
  readonly #names = new Map<number, readonly string[]>();
  /** Start of the links that follow from name and version. */
  #registry: string | undefined;

  constructor(tape: Tape) {
    this.#tape = tape;
  }

  run(): readonly Candidate[] {
    const { kind } = this.#tape;
    for (let node = 1; node < this.#tape.length; node++) {
      if (kind[node] === OBJECT || kind[node] === ARRAY) this.#children(node);
    }
    return this.#found;
  }

  #children(parent: number): void {
    const tape = this.#tape;
    const before = this.#found.length;
    let node = parent + 1;
    for (let i = tape.count[parent]!; i > 0; i--) {
      const size = tape.end[node]! - tape.start[node]!;
      const kind = tape.kind[node]!;
      if (size > MIN_DIGEST_CHARS && (kind === STRING || kind === ESCAPED)) {
        this.#string(node, parent);
      }
      node = tape.next[node]!;
    }
    const found = this.#found.length - before;
    if (found === 0 || found >= MIN_ALIKE) return;
    const isChecksum = this.#found[before]!.isChecksum;
    if (!isChecksum && !this.#isNamed(parent, before)) {
      this.#found.splice(before, 1);
    }
  }

  #string(node: number, parent: number): void {
    const tape = this.#tape;
    const content = tape.text.slice(tape.start[node]! + 1, tape.end[node]! - 1);
    const owner = tape.kind[parent] === ARRAY ? parent : node;
    const key = () => tape.key[owner]! > 0 ? keyOf(tape, owner) : "";
    const digest = digestOf(content, key) ??
      this.#packageLink(content, node, parent);
    if (digest === undefined) return;
    const { label, isChecksum } = digest;
    this.#found.push({ label, isChecksum, node, parent, key: key() });
  }

  /** `…/name/-/name-1.0.0.tgz` next to that version, under that name, from the registry of the others. */
  #packageLink(
    content: string,
    node: number,
    parent: number,
  ): Digest | undefined {
    const tape = this.#tape;
    if (!content.endsWith(".tgz") || tape.key[parent] === 0) return undefined;
    if (tape.key[node] === 0 || keyOf(tape, node) !== "resolved") {
      return undefined;
    }
    const version = memberOf(tape, parent, "version");
    if (version === undefined) return undefined;
    const path = keyOf(tape, parent);
    const folder = path.lastIndexOf(FOLDER);
    const name = folder < 0 ? path : path.slice(folder + FOLDER.length);
    const base = name.slice(name.lastIndexOf("/") + 1);
    const end = `${name}/-/${base}-${version}.tgz`;
    if (!content.endsWith(end)) return undefined;
    const registry = REGISTRY.exec(content.slice(0, -end.length))?.[1];
    if (registry === undefined) return undefined;
    this.#registry ??= registry;
    if (registry !== this.#registry) return undefined;
    return { label: `${registry} link`, isChecksum: true };
  }

  /** Whether something else than what was found since `first` tells the records of a list apart. */
  #isNamed(node: number, first: number): boolean {
    const tape = this.#tape;
    if (tape.kind[node] !== OBJECT || tape.key[node]! > 0) return true;
    const shape = tape.shapes[tape.shape[node]!];
    if (shape === undefined) return true;
    let names = this.#names.get(shape.id);
    if (names === undefined) {
      this.#names.set(shape.id, names = keysOf(shape).filter(mayName));
    }
    const keys = this.#found.slice(first).map(({ key }) => key);
    return names.some((name) => !keys.includes(name));
  }
}

/** Content of a string member; `undefined` when there is none. */
function memberOf(tape: Tape, object: number, key: string): string | undefined {
  let node = object + 1;
  for (let i = tape.count[object]!; i > 0; i--) {
    if (tape.kind[node] === STRING && keyOf(tape, node) === key) {
      return tape.text.slice(tape.start[node]! + 1, tape.end[node]! - 1);
    }
    node = tape.next[node]!;
  }
  return undefined;
}
