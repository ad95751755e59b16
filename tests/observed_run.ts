/** A workspace, a server that all exports are sent to, and the variables that say so. */
import { startCollector } from "./telemetry/export_samples.ts";

/** What a test works with. */
export interface ObservedRun {
  readonly env: Record<string, string>;
  /** Of the server. */
  readonly url: string;
  readonly workspace: string;
}

/** Runs `body`. @returns Paths that the server was asked for, then what `body` gives. */
export async function withRun(
  body: (run: ObservedRun) => Promise<string[]>,
): Promise<string[]> {
  await using collector = startCollector();
  const workspace = await Deno.makeTempDir();
  const { url } = collector;
  const env = {
    SVC_WORKSPACE_DIR: workspace,
    SVC_TELEMETRY_ENDPOINT: url,
    SVC_OTEL_METRICS_ENABLED: "1",
    SVC_OTEL_METRICS_ENDPOINT: `${url}/metrics`,
    SVC_UPDATE_INDEX_URL: `${url}/index`,
    // Without it, what runs from a checkout would differ from what does not.
    CI: "1",
  };
  try {
    const files = await body({ env, url, workspace });
    return [...collector.received.map(({ path }) => path).toSorted(), ...files];
  } finally {
    await Deno.remove(workspace, { recursive: true });
  }
}
