/** Links of a page as text. @module */
import { clipped, grouped } from "./phrases.ts";

/** Longer targets are cut. UTF-16 units. */
const LONGEST_TARGET = 300;
/** Links that are read to find a common start. */
const MOST_READ = 5000;

const TRACKING =
  /([?&])(?:(?:utm_\w+|fbclid|gclid|gclsrc|dclid|msclkid|mc_[ce]id|_hs\w+|igshid|yclid|ref_src|ref_url|spm|trk|vero_id)=[^&#]*&?)+/g;
const LONGEST_QUERY = 120;
const LONG_QUERY = /^([^?]*\?[^#]{0,120}&)[^#]+(#.*)?$/s;
const SCHEME = /^(?:https?:\/\/|mailto:|tel:)/i;

/** The target as it is written, without parameters that only track; cut where a visible `…` is. */
export function shortTarget(target: string): string {
  if (/^data:/i.test(target)) {
    return `data: of ${grouped(target.length)} characters…`;
  }
  const clean = target.replace(TRACKING, "$1…");
  const at = clean.indexOf("?");
  const isLong = at >= 0 && clean.length - at > LONGEST_QUERY;
  return clipped(
    isLong ? clean.replace(LONG_QUERY, "$1…$2") : clean,
    LONGEST_TARGET,
  );
}

/** Whether a link leads to another page. */
export function leadsAway(target: string): boolean {
  return target !== "" && !target.startsWith("#") &&
    !/^javascript:/i.test(target);
}

/** The directory that saves most if `~` stands for it, without its final slash; empty when none does. O(targets). */
function commonStart(targets: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const target of targets.slice(0, MOST_READ)) {
    const [host = ""] = /^(?:[\w.+-]+:\/\/)?[^/?#…]*\//.exec(target) ?? [];
    const [path = ""] = /^[^?#…]*/.exec(target.slice(host.length)) ?? [];
    let start = host.slice(0, -1);
    for (const name of [...path.split("/", 8).slice(0, -1), ""]) {
      if (start !== "") counts.set(start, (counts.get(start) ?? 0) + 1);
      if (name === "") break;
      start += `/${name}`;
    }
  }
  let best = "";
  let most = 80;
  for (const [start, count] of counts) {
    const saved = (start.length - 1) * (count - 1) - 1;
    if (saved > most) [best, most] = [start, saved];
  }
  return best;
}

/** How the links of one page are written. */
export class Links {
  /** What `~` stands for; empty when it is not used. */
  readonly start: string;
  readonly #seen = new Set<string>();
  readonly #short = new Map<string, string>();

  /** Takes the targets of all links. */
  constructor(targets: readonly string[]) {
    const all = targets.filter(leadsAway).map((one) => this.#shortOf(one));
    this.start = all.some((target) => target.startsWith("~"))
      ? ""
      : commonStart(all);
  }

  /** What is before and after the text of a link: `[text](target)`, `<target>`, or `[text]` for one that was written before. */
  around(text: string, target: string): readonly [string, string] {
    const short = this.#shortOf(target);
    if (text === short) return SCHEME.test(text) ? ["", ""] : ["<", ">"];
    if (text === short.replace(SCHEME, "")) return ["", ""];
    const key = `${text}\n${target}`;
    if (this.#seen.has(key)) return ["[", "]"];
    this.#seen.add(key);
    const isShort = this.start !== "" && short.startsWith(`${this.start}/`);
    return [
      "[",
      `](${isShort ? `~${short.slice(this.start.length)}` : short})`,
    ];
  }

  /** A target is asked for twice: as one of all, and where it is written. */
  #shortOf(target: string): string {
    const known = this.#short.get(target);
    if (known !== undefined) return known;
    const short = shortTarget(target);
    this.#short.set(target, short);
    return short;
  }
}
