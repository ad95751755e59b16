/** Composition of the extensions: names → a thread that has loaded them. @module */
import type { Log } from "../core/log.ts";
import type { PipelineEdit } from "../core/pipeline_event.ts";
import { ExtensionHost, type ExtensionThread } from "./extension_host.ts";
import type { ExtensionFailure, Question } from "./messages.ts";
import { type ExtensionWishes, placeExtensions } from "./place_extensions.ts";

/** Extensions that run. */
export interface Extensions extends Disposable {
  /** Those that were loaded, as the user named them. */
  readonly names: readonly string[];
  /** Asks all of them; see {@linkcode ExtensionHost.ask}. */
  ask(question: Question): Promise<readonly PipelineEdit[]>;
}

/**
 * Loads the extensions that are named, in a thread of their own with the permissions of this one. What cannot be loaded
 * is logged as an error, and what one of them does wrong once for each way.
 *
 * @param start Starts the thread; the service's own unless given.
 * @returns `undefined` where none could be loaded.
 */
export async function openExtensions(
  wishes: ExtensionWishes,
  log: Log,
  start: () => ExtensionThread = startThread,
): Promise<Extensions | undefined> {
  const { modules, failures } = await placeExtensions(wishes, isFile);
  for (const failure of failures) notLoaded(log, failure);
  if (modules.length === 0) return undefined;
  const said = new Set<string>();
  const loaded = Promise.withResolvers<readonly string[]>();
  const host = new ExtensionHost({
    modules,
    start,
    onFailure(failure) {
      const one = `${failure.name}: ${failure.reason}`;
      if (said.has(one)) return;
      said.add(one);
      const { name, reason } = failure;
      log("error", "extension_failed", { extension: name, reason });
    },
    onLoaded(names, failures) {
      for (const failure of failures) notLoaded(log, failure);
      loaded.resolve(names);
    },
  });
  const names = await loaded.promise;
  if (names.length === 0) {
    host[Symbol.dispose]();
    return undefined;
  }
  log("info", "extensions_loaded", { extensions: names.join(", ") });
  return {
    names,
    ask: (question) => host.ask(question),
    [Symbol.dispose]: () => host[Symbol.dispose](),
  };
}

function notLoaded(log: Log, { name, reason }: ExtensionFailure): void {
  log("error", "extension_not_loaded", { extension: name, reason });
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    // The import says what is wrong with a file that is there.
    if (error instanceof Deno.errors.NotFound) return false;
    if (error instanceof Deno.errors.NotADirectory) return false;
    return !(error instanceof Deno.errors.NotCapable);
  }
}

function startThread(): ExtensionThread {
  const url = new URL("../extension_worker.ts", import.meta.url);
  const worker = new Worker(url, { type: "module", name: "extensions" });
  const thread: ExtensionThread = {
    postMessage: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    onmessage: null,
    onerror: null,
  };
  worker.onmessage = (event) => thread.onmessage?.(event);
  worker.onerror = (event) => thread.onerror?.(event);
  return thread;
}
