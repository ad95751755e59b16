/** Composition of the extensions: names → threads that have loaded them. @module */
import type { Log } from "../core/log.ts";
import type { PipelineEdit } from "../core/pipeline_event.ts";
import { ExtensionHost, type ExtensionThread } from "./extension_host.ts";
import type { ExtensionFailure, Question } from "./messages.ts";
import { type ExtensionWishes, placeExtensions } from "./place_extensions.ts";

/** Extensions that run. */
export interface Extensions extends Disposable {
  /** Those that were loaded, as the user named them. */
  readonly names: readonly string[];
  /** Asks all of them in this order, each about what those before it left; at most one edit per place. Never rejects. */
  ask(question: Question): Promise<readonly PipelineEdit[]>;
}

/**
 * Loads the extensions that are named, each in a thread of its own with the permissions of this one. What cannot be loaded
 * is logged as an error, and what one of them does wrong once for each way.
 *
 * @returns `undefined` where none could be loaded.
 */
export async function openExtensions(
  wishes: ExtensionWishes,
  log: Log,
): Promise<Extensions | undefined> {
  const { modules, failures } = await placeExtensions(wishes, isFile);
  for (const failure of failures) notLoaded(log, failure);
  if (modules.length === 0) return undefined;
  const said = new Set<string>();
  const onFailure = ({ name, reason }: ExtensionFailure) => {
    const one = `${name}: ${reason}`;
    if (said.has(one)) return;
    said.add(one);
    log("error", "extension_failed", { extension: name, reason });
  };
  const opened = await Promise.all(modules.map(async (module) => {
    const parts = { module, start: startThread, onFailure };
    const host = new ExtensionHost(parts);
    const { name } = module;
    const reason = await host.loaded;
    if (reason !== undefined) notLoaded(log, { name, reason });
    return reason === undefined ? [{ name, host }] : [];
  }));
  const loaded = opened.flat();
  if (loaded.length === 0) return undefined;
  const names = loaded.map(({ name }) => name);
  log("info", "extensions_loaded", { extensions: names.join(", ") });
  return {
    names,
    ask: (question) => askInTurn(loaded.map(({ host }) => host), question),
    [Symbol.dispose]() {
      for (const { host } of loaded) host[Symbol.dispose]();
    },
  };
}

async function askInTurn(
  hosts: readonly ExtensionHost[],
  question: Question,
): Promise<readonly PipelineEdit[]> {
  const made = new Map<string, PipelineEdit>();
  for (const host of hosts) {
    const edits = await host.ask({ ...question, made: [...made.values()] });
    for (const edit of edits) made.set(JSON.stringify(edit.path), edit);
  }
  return [...made.values()];
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
  const worker = new Worker(url, { type: "module", name: "extension" });
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
