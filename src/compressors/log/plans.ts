/** Plans of changes to resources, as Terraform prints them: what becomes of each resource, and which changes are not those of the others. @module */
import { lineAt, type Lines } from "../../text/lines.ts";

/** A plan within a log. */
export interface Plan {
  /** What is planned, ascending. */
  readonly resources: readonly Resource[];
  /** 1 for a line that belongs to a resource. */
  readonly inside: Uint8Array;
  /** Changes that few resources share, causes of a replacement, and an example of each usual change; with the lines that they are below. */
  readonly stays: readonly number[];
  /** The same where there are too many of them: kept while there is room. */
  readonly wanted: readonly number[];
}

/** A resource of a plan. */
export interface Resource {
  /** Line that names it and says what becomes of it. */
  readonly head: number;
  /** Line behind its last. */
  readonly end: number;
  /** Its whole name. */
  readonly address: string;
  /** `updated in-place`, `destroyed`. */
  readonly action: string;
  /** All that is in it comes or goes. */
  readonly isWhole: boolean;
  /** Its changed lines, ascending. */
  readonly changes: readonly Change[];
}

/** A changed line. */
export interface Change {
  /** Index of the line. */
  readonly line: number;
  /** Lines that it is below, without that of the resource. */
  readonly above: readonly number[];
  /** `~ description`. */
  readonly name: string;
  /** What is behind the name. */
  readonly value: string;
  /** Equal for the same name at the same place of any resource. */
  readonly key: string;
}

/** What resources have in one place. */
interface Attribute {
  count: number;
  readonly exact: Map<string, number>;
  readonly loose: Map<string, number>;
}

/** Resources from which a plan is read as one. */
const FEWEST = 3;
/** Resources that share a change which is still rare, and changes of one name that are all told. */
const RARE = 2;
const FEW = 6;
/** Values of one name of which an example stays. */
const EXAMPLES = 4;
/** Rare changes that stay whatever there is room for; heads of what is replaced or goes. */
const MOST = 150;
const MOST_HEADS = 40;
/** UTF-16 units of a line that are looked at. */
const WIDTH = 400;

/** Lines that a change is below, and blanks before a head. */
const MOST_ABOVE = 16;
const MOST_INDENT = 4;
const SPACE = 32;
const HASH = 35;

const HEAD =
  /^ {0,4}# (\S.{0,300}?) (?:(?:will|must) be |has (?=changed|been ))(\S.*)$/;
