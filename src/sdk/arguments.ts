/** What callers hand over, checked: a wrong argument is told at once, in words. @module */
import type {
  CompressOptions,
  HeadroomMode,
  RetrievePart,
} from "./compress_types.ts";
import { ConfigurationError, ValidationError } from "./errors.ts";
import type { MessageFormat } from "./shape.ts";
import { fieldOf } from "./shapes/look.ts";
import type { SvcOptions } from "./svc_types.ts";

/** Values that a member may have, and how that is said. */
interface Check {
  readonly fits: (value: unknown) => boolean;
  readonly must: string;
}

const FORMATS: readonly MessageFormat[] = [
  "anthropic",
  "openai",
  "responses",
  "vercel",
  "google",
];
const MODES: readonly HeadroomMode[] = ["optimize", "audit", "simulate"];

const TEXT: Check = {
  fits: (value) => typeof value === "string",
  must: "a string",
};
const FLAG: Check = {
  fits: (value) => typeof value === "boolean",
  must: "true or false",
};
const FUNCTION: Check = {
  fits: (value) => typeof value === "function",
  must: "a function",
};
const OBJECT: Check = {
  fits: (value) => typeof value === "object" && value !== null,
  must: "an object",
};
function listOf(fits: (one: unknown) => boolean, must: string): Check {
  return { fits: (value) => Array.isArray(value) && value.every(fits), must };
}

const RULES: ReadonlySet<unknown> = new Set(["never", "lossless", "normal"]);

function isToolRule(one: unknown): boolean {
  return typeof fieldOf(one, "pattern") === "string" &&
    RULES.has(fieldOf(one, "rule"));
}

function isOwnCompressor(one: unknown): boolean {
  const compressor = fieldOf(one, "compressor");
  return typeof fieldOf(one, "recognise") === "function" &&
    typeof fieldOf(compressor, "compress") === "function" &&
    typeof fieldOf(compressor, "id") === "string";
}

function oneOf(values: readonly unknown[]): Check {
  return {
    fits: (value) => values.includes(value),
    must: values.map((value) => JSON.stringify(value)).join(", "),
  };
}

function wholeNumber(least: number): Check {
  return {
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= least,
    must: `a whole number, at least ${least}`,
  };
}

/** Whether it names tokens by model. */
export function isLimits(value: unknown): boolean {
  const { fits } = wholeNumber(1);
  return OBJECT.fits(value) && Object.values(Object(value)).every(fits);
}

const COMPRESS: Readonly<Record<keyof CompressOptions, Check>> = {
  model: {
    fits: (value) => typeof value === "string" && value !== "",
    must: "the name of a model",
  },
  tokenBudget: wholeNumber(1),
  outputBufferTokens: wholeNumber(0),
  lossless: FLAG,
  protectRecent: wholeNumber(0),
  protectAnalysisContext: FLAG,
  minTokensToCompress: wholeNumber(0),
  compressUserMessages: FLAG,
  query: TEXT,
  format: oneOf(FORMATS),
  conversation: TEXT,
  headroomMode: oneOf(MODES),
  hooks: OBJECT,
  signal: {
    fits: (value) => value instanceof AbortSignal,
    must: "an AbortSignal",
  },
};

const PART: Readonly<Record<keyof RetrievePart, Check>> = {
  lines: TEXT,
  query: TEXT,
  path: TEXT,
};

const INSTANCE: Readonly<Record<keyof SvcOptions, Check>> = {
  store: OBJECT,
  codeAware: FLAG,
  dedupe: FLAG,
  lossless: FLAG,
  losslessCompaction: FLAG,
  toolPolicy: listOf(
    isToolRule,
    'an array of rules with a "pattern" and "never", "lossless" or "normal" as their "rule"',
  ),
  compressors: listOf(
    isOwnCompressor,
    'an array with a "recognise" function and a "compressor" with an "id" in each element',
  ),
  modelContextLimits: {
    fits: isLimits,
    must:
      "an object with a whole number of tokens, at least 1, by the name of each model",
  },
  hooks: OBJECT,
  onProblem: FUNCTION,
};

/**
 * Checks the arguments of a compression.
 *
 * @throws {ValidationError} If one is of the wrong type; members that are not known are passed over.
 */
export function checkCompress(
  messages: unknown,
  options: CompressOptions,
): void {
  if (!Array.isArray(messages)) {
    throw wrong("messages", messages, "an array");
  }
  checkMembers("options", options, COMPRESS);
}

/**
 * Checks the arguments of a retrieval.
 *
 * @throws {ValidationError} If one is of the wrong type.
 */
export function checkRetrieve(hash: unknown, part: RetrievePart): void {
  if (typeof hash !== "string") throw wrong("hash", hash, "a string");
  checkMembers("part", part, PART);
}

/**
 * Checks what an instance is made with.
 *
 * @throws {ConfigurationError} If a member is of the wrong type.
 */
export function checkOptions(options: SvcOptions): void {
  try {
    checkMembers("options", options, INSTANCE);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ConfigurationError(error.message, error.details);
  }
}

function checkMembers(
  name: string,
  given: unknown,
  checks: Readonly<Record<string, Check>>,
): void {
  if (!OBJECT.fits(given)) throw wrong(name, given, OBJECT.must);
  for (const [key, value] of Object.entries(Object(given))) {
    const check = checks[key];
    if (value === undefined || check === undefined || check.fits(value)) {
      continue;
    }
    throw wrong(`${name}.${key}`, value, check.must);
  }
}

/** An error that tells the value where it is short enough to be no text of a conversation. */
function wrong(name: string, value: unknown, must: string): ValidationError {
  return new ValidationError(
    `Cannot use ${name}${shown(value)}: must be ${must}`,
    { argument: name },
  );
}

function shown(value: unknown): string {
  switch (typeof value) {
    case "number":
    case "boolean":
    case "undefined":
      return `=${value}`;
    case "string":
      return value.length <= MAX_SHOWN ? `=${JSON.stringify(value)}` : "";
    default:
      return value === null ? "=null" : "";
  }
}
const MAX_SHOWN = 40;
