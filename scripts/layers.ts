/** Who may import whom in `src/`, and what may stand where. The rules of CONTRIBUTING.md as data. @module */

/**
 * Folders that each folder may import besides itself and `core`.
 * A file right in `src/` is a folder of its own name; without a row it may import everything.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  "core": [],
  "version.ts": [],
  "system_clock.ts": [],
  "build_info.ts": ["version.ts"],
  "bytes": [],
  "text": [],
  "sse": ["bytes"],
  "engine": ["bytes", "text"],
  "compressors": ["bytes", "text", "sse", "engine"],
  "providers": ["bytes", "text", "sse"],
  "tokens": ["bytes", "text"],
  "writer": [],
  "ccr": ["bytes", "text", "writer"],
  "cost": ["bytes", "text"],
  "ledger": ["bytes", "text", "writer"],
  "settings": ["bytes", "text"],
  "telemetry": ["bytes", "text", "build_info.ts"],
  "pipeline": ["bytes", "text"],
  "compute": ["ccr", "pipeline", "tokens", "compressors", "engine"],
  "upstream": ["bytes"],
  "extensions": ["bytes", "pipeline"],
  "reports": ["bytes", "pipeline"],
  "proxy": ["bytes", "pipeline", "reports", "upstream"],
  "mcp": ["bytes"],
  "sdk": ["bytes", "text", "sse", "pipeline", "reports", "system_clock.ts"],
  "cli": ["bytes", "text", "settings", "version.ts", "build_info.ts"],
};

/** Files that may import everything, against the row of their folder. */
export const COMPOSITION_ROOTS: readonly string[] = [
  "cli/deno_io.ts",
  "cli/start_proxy.ts",
  "mcp/open.ts",
  "mcp/own_parts.ts",
  "mcp/route.ts",
  "proxy/destinations.ts",
  "proxy/handlers/report_handlers.ts",
  "sdk/open.ts",
  "sdk/open_store.ts",
  "sdk/svc.ts",
  "telemetry/open_observers.ts",
  "telemetry/open_preview.ts",
];

/** Folders whose subfolders never import each other; only `registry.ts` names them. */
export const SIBLINGS: readonly string[] = [
  "compressors",
  "providers",
];

/** Names of the outside world: system, network, clock, timers, randomness. Elsewhere they come as parameters. */
export const AMBIENT: ReadonlySet<string> = new Set([
  "AbortSignal.timeout",
  "Date.now",
  "Math.random",
  "crypto.getRandomValues",
  "crypto.randomUUID",
  "fetch()",
  "new Date()",
  "performance.now",
  "queueMicrotask()",
  "setImmediate()",
  "setInterval()",
  "setTimeout()",
]);

/** Modules of the runtime that reach the outside world. */
export const AMBIENT_MODULE =
  /^node:(?:child_process|cluster|dgram|dns|fs|http|http2|https|net|os|process|sqlite|timers|tls|worker_threads)(?:\/|$)/;

/** Files and folders (with a slash) of `src/` that may touch the outside world, by reason. */
export const AMBIENT_PLACES: Readonly<Record<string, readonly string[]>> = {
  "puts the parts together": [
    "app.ts",
    "services.ts",
    "mcp/own_parts.ts",
    "provider_routes.ts",
    "system_clock.ts",
    "upstream/open_upstreams.ts",
  ],
  "is a program's surface, with files and processes": ["cli/", "telemetry/"],
  "starts a worker or lives in one": [
    "compute/open_compute.ts",
    "compute/spawn.ts",
    "confined_worker.ts",
    "extension_worker.ts",
    "extensions/extension_host.ts",
    "extensions/open_extensions.ts",
    "pipeline/worker_pool.ts",
    "writer/",
  ],
  "opens or reads a database": [
    "ccr/inspect.ts",
    "ccr/open_store.ts",
    "ccr/sqlite_store.ts",
    "ccr/work.ts",
    "ledger/open_ledger.ts",
    "ledger/open_reader.ts",
    "ledger/work.ts",
  ],
  "reads or writes a file": [
    "build_info.ts",
    "ledger/savings_file.ts",
    "mcp/session_stats.ts",
    "settings/settings_file.ts",
  ],
  "listens, connects or sends": [
    "mcp/open.ts",
    "proxy/server.ts",
    "sdk/client/",
    "upstream/connect.ts",
    "upstream/forward.ts",
    "upstream/transport.ts",
    "upstream/raw_send.ts",
  ],
  "waits with a limit, or does something later": [
    "ccr/unchanged.ts",
    "ledger/answering.ts",
    "ledger/shared_limits.ts",
    "ledger/outbox.ts",
    "mcp/line_transport.ts",
    "proxy/calls_in_flight.ts",
    "proxy/client_body.ts",
    "proxy/disconnects.ts",
    "proxy/handlers/compress.ts",
    "sdk/open_store.ts",
    "upstream/wait.ts",
  ],
  "lets other work have its turn in between": [
    "core/next_turn.ts",
  ],
  "uses a pure function of such a module": [
    "reports/prefix_drift.ts",
    "settings/row.ts",
  ],
};

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
