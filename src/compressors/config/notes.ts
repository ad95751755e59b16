/** What a note says of entries that are left out: their names, and the main values of large ones. @module */
import { COMMENT, KEY, OPEN, SECTION } from "./scan_line.ts";
import { childrenOf, type Tree } from "./siblings.ts";
import type { ConfigView } from "./view.ts";

/** UTF-16 units of all names in a note: of list items, and of keys, which are facts of their own. */
const LONGEST_ITEMS = 420;
const LONGEST_KEYS = 1200;
/** UTF-16 units of one name. */
const LONGEST_NAME = 60;
/** Keys below a key that are told with it. */
const MOST_BELOW = 4;
/** An entry of more lines is told with its main values, so many of them, of so many lines looked at. */
const LARGE_ENTRY = 12;
const MOST_VALUES = 8;
const LOOKED_AT = 400;
/** UTF-16 units of such a value. */
const LONGEST_VALUE = 48;

/** A comment that is a setting: `#port = 5432`. */
const SWITCHED_OFF = /^[#;]([A-Za-z_][\w.-]+)\s*=(?!=)/;

/** Keys that name an entry, the best first. */
const NAMING = ["name", "id", "key", "title", "host", "type", "path"];
/** Keys whose values a reader asks for first. */
const STATE = new Set(
  ("image version replicas readyReplicas phase state ready restartCount enabled reason host hostname port url nodeName " +
    "podIP").split(" "),
);
/** Keys whose values are told only where they differ from those of the first entry. */
const PLACE = new Set(
  "namespace hostIP containerPort nodePort schedule kind type".split(" "),
);

/** Whether an entry is told with its values, in a note of its own: an item, or a key with main values right below. */
export function isLarge(view: ConfigView, tree: Tree, entry: number): boolean {
  if (tree.ends[entry]! - entry <= LARGE_ENTRY) return false;
  return view.dashes[entry] === 1 || childrenOf(tree, entry).some((child) => {
    const key = view.kinds[child] === KEY ? keyOf(view, child) : "";
    return STATE.has(key) || PLACE.has(key);
  });
}

/** `12 items: a, b, c`; as many names as there is room for. */
export function namesOf(
  view: ConfigView,
  tree: Tree,
  entries: readonly number[],
): string {
  const isList = view.dashes[entries[0]!] === 1;
  const room = isList ? LONGEST_ITEMS : LONGEST_KEYS;
  const names: string[] = [];
  let used = 0;
  for (const entry of entries) {
    const name = isList
      ? itemName(view, tree, entry)
      : keyName(view, tree, entry);
    used += name.length + 2;
    if (used > room && names.length > 0) break;
    names.push(name);
  }
  const more = entries.length - names.length;
  const grouped = more > 0 ? groupsOf(view, entries, room) : "";
  if (grouped !== "") return `${entries.length} keys: ${grouped}`;
  if (more > 0) names.push(`and ${more} more`);
  return `${entries.length} ${wordFor(view, entries)}: ${names.join(", ")}`;
}

/** `net.ipv4.* 120, vm.* 40`: keys by what they start with; empty when they have no such parts or too many. */
function groupsOf(
  view: ConfigView,
  entries: readonly number[],
  room: number,
): string {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const parts = keyOf(view, entry).split(".");
    if (parts.length < 2) return "";
    const start = parts.slice(0, Math.min(2, parts.length - 1)).join(".");
    counts.set(start, (counts.get(start) ?? 0) + 1);
  }
  const said = [...counts].map(([start, count]) => `${start}.* ${count}`)
    .join(", ");
  return said.length <= room ? said : "";
}

/** `comment`, with the names of the settings that stand in it: `comment: switched off port, ssl`. Linear in the lines. */
export function commentAbout(
  { lines, kinds }: ConfigView,
  from: number,
  to: number,
): string {
  const names: string[] = [];
  let used = 0;
  for (let i = from; i < to && used < LONGEST_ITEMS; i++) {
    if (kinds[i] !== COMMENT) continue;
    const start = lines.starts[i]!;
    const head = lines.text.slice(start, start + LONGEST_NAME);
    const name = SWITCHED_OFF.exec(head)?.[1];
    if (name === undefined) continue;
    names.push(name);
    used += name.length + 2;
  }
  return names.length === 0
    ? "comment"
    : `comment: switched off ${names.join(", ")}`;
}

