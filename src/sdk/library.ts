/** Compression of single texts, by whatever decides and counts. @module */
import type {
  CompressedText,
  CompressTextOptions,
} from "../core/compress_text.ts";
import type { BlockJob, Decision, NamedToolRule } from "../core/decision.ts";
import type { CcrEntry, CcrKey } from "../core/store.ts";
import { toolPolicy } from "../pipeline/tool_policy.ts";

/** Compression of single texts. */
export interface Library {
  /** Compresses one text; never throws for its content's sake. */
  compressText(
    text: string,
    options?: CompressTextOptions,
  ): Promise<CompressedText>;
}

/** What decides and counts: in this thread, or in a worker. */
export interface LibraryEngine {
  /** Decides one text; never rejects. */
  readonly decide: (job: BlockJob) => Decision | Promise<Decision>;
  /** Tokens of a text; model empty: the encoding of current models. */
  readonly count: (text: string, model: string) => number | Promise<number>;
  /** Names an original. */
  readonly keyOf: (text: string) => CcrKey;
}

/** What the library needs from outside. */
export interface LibraryParts {
  /** Keeps an original before the text with its marker is handed out; if it rejects, nothing is left out of the text. */
  readonly keep: (entry: CcrEntry) => Promise<void>;
  /** What may happen to the results of tools by name; default what their names tell. */
  readonly toolRules?: readonly NamedToolRule[];
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** A text after compression, and the original that must be kept before it may be handed out. */
interface Candidate {
  readonly result: CompressedText;
  readonly original?: CcrEntry;
}

/** A text without gain. */
function leftAlone(
  text: string,
  tokensBefore: number,
  { reason, looked }: Pick<CompressedText, "reason" | "looked">,
): Candidate {
  const counts = { tokensBefore, tokensAfter: tokensBefore };
  return {
    result: {
      text,
      ...counts,
      strategy: "",
      ...reason !== undefined && { reason },
      ...looked && { looked },
    },
  };
}

/** What the engine makes of a text; nothing is kept yet. */
async function candidateOf(
  { decide, count, keyOf, now, toolRules }: LibraryEngine & LibraryParts,
  text: string,
  options: CompressTextOptions & { readonly mayElide: boolean },
): Promise<Candidate> {
  const { toolName = "", query = "", model = "", path = "" } = options;
  const policy = toolPolicy(toolName, undefined, toolRules);
  const tokensBefore = await count(text, model);
  if (policy.rule === "never") {
    return leftAlone(text, tokensBefore, { reason: "never_compressed_tool" });
  }
  const key = keyOf(text);
  const decision = await decide({
    ...{ text, original: key, toolName, rule: policy.rule, path, query, model },
    mayElide: options.mayElide && !("lossless" in policy && policy.lossless),
    notElided: [],
    options: {
      exact: options.lossless ?? false,
      folds: options.folds ?? true,
      codeAware: options.codeAware ?? false,
    },
  });
  if (decision.type === "failed" || decision.type === "alone") {
    return leftAlone(text, tokensBefore, decision);
  }
  const { strategy, tokensAfter, elision, looked } = decision;
  const form = JSON.parse(new TextDecoder().decode(decision.literal));
  const result = { text: form, tokensBefore, tokensAfter, strategy, looked };
  if (elision === undefined) return { result };
  const original = {
    ...{ key, original: text, strategy, toolName },
    originalTokens: tokensBefore,
    formTokens: tokensAfter,
    originalItems: elision.total,
    keptItems: elision.kept,
    storedAt: now(),
  };
  return { result, original };
}

/** Makes the library. */
export function makeLibrary(
  engine: LibraryEngine,
  parts: LibraryParts,
): Library {
  const isKept = (original: CcrEntry) =>
    parts.keep(original).then(() => true, () => false);
  return {
    compressText: async (text, options = {}) => {
      const all = { ...engine, ...parts };
      const { result, original } = await candidateOf(all, text, {
        ...options,
        mayElide: !options.lossless,
      });
      if (original === undefined || await isKept(original)) return result;
      // Only forms that need no original are left.
      const whole = { ...options, mayElide: false };
      return (await candidateOf(all, text, whole)).result;
    },
  };
}
