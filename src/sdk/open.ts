/** The library's composition root: compression in this process, without a proxy. @module */
import { ccrKey } from "../ccr/key.ts";
import type { CcrEntry } from "../core/store.ts";
import { openRouter } from "../open_router.ts";
import { toolPolicy } from "../pipeline/tool_policy.ts";

/** What helps to compress one text. */
export interface CompressTextOptions {
  /** Tool that printed the text; decides like in the proxy what may be left out. */
  readonly toolName?: string;
  /** What the reader looks for. */
  readonly query?: string;
  /** Only forms that can be turned back; default false. */
  readonly lossless?: boolean;
  /** Model whose tokens are counted; default: the encoding of current models. */
  readonly model?: string;
}

/** One text after compression. */
export interface CompressedText {
  /** The text to use: the given one when nothing was gained. */
  readonly text: string;
  /** Tokens of the given text. */
  readonly tokensBefore: number;
  /** Tokens of `text`. */
  readonly tokensAfter: number;
  /** Id of the compressor; empty when the text was left alone. */
  readonly strategy: string;
  /** Why the text was left alone, as a slug; absent when it was not. */
  readonly reason?: string;
}

/** Compression of single texts. */
export interface Library {
  /** Compresses one text; never throws for its content's sake. */
  compressText(
    text: string,
    options?: CompressTextOptions,
  ): Promise<CompressedText>;
}

/** What the library needs from outside. */
export interface LibraryParts {
  /** Keeps an original before the text with its marker is handed out; if it rejects, nothing is left out of the text. */
  readonly keep: (entry: CcrEntry) => Promise<void>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** A text after compression, and the original that must be kept before it may be handed out. */
interface Candidate {
  readonly result: CompressedText;
  readonly original?: CcrEntry;
}

/** Loads what compression needs. */
export async function openLibrary(parts: LibraryParts): Promise<Library> {
  const { decide, counter } = await openRouter();
  const candidate = (
    text: string,
    options: CompressTextOptions,
    mayElide: boolean,
  ): Candidate => {
    const { toolName = "", query = "", model = "" } = options;
    const policy = toolPolicy(toolName, undefined);
    const tokensBefore = counter.count(text, model);
    const alone = (reason: string): Candidate => ({
      result: {
        text,
        tokensBefore,
        tokensAfter: tokensBefore,
        strategy: "",
        reason,
      },
    });
    if (policy.rule === "never") return alone("never_compressed_tool");
    const { rule } = policy;
    const job = { text, toolName, rule, path: "", query, mayElide, model };
    const decision = decide(job);
    if (decision.type !== "form") return alone(decision.reason);
    const { strategy, tokensAfter, elision } = decision;
    const form = JSON.parse(new TextDecoder().decode(decision.literal));
    const result = { text: form, tokensBefore, tokensAfter, strategy };
    if (elision === undefined) return { result };
    const original = {
      key: ccrKey(text),
      original: text,
      strategy,
      toolName,
      originalTokens: tokensBefore,
      originalItems: elision.total,
      keptItems: elision.kept,
      storedAt: parts.now(),
    };
    return { result, original };
  };
  const isKept = (original: CcrEntry) =>
    parts.keep(original).then(() => true, () => false);
  return {
    compressText: async (text, options = {}) => {
      const { result, original } = candidate(text, options, !options.lossless);
      if (original === undefined || await isKept(original)) return result;
      // Only forms that need no original are left.
      return candidate(text, options, false).result;
    },
  };
}
