/** The many names of one model. @module */
import type { Family } from "./rates.ts";

/** Characters of a name; a longer one is no model, and not worth looking at. */
const MAX_NAME_CHARS = 200;

/** Tokens of the context window that a client asks for with `[1m]`. */
const LONG_CONTEXT = 1_000_000;

/** One way to make a name plainer; applied in this order, each to what the one before left. */
const PLAINER: readonly ((name: string) => string)[] = [
  // `[1m]`, as clients write the size of the context window.
  (name) => name.replace(/\[\d+[km]\]$/, ""),
  // Region and maker, as in `us.maker.claude-…`.
  (name) => name.replace(/^(?:[a-z][a-z-]*\.)+(?=[a-z])/, ""),
  // `-v1:0`: of a deployment, not of the model.
  (name) =>
    name.startsWith("claude-") ? name.replace(/-v\d+(?::\w+)*$/, "") : name,
  (name) => name.replace(/@[\w.-]+$/, ""),
  (name) => name.replace(/-latest$/, ""),
  (name) => name.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, ""),
  (name) => name.startsWith("gemini-") ? name.replace(/-\d{3}$/, "") : name,
  // `claude-opus-4-0` is an alias of the first version 4.
  (name) => name.replace(/^(claude-[a-z]+-\d)-0$/, "$1"),
  // Some resellers write `claude-sonnet-4.5`.
  (name) =>
    name.startsWith("claude-") ? name.replace(/(\d)\.(?=\d)/g, "$1-") : name,
];

/**
 * Names under which a model may be listed, the exact one first, then without what stands before and after it:
 * prefixes up to a slash, region and maker, `[1m]`, version, `-latest`, date.
 *
 * A name is never shortened to another model's: `gpt-4o-mini` has no candidate `gpt-4o`.
 *
 * @param model As in a request, in any case; spaces around it do not count.
 * @returns Lower-case, each once; none for an empty name or one above 200 characters.
 */
export function candidateNames(model: string): readonly string[] {
  if (model.length > MAX_NAME_CHARS) return [];
  let name = model.trim().toLowerCase();
  if (name === "") return [];
  const names = new Set([name]);
  for (let slash = name.indexOf("/"); slash >= 0; slash = name.indexOf("/")) {
    name = name.slice(slash + 1);
    names.add(name);
  }
  for (const plainer of PLAINER) {
    name = plainer(name);
    names.add(name);
  }
  names.delete("");
  return [...names];
}

/** Tokens of context that the name itself asks for; `undefined` where it does not. */
export function namedContext(model: string): number | undefined {
  return /\[1m\]\s*$/i.test(model.slice(-MAX_NAME_CHARS))
    ? LONG_CONTEXT
    : undefined;
}

/** What an unlisted name says about its model. */
interface NamePattern {
  /** As the documentation writes it. */
  readonly pattern: string;
  /** The listed model whose prices are taken. */
  readonly like: string;
  /** Context limit in tokens. */
  readonly limit: number;
}

/** The first that fits counts: a part of a name stands before the whole. */
const PATTERNS: readonly (NamePattern & { readonly fits: RegExp })[] = [
  {
    pattern: "*opus*",
    fits: /(?<![a-z])opus(?![a-z])/,
    like: "claude-opus-5",
    limit: 200_000,
  },
  {
    pattern: "*sonnet*",
    fits: /(?<![a-z])sonnet(?![a-z])/,
    like: "claude-sonnet-4-6",
    limit: 200_000,
  },
  {
    pattern: "*haiku*",
    fits: /(?<![a-z])haiku(?![a-z])/,
    like: "claude-haiku-4-5",
    limit: 200_000,
  },
  {
    pattern: "gpt-4o-mini*",
    fits: /^gpt-4o-mini(?![a-z0-9])/,
    like: "gpt-4o-mini",
    limit: 128_000,
  },
  {
    pattern: "gpt-4o*",
    fits: /^gpt-4o(?![a-z0-9])/,
    like: "gpt-4o",
    limit: 128_000,
  },
  {
    pattern: "o1-mini*, o3-mini*",
    fits: /^o[13]-mini(?![a-z0-9])/,
    like: "o3-mini",
    limit: 200_000,
  },
  { pattern: "o1*", fits: /^o1(?![a-z0-9])/, like: "o1", limit: 200_000 },
  { pattern: "o3*", fits: /^o3(?![a-z0-9])/, like: "o3", limit: 200_000 },
];

/**
 * What a name that is listed nowhere says about its model; `undefined` for nothing.
 *
 * Where a tier's prices differ between its models, those of a dear recent one are taken:
 * a budget had better be spent too early than too late.
 */
export function patternOf(model: string): NamePattern | undefined {
  const name = candidateNames(model).at(-1);
  return name === undefined
    ? undefined
    : PATTERNS.find(({ fits }) => fits.test(name));
}

/** Whose habits the prices of a model follow, by its name. */
export function familyOf(model: string): Family {
  const name = candidateNames(model).at(-1) ?? "";
  if (/^claude\b|(?<![a-z])(?:opus|sonnet|haiku)(?![a-z])/.test(name)) {
    return "claude";
  }
  if (/^(?:gpt-(?!oss)|chatgpt-|codex-|o\d(?![a-z0-9]))/.test(name)) {
    return "gpt";
  }
  return name.startsWith("gemini-") ? "gemini" : undefined;
}
