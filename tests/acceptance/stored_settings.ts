/** A proxy with a workspace of its own, a log file, and settings that it can read again. */
import { startProxy } from "../../src/cli/start_proxy.ts";
import { denoFiles } from "../../src/cli/files.ts";
import type { RunningProxy } from "../../src/cli/io.ts";
import { makeReload } from "../../src/cli/commands/proxy.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import type { TextValues } from "../../src/settings/row.ts";
import { ignored, textOf } from "./workspace_files.ts";
import { replies, upstreamsAt } from "./world.ts";
import { startUpstream } from "../e2e/upstream.ts";

/** What a test does with it. */
export interface StoredSettings {
  /** Base URL of the proxy. */
  readonly url: string;
  /** Its workspace. */
  readonly workspace: string;
  /** Asks for JSON. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{
    readonly status: number;
    readonly body: Readonly<Record<string, unknown>>;
  }>;
  /** The settings file; `undefined` for none. */
  file(): Promise<string | undefined>;
  /** Its permissions. */
  mode(): Promise<number>;
  /** Writes it as somebody else would. */
  write(text: string): Promise<void>;
  /** A file beside it. */
  beside(ending: string): Promise<string | undefined>;
  /** Audit records, as JSON. */
  audits(): readonly string[];
}

/** Runs `test` with one, and stops it. */
export async function openSettings(
  test: (place: StoredSettings) => Promise<void>,
  more: TextValues = {},
): Promise<void> {
  const workspace = await Deno.makeTempDir();
  const upstream = startUpstream(replies());
  const env: TextValues = {
    ...upstreamsAt(upstream.url),
    SVC_WORKSPACE_DIR: workspace,
    SVC_PORT: "0",
    SVC_CACHE_ENABLED: "false",
    ...more,
  };
  const audits: string[] = [];
  const config = resolveConfig({ env });
  const proxy: RunningProxy = await startProxy(config, {
    log: (_, event, fields) => {
      if (event === "svc_admin_audit") audits.push(JSON.stringify(fields));
    },
    env,
    stderr: ignored,
    clock: { now: Date.now, monotonic: () => performance.now() },
    applySettings: () => reload(),
    place: undefined,
  });
  const reload = makeReload({ flags: {}, stored: {}, config }, proxy, {
    env,
    files: denoFiles(),
    ownNames: () => [],
    missingFor: () => [],
    stderr: ignored,
  });
  const url = `http://127.0.0.1:${proxy.port}`;
  const path = `${workspace}/settings.json`;
  const ask: StoredSettings["ask"] = async (method, path, body, headers) => {
    const response = await fetch(url + path, {
      method,
      ...body !== undefined && { body: JSON.stringify(body) },
      headers: { "content-type": "application/json", ...headers },
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  try {
    await test({
      url,
      workspace,
      ask,
      file: () => textOf(path),
      mode: async () => (await Deno.stat(path)).mode! & 0o777,
      write: (text) => Deno.writeTextFile(path, text),
      beside: (ending) => textOf(path + ending),
      audits: () => audits,
    });
  } finally {
    await proxy.stop();
    await upstream.stop();
    await Deno.remove(workspace, { recursive: true });
  }
}
