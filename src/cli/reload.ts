/** New settings for a proxy that runs. @module */
import type { Reloaded } from "../settings/running.ts";
import type { CliIo, ProxySettings, RunningProxy } from "./io.ts";
import { rereadSettings } from "./proxy_settings.ts";

/**
 * Makes what reads the settings again, gives them to the proxy and says in one line on stderr what is different: names
 * only. What cannot be used changes nothing, and the line says why.
 *
 * @param settings Those that the proxy was started with.
 * @returns Never rejects for the sake of settings; calls are carried out one after the other.
 */
export function makeReload(
  settings: ProxySettings,
  proxy: RunningProxy,
  io: Pick<CliIo, "env" | "files" | "ownNames" | "missingFor" | "stderr">,
): () => Promise<Reloaded> {
  let now = settings;
  let last: Promise<unknown> = Promise.resolve();
  const reload = async (): Promise<Reloaded> => {
    try {
      const next = await rereadSettings(now, io);
      const later = await proxy.reload(next.settings);
      now = next.settings;
      const waiting = [...new Set([...next.later, ...later])];
      const changed = next.changed.filter((name) => !waiting.includes(name));
      io.stderr(sentence(changed, waiting));
      for (const text of next.notes) io.stderr(`Warning: ${text}\n`);
      return { type: "reloaded", changed, later: waiting };
    } catch (error) {
      // Whatever is wrong with the new settings: the old ones still work.
      if (!(error instanceof Error)) throw error;
      io.stderr(`Settings stay as they were: ${error.message}\n`);
      return { type: "refused", reason: error.message };
    }
  };
  return () => {
    const next = last.then(reload);
    last = next;
    return next;
  };
}

function sentence(
  now: readonly string[],
  later: readonly string[],
): string {
  const parts = [
    ...(now.length > 0 ? [`${now.join(", ")} changed`] : []),
    ...(later.length > 0
      ? [`the next start will change ${later.join(", ")}`]
      : []),
  ];
  const what = parts.length > 0 ? parts.join("; ") : "none is different";
  return `Settings were read again: ${what}.\n`;
}
