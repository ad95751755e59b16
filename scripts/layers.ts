/** Who may import whom in `src/`, and what may stand where. The rules of CONTRIBUTING.md as data. @module */

/**
 * Folders that each folder may import besides itself and `core`.
 * A file right in `src/` is a folder of its own name.
 */
export const LAYERS: Readonly<Record<string, readonly string[] | "all">> = {
  "core": [],
  "version.ts": [],
  "system_clock.ts": [],
  "build_info.ts": ["version.ts"],
  "bytes": [],
  "text": [],
  "sse": ["bytes"],
  "engine": ["bytes", "text"],
  "compressors": ["bytes", "text", "sse", "engine"],
  "passes": ["bytes", "text", "sse"],
  "providers": ["bytes", "text", "sse"],
  "tokens": ["bytes", "text"],
  "writer": [],
  "ccr": ["bytes", "text", "writer"],
  "cost": ["bytes", "text"],
  "ledger": ["bytes", "text", "writer"],
  "settings": ["bytes", "text"],
  "telemetry": ["bytes", "text", "build_info.ts"],
  "pipeline": ["bytes", "text"],
  "compute": ["pipeline", "tokens", "compressors"],
  "upstream": [],
  "reports": ["bytes", "pipeline"],
  "proxy": ["bytes", "pipeline", "reports", "upstream"],
  "mcp": [],
  "sdk": ["bytes", "text", "sse", "pipeline", "reports", "system_clock.ts"],
  "cli": ["settings", "version.ts", "build_info.ts"],
  "app.ts": "all",
  "app_io.ts": "all",
  "destinations.ts": "all",
  "living.ts": "all",
  "open_compression.ts": "all",
  "open_observers.ts": "all",
  "open_telemetry.ts": "all",
  "own_routes.ts": "all",
  "report_handlers.ts": "all",
  "report_routes.ts": "all",
  "settings_routes.ts": "all",
  "compute_worker.ts": "all",
  "confined_worker.ts": "all",
  "mcp_route.ts": "all",
  "open_router.ts": "all",
  "provider_routes.ts": "all",
  "writer_worker.ts": "all",
};

/** Files that may import everything, against the row of their folder. */
export const COMPOSITION_ROOTS: readonly string[] = [
  "cli/deno_io.ts",
  "cli/start_proxy.ts",
  "mcp/open.ts",
  "sdk/open.ts",
  "sdk/open_store.ts",
  "sdk/svc.ts",
];

/** Folders whose subfolders never import each other; only `registry.ts` names them. */
export const SIBLINGS: readonly string[] = [
  "compressors",
  "passes",
  "providers",
];

/** The outside world: system, network, time, randomness. Elsewhere it comes as a parameter. */
export const AMBIENT =
  /\bDeno\s*\.|(?<![.\w#])fetch\s*\(|\bDate\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)|\bMath\s*\.\s*random\b|\bcrypto\s*\.\s*randomUUID\b/;

/** Files and folders (with a slash) of `src/` that may touch the outside world. */
export const AMBIENT_PLACES: readonly string[] = [
  "app.ts",
  "living.ts",
  "open_observers.ts",
  "mcp_route.ts",
  "build_info.ts",
  "compute/spawn.ts",
  "compute_worker.ts",
  "confined_worker.ts",
  "cli/",
  "proxy/server.ts",
  "ccr/sqlite_store.ts",
  "ccr/open_store.ts",
  "ledger/savings_file.ts",
  "mcp/open.ts",
  "pipeline/worker_pool.ts",
  "sdk/client/",
  "sdk/open.ts",
  "sdk/open_store.ts",
  "sdk/svc.ts",
  "settings/settings_file.ts",
  "system_clock.ts",
  "telemetry/",
  "upstream/forward.ts",
  "upstream/open_upstreams.ts",
  "upstream/transport.ts",
];

/** Names of providers: identifiers, header names, JSON keys. */
export const PROVIDER_NAME = /anthropic|openai/i;

/** Files and folders (with a slash) of `src/` that may name a provider. */
export const PROVIDER_PLACES: readonly string[] = [
  "cli/",
  "providers/",
  "proxy/dashboard_page.ts",
  "sdk/",
  "settings/",
  "upstream/known_hosts.ts",
  "upstream/resolve.ts",
];
