/** Composition of the routes that show and change settings. @module */
import type { AppIo, Reloaded } from "./core/app_io.ts";
import type { Trust } from "./proxy/gates/caller.ts";
import { requireSameOrigin } from "./proxy/gates/same_origin.ts";
import { requireLoopback, requireTrusted } from "./proxy/gates/trusted.ts";
import { admin } from "./proxy/handlers/admin.ts";
import { settings } from "./proxy/handlers/settings.ts";
import type { Route } from "./proxy/routes.ts";
import type { Config } from "./settings/resolve.ts";
import { appliedOf, checkFor, upstreamReport } from "./settings/running.ts";
import { openSettingsFile } from "./settings/settings_file.ts";
import { makeSettingsStore } from "./settings/store.ts";

const NOBODY_READS: Reloaded = {
  type: "refused",
  reason: "this proxy cannot read its settings again",
};

/** The routes, in the order in which they are asked. */
export function settingsRoutes(
  config: Config,
  { log, applySettings }: AppIo,
  trust: Trust,
): Route[] {
  const { get, schema, post, apply } = settings({
    storage: makeSettingsStore({
      file: config.paths && openSettingsFile(config.paths.settings),
      given: config.given,
      check: checkFor(config),
      supervised: config.deployment !== undefined,
    }),
    deployment: config.deployment,
    apply: async () => appliedOf(await applySettings?.() ?? NOBODY_READS),
  });
  const { upstream, runtimeEnv } = admin({
    upstream: () => upstreamReport(config),
  });
  const trusted = [requireTrusted(log, trust), requireSameOrigin(trust)];
  const local = [requireLoopback(log, trust), requireSameOrigin(trust)];
  return [
    { method: "GET", path: "/settings", gates: trusted, handler: get },
    {
      method: "GET",
      path: "/settings/schema",
      gates: trusted,
      handler: schema,
    },
    { method: "POST", path: "/settings", gates: trusted, handler: post },
    {
      method: "POST",
      path: "/settings/apply",
      gates: trusted,
      handler: apply,
    },
    { method: "GET", path: "/admin/upstream", gates: local, handler: upstream },
    {
      method: "POST",
      path: "/admin/runtime-env",
      gates: local,
      handler: runtimeEnv,
    },
  ];
}
