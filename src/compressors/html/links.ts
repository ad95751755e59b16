/** How links are written: targets without what only tracks, a common start said once, repeated links without their target. @module */
import { IS_HIDDEN, IS_UNSEEN, type Measures } from "./measure.ts";
import { attributeOf, type Page } from "./page.ts";
import { clipped, grouped } from "./text_size.ts";

/** Longer queries and targets are cut. UTF-16 units. */
const LONGEST_QUERY = 120;
const LONGEST_TARGET = 300;
const MOST_PARAMETERS = 40;
/** Links that are read to find a common start. */
const MOST_READ = 5_000;
/** Directories of a target that may be its start. */
const MOST_LEVELS = 8;
/** UTF-16 units that the common start must save. */
const LEAST_SAVED = 80;
const TRACKING =
  /^(?:utm_\w+|fbclid|gclid|gclsrc|dclid|msclkid|mc_[ce]id|_hs\w+|igshid|yclid|ref_src|ref_url|spm|trk|vero_id|oly_\w+_id)=/i;
const SCHEME = /^(?:https?:\/\/|mailto:|tel:)/i;

/** Stands for the common start. */
const SHORT = "~";

/** The target as it is written; cut where a visible `…` is. */
export function shortTarget(target: string): string {
  if (/^data:/i.test(target)) {
    return `data: of ${grouped(target.length)} characters…`;
  }
  const at = target.indexOf("?");
  if (at < 0) return clipped(target, LONGEST_TARGET);
  const hash = target.indexOf("#", at);
  const end = hash < 0 ? target.length : hash;
  const all = target.slice(at + 1, end);
  const query = shortQuery(all);
  const whole = query === all ? all : `${query === "" ? "" : `${query}&`}…`;
  const base = target.slice(0, at);
  return clipped(`${base}?${whole}${target.slice(end)}`, LONGEST_TARGET);
}

/** The first parameters that do not only track, as many as fit. */
function shortQuery(query: string): string {
  const kept: string[] = [];
  let length = 0;
  for (const pair of query.split("&", MOST_PARAMETERS)) {
    if (TRACKING.test(pair)) continue;
    length += pair.length + 1;
    if (length > LONGEST_QUERY) break;
    kept.push(pair);
  }
  return kept.join("&");
}

/** Whether a link leads to another page. */
export function leadsAway(target: string): boolean {
  return target !== "" && !target.startsWith("#") &&
    !/^javascript:/i.test(target);
}

/** The directory, without its final slash, that saves most if it is written as `~`; empty when none does. O(targets). */
export function commonStart(targets: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const target of targets.slice(0, MOST_READ)) {
    if (target.startsWith(SHORT)) return "";
    const scheme = target.indexOf("://");
    let at = scheme < 0 ? 0 : scheme + 3;
    for (let level = 0; level < MOST_LEVELS; level++) {
      at = target.indexOf("/", at + 1);
      if (at < 0 || /[?#…]/.test(target.slice(0, at))) break;
      const start = target.slice(0, at);
      counts.set(start, (counts.get(start) ?? 0) + 1);
    }
  }
  let best = "";
  let most = LEAST_SAVED;
  for (const [start, count] of counts) {
    const saved = (start.length - 1) * (count - 1) - 1;
    if (saved > most) {
      best = start;
      most = saved;
    }
  }
  return best;
}

/** Writes the links of one page. */
export class LinkWriter {
  /** What `~` stands for; empty when it is not used. */
  readonly start: string;
  readonly #seen = new Set<string>();

  /** Takes the targets of all links that will be written. */
  constructor(targets: readonly string[]) {
    this.start = commonStart(targets.map(shortTarget));
  }

  /** What stands before and after the text of a link: `[text](target)`, `<target>`, or `[text]` for one that was told. */
  wrap(text: string, target: string): readonly [string, string] {
    const short = shortTarget(target);
    if (text === short) return SCHEME.test(text) ? ["", ""] : ["<", ">"];
    if (text === short.replace(SCHEME, "")) return ["", ""];
    const key = `${text}\n${target}`;
    if (this.#seen.has(key)) return ["[", "]"];
    this.#seen.add(key);
    return ["[", `](${this.#abbreviated(short)})`];
  }

  #abbreviated(short: string): string {
    return this.start !== "" && short.startsWith(`${this.start}/`)
      ? SHORT + short.slice(this.start.length)
      : short;
  }
}

/** Targets of the visible links in a page that lead away. O(nodes). */
export function targetsOf(
  page: Page,
  { state }: Measures,
  isLeftOut: (node: number) => boolean,
): string[] {
  const targets: string[] = [];
  for (let i = 1; i < page.tags.length;) {
    if (isLeftOut(i) || state[i]! & (IS_UNSEEN | IS_HIDDEN)) {
      i = page.ends[i]!;
      continue;
    }
    if (page.tags[i] === "a") {
      const target = attributeOf(page, i, "href");
      if (target !== undefined && leadsAway(target)) targets.push(target);
    }
    i++;
  }
  return targets;
}