function wordFor(view: ConfigView, entries: readonly number[]): string {
  const isList = view.dashes[entries[0]!] === 1;
  const isSection = view.kinds[entries[0]!] === SECTION;
  const word = isList ? "item" : isSection ? "section" : "key";
  return entries.length === 1 ? word : `${word}s`;
}

/** `web-2: image shop/web:1.4, phase Running`. */
export function valuesOf(view: ConfigView, tree: Tree, entry: number): string {
  const isItem = view.dashes[entry] === 1;
  const name = isItem
    ? itemName(view, tree, entry)
    : keyName(view, tree, entry);
  const parent = view.parents[entry]!;
  const siblings = childrenOf(tree, parent < 0 ? view.kinds.length : parent);
  const first = mainValues(view, tree, siblings[0]!);
  const values: string[] = [];
  for (const [key, value] of mainValues(view, tree, entry)) {
    const isTold = STATE.has(key) || first.get(key) !== value;
    if (isTold && values.length < MOST_VALUES) values.push(`${key} ${value}`);
  }
  return values.length === 0 ? name : `${name}: ${values.join(", ")}`;
}

/** The first value of each main key in an entry. */
function mainValues(
  view: ConfigView,
  tree: Tree,
  entry: number,
): Map<string, string> {
  const values = new Map<string, string>();
  const end = Math.min(tree.ends[entry]!, entry + LOOKED_AT);
  for (let i = entry; i < end; i++) {
    if (view.kinds[i] !== KEY) continue;
    const key = keyOf(view, i);
    if (values.has(key) || !STATE.has(key) && !PLACE.has(key)) continue;
    const value = valueOf(view, i);
    if (value !== "" && value.length <= LONGEST_VALUE) values.set(key, value);
  }
  return values;
}

/** The value that names a list item, or what it says. */
function itemName(view: ConfigView, tree: Tree, entry: number): string {
  const named = new Map<string, number>();
  const look = (line: number) => {
    if (view.kinds[line] !== KEY) return;
    const key = keyOf(view, line);
    if (!named.has(key)) named.set(key, line);
  };
  look(entry);
  for (const child of childrenOf(tree, entry)) {
    look(child);
    if (view.kinds[child] !== OPEN || keyOf(view, child) !== "metadata") {
      continue;
    }
    childrenOf(tree, child).forEach(look);
  }
  for (const key of NAMING) {
    const line = named.get(key);
    if (line !== undefined) return cut(valueOf(view, line));
  }
  return cut(bodyOf(view, entry));
}

/** A key, and the keys below it when they are few and lead on: `/users get post`. */
function keyName(view: ConfigView, tree: Tree, entry: number): string {
  const key = cut(keyOf(view, entry));
  const below = [...childrenOf(tree, entry)];
  const leadOn = below.length <= MOST_BELOW &&
    below.every((child) => view.kinds[child] === OPEN && !view.dashes[child]);
  return leadOn
    ? [key, ...below.map((child) => cut(keyOf(view, child)))].join(" ")
    : key;
}

function keyOf({ lines, keyAt, keyEnd }: ConfigView, line: number): string {
  return lines.text.slice(keyAt[line]!, keyEnd[line]!);
}

function valueOf({ lines, valueAt }: ConfigView, line: number): string {
  return lines.text.slice(valueAt[line]!, lines.starts[line + 1]! - 1)
    .trimEnd();
}

function bodyOf({ lines, keyAt }: ConfigView, line: number): string {
  return lines.text.slice(keyAt[line]!, lines.starts[line + 1]! - 1).trimEnd();
}

function cut(name: string): string {
  return name.length > LONGEST_NAME
    ? `${name.slice(0, LONGEST_NAME)}…`.toWellFormed()
    : name;
}
