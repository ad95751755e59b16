/** What a running proxy says of its settings. @module */
import type { ConfigSources } from "./config_parts.ts";
import { resolve } from "node:path";
import type { Reloaded } from "../core/app_io.ts";
import { refuseOwnAddress } from "./own_address.ts";
import { SETTINGS } from "./registry.ts";
import { type Config, resolveConfig } from "./resolve.ts";
import type { TextValues } from "./row.ts";
import { keysOf } from "./store.ts";

/**
 * Makes what looks whether other stored values could be used with the environment and the command line of a running
 * proxy.
 *
 * @returns Throws a {@linkcode RangeError} where they could not.
 */
export function checkFor(config: Config): (stored: TextValues) => void {
  const given = Object.entries(config.given)
    .filter(([, { source }]) => source === "flag" || source === "shell")
    .map(([env, { raw }]) => [env, raw] as const);
  const env = Object.fromEntries(given);
  return (stored) => checkTogether({ env, stored, ...places(config) }, []);
}

/**
 * Looks whether values can be used together.
 *
 * @param names Addresses and host names of this machine.
 * @throws {RangeError} If they cannot, or if the stored ones ask for a feature that stays off.
 */
export function checkTogether(
  sources: ConfigSources,
  names: readonly string[],
): void {
  const { host, port, features, given } = resolveConfig(sources);
  refuseOwnAddress(sources, { host, port, names });
  const stored = [SETTINGS.features.env, SETTINGS.interceptToolResults.env]
    .filter((env) => given[env]?.source === "file");
  const refused = features.refused.find((sentence) =>
    stored.some((env) => sentence.includes(env))
  );
  if (refused !== undefined) throw new RangeError(refused);
}

/** Names what was taken over by key, as `POST /settings/apply` answers it. */
export function appliedOf(reloaded: Reloaded) {
  if (reloaded.type === "refused") return reloaded;
  return {
    type: "applied" as const,
    applied: keysOf(reloaded.changed),
    needsRestart: keysOf(reloaded.later),
    ...reloaded.restarts && { restarts: true as const },
  };
}

/** The home directory is not among the settings; where files are is known. */
function places({ paths }: Config) {
  return paths === undefined ? {} : { paths };
}

/**
 * Where requests go, without credentials: the answer to `GET /admin/upstream`.
 */
export function upstreamReport({ upstreams }: Config): object {
  return {
    anthropic: bare(upstreams.messages),
    openai: bare(upstreams.chat),
    vertex: bare(upstreams.vertex),
    foundry: bare(upstreams.foundry),
    // No other program's file is watched for an upstream.
    cc_switch_reconcile: false,
    captured_upstream: null,
  };
}

/**
 * What a launcher must know to reuse a running proxy, without credentials: part of the answer to `GET /health`. Features
 * that this version does not have are off.
 */
export function runningReport(config: Config): object {
  const { mode, upstreams, limits, ccr, features, paths, logs } = config;
  return {
    backend: "anthropic",
    mode,
    optimize: mode !== "passthrough",
    cache: config.responseCache,
    rate_limit: limits.requestsPerMinute !== undefined,
    ccr: ccr.enabled,
    ccr_backend: ccr.backend,
    lossless: config.lossless,
    lossless_compaction: config.losslessCompaction,
    code_aware: config.codeAware,
    memory: false,
    learn: false,
    code_graph: false,
    anthropic_api_url: bare(upstreams.messages),
    openai_api_url: bare(upstreams.chat),
    vertex_api_url: bare(upstreams.vertex),
    foundry_api_url: bare(upstreams.foundry),
    budget_limit_usd: config.budget === undefined
      ? null
      : config.budget.limitNanoUsd / 1e9,
    log_messages: logs.messages,
    stateless: paths === undefined,
    // Who asks was started in another directory.
    workspace: paths === undefined ? null : resolve(paths.workspace),
    rollout_channel: features.channel,
    features: features.enabled,
  };
}

/** A URL without what may be a secret; `null` for none. */
export function bare(url: string | undefined): string | null {
  if (url === undefined) return null;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}