const OPENER = /^[-+~/<=> ]{0,5}(?:resource|data) "/;
const CLOSER = /^ {4}\}/;
const OUTSIDE = /^\S/;
const REASON = /^ *# \(/;
const CHANGE = /^( *)(-\/\+|\+\/-|[-+~]) +(\S.*)$/;
const OPENS = /[[{(]$|<<[-~]?\w+$/;
const FORCES = "# forces replacement";
const UNKNOWN = /\(known after apply\),?$/;
const DANGEROUS = /^(?:replaced|destroyed|deleted)/;
const WHOLE = /^(?:created|destroyed|read|deleted)/;
const NUMBERS = /[\da-f]{6,}|\d+/g;

/** Reads the plan that a log holds. @param lines The messages of the log. @returns `undefined` where there is none. O(n). */
export function readPlan(lines: Lines): Plan | undefined {
  const resources: Resource[] = [];
  const inside = new Uint8Array(lines.count);
  for (let at = 0; at < lines.count; at++) {
    if (!mayBeHead(lines, at)) continue;
    const [, address, action] = HEAD.exec(startOf(lines, at)) ?? [];
    if (address === undefined || action === undefined) continue;
    const isWhole = WHOLE.test(action);
    const body = bodyAt(lines, at);
    resources.push({ head: at, address, action, isWhole, ...body });
    inside.fill(1, at, body.end);
    at = body.end - 1;
  }
  return resources.length < FEWEST
    ? undefined
    : { resources, inside, ...stayingIn(lines, resources) };
}

function mayBeHead({ codes, starts }: Lines, line: number): boolean {
  let at = starts[line] ?? 0;
  const last = at + MOST_INDENT;
  while (at < last && codes[at] === SPACE) at++;
  return codes[at] === HASH;
}

function startOf(lines: Lines, line: number): string {
  return lineAt(lines, line).slice(0, WIDTH).trimEnd();
}

/** A line that others are below. */
interface Above {
  readonly indent: number;
  readonly line: number;
  readonly key: string;
}

/** What is below the head of a resource. */
function bodyAt(
  lines: Lines,
  head: number,
): Pick<Resource, "end" | "changes"> {
  const changes: Change[] = [];
  const above: Above[] = [];
  let isOpen = false;
  let end = head + 1;
  for (; end < lines.count; end++) {
    const line = startOf(lines, end);
    if (!isOpen) {
      isOpen = OPENER.test(line);
      if (isOpen || REASON.test(line)) continue;
      break;
    }
    if (CLOSER.test(line)) {
      end++;
      break;
    }
    if (HEAD.test(line) || OUTSIDE.test(line)) break;
    const change = changeIn(line, end, above);
    if (change !== undefined) changes.push(change);
  }
  return { end, changes };
}

/** Reads a changed line. @param above Lines that it may be below; changed to those that the next one may be below. */
function changeIn(
  said: string,
  line: number,
  above: Above[],
): Change | undefined {
  const [, blanks, sign = "", text = ""] = CHANGE.exec(said) ?? [];
  if (blanks === undefined) return undefined;
  const indent = blanks.length;
  while ((above.at(-1)?.indent ?? -1) >= indent) above.pop();
  const cut = text.indexOf(" = ");
  const name = `${sign} ${cut < 0 ? text : text.slice(0, cut).trimEnd()}`;
  const key = `${above.at(-1)?.key ?? ""}/${name}`.slice(-WIDTH);
  const value = cut < 0 ? "" : text.slice(cut + 3);
  const change = { line, above: above.map((one) => one.line), name, value };
  if (above.length < MOST_ABOVE && OPENS.test(text)) {
    above.push({ indent, line, key });
  }
  return { ...change, key };
}

function stayingIn(
  lines: Lines,
  resources: readonly Resource[],
): Pick<Plan, "stays" | "wanted"> {
  const attributes = attributesOf(resources);
  const shown = new Map<string, Set<string>>();
  const stays = new Set<number>();
  const wanted = new Set<number>();
  let rare = 0;
  let heads = 0;
  const keep = ({ head, end }: Resource, { line, above }: Change) => {
    const chosen = rare <= MOST ? stays : wanted;
    for (const one of [head, ...above, line]) chosen.add(one);
    for (let at = head + 1; at < end && isReason(lines, at); at++) {
      chosen.add(at);
    }
  };
  for (const resource of resources) {
    const { head, end, action, changes, isWhole } = resource;
    if (DANGEROUS.test(action)) {
      (++heads <= MOST_HEADS ? stays : wanted).add(head);
      for (let at = head + 1; at < end && isReason(lines, at); at++) {
        if (heads <= MOST_HEADS) stays.add(at);
      }
    }
    for (const change of changes) {
      const attribute = attributes.get(change.key);
      if (attribute === undefined) continue;
      const isForced = lineAt(lines, change.line).includes(FORCES);
      if (isForced || isRare(change, attribute, isWhole)) {
        rare++;
        keep(resource, change);
      } else if (!isWhole && isExample(change, attribute, shown)) {
        keep(resource, change);
      }
    }
  }
  return { stays: [...stays], wanted: [...wanted] };
}

function isReason(lines: Lines, line: number): boolean {
  return REASON.test(startOf(lines, line));
}

function attributesOf(
  resources: readonly Resource[],
): ReadonlyMap<string, Attribute> {
  const found = new Map<string, Attribute>();
  for (const { changes } of resources) {
    for (const { key, value } of changes) {
      const known = found.get(key) ??
        { count: 0, exact: new Map(), loose: new Map() };
      known.count++;
      count(known.exact, value);
      count(known.loose, looseOf(value));
      found.set(key, known);
    }
  }
  return found;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function looseOf(value: string): string {
  return value.replace(NUMBERS, "0");
}

/** Whether few resources have a change, or have this value where most others share theirs. */
function isRare(
  { value }: Change,
  { count, exact, loose }: Attribute,
  isWhole: boolean,
): boolean {
  if (UNKNOWN.test(value)) return false;
  // Of what comes or goes as a whole each name is a change.
  if (count <= FEW) return !isWhole && (exact.get(value) ?? 0) <= RARE;
  if ((exact.get(value) ?? 0) > RARE) return false;
  if (2 * exact.size <= count) return true;
  return 2 * loose.size <= count && (loose.get(looseOf(value)) ?? 0) <= RARE;
}

/** Whether a usual change is the first of its value; of values that are all different, the first of its name. */
function isExample(
  { key, value }: Change,
  { count, exact }: Attribute,
  shown: Map<string, Set<string>>,
): boolean {
  if (UNKNOWN.test(value)) return false;
  const known = shown.get(key) ?? new Set();
  shown.set(key, known);
  const isNew = known.size < EXAMPLES &&
    !known.has(2 * exact.size > count ? "" : value);
  if (isNew) known.add(2 * exact.size > count ? "" : value);
  return isNew;
}
