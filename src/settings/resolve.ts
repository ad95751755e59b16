/** Flags, environment and defaults → one frozen configuration. @module */
import type { NamedToolRule } from "../core/decision.ts";
import type { CompressionMode } from "../core/mode.ts";
import { readSetting, type TextSources } from "./given.ts";
import { type Paths, resolvePaths } from "./paths.ts";
import { SETTINGS } from "./registry.ts";
import type { SettingRow } from "./row.ts";
import { unknownVariables } from "./unknown.ts";

/** Everything a user can set, resolved. Frozen, parts included. */
export interface Config {
  /** Address to listen on, an IPv6 literal without brackets. */
  readonly host: string;
  /** Port to listen on; 0 takes any free port. */
  readonly port: number;
  /** What is done to a request that does not say otherwise. */
  readonly mode: CompressionMode;
  /** Upstreams by family: URLs without trailing slash, a path prefix allowed. */
  readonly upstreams: {
    /** Messages traffic. */
    readonly messages: string;
    /** Chat completions and responses traffic. */
    readonly chat: string;
  };
  /** Storage of originals. */
  readonly ccr: {
    /** False: nothing is left out of any text, no markers, no retrieval tool. */
    readonly enabled: boolean;
    /** Where originals are kept; `memory` when stateless. */
    readonly backend: "sqlite" | "memory";
    /** Seconds an original lives after its conversation was last active; at least 1. */
    readonly ttlSeconds: number;
  };
  /** Whether only forms with a byte-exact inverse may be used. */
  readonly lossless: boolean;
  /** Whether source code that tools print may be shortened. */
  readonly codeAware: boolean;
  /** Whether forms that lose nothing may be used. */
  readonly losslessCompaction: boolean;
  /** What happens to results of tools by name; the first rule that fits wins. */
  readonly toolRules: readonly NamedToolRule[];
  /** Whether `x-svc-*` request headers are removed before a request leaves. */
  readonly stripInternalHeaders: boolean;
  /** Largest request body in bytes, decoded. */
  readonly requestBodyMaxBytes: number;
  /** Seconds that one call of the compress route may take. */
  readonly compressionTimeoutSeconds: number;
  /** Where files are kept; `undefined` when stateless: nothing may be written. */
  readonly paths: Paths | undefined;
  /** What the user should be told about values that were not used. One sentence each. */
  readonly warnings: readonly string[];
}

/** Where values come from. */
export interface ConfigSources extends TextSources {
  /** Places of files that win over the environment. */
  readonly paths?: Partial<Paths>;
}

/**
 * Resolves every setting: command line, then environment, then default.
 *
 * @param sources Text values; nothing else is read.
 * @throws {RangeError} If a value cannot be used, or two flags contradict each other. The message names the flag or
 * variable, the value and what is allowed.
 */
export function resolveConfig(sources: ConfigSources): Config {
  const warnings: string[] = unknownVariables(sources.env);
  const read = <T>(row: SettingRow<T>): T =>
    readSetting(row, sources, (text) => void warnings.push(text));
  const stateless = read(SETTINGS.stateless);
  const lossless = read(SETTINGS.lossless);
  const backend = read(SETTINGS.ccrBackend);
  const mode = read(SETTINGS.mode);
  const messages = read(SETTINGS.messagesApiUrl);
  const chat = read(SETTINGS.chatApiUrl);
  warnings.push(...[messages, chat].flatMap(doubledVersion));
  return Object.freeze({
    host: read(SETTINGS.host),
    port: read(SETTINGS.port),
    mode: read(SETTINGS.optimize) ? mode : "passthrough",
    upstreams: Object.freeze({ messages, chat }),
    ccr: Object.freeze({
      enabled: !read(SETTINGS.noCcr) && !lossless,
      backend: stateless ? "memory" : backend,
      ttlSeconds: read(SETTINGS.ccrTtlSeconds),
    }),
    lossless,
    codeAware: read(SETTINGS.codeAware),
    losslessCompaction: read(SETTINGS.losslessCompaction),
    toolRules: Object.freeze([
      ...read(SETTINGS.toolPolicy),
      ...read(SETTINGS.protectToolResults),
    ]),
    stripInternalHeaders: read(SETTINGS.stripInternalHeaders),
    requestBodyMaxBytes: read(SETTINGS.requestBodyMaxBytes),
    compressionTimeoutSeconds: read(SETTINGS.compressionTimeoutSeconds),
    paths: stateless ? undefined : resolvePaths(sources.env, sources.paths),
    warnings: Object.freeze(warnings),
  });
}

/** Request paths begin with `/v1` already, so a base that ends in it is nearly always a slip. */
function doubledVersion(base: string): string[] {
  if (!base.endsWith("/v1")) return [];
  return [
    `Upstream ${base} ends in /v1, and so requests go to ${base}/v1/…; leave /v1 out unless that is meant`,
  ];
}
