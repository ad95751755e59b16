/** The thread in which extensions of the pipeline run: loads their modules, and asks them. @module */
import { errorMessage } from "./core/errors.ts";
import type { PipelineExtension } from "./core/pipeline_event.ts";
import type {
  ExtensionFailure,
  ExtensionModule,
  FromExtensions,
  ToExtensions,
} from "./extensions/messages.ts";
import {
  type LoadedExtension,
  runExtensions,
} from "./extensions/run_extensions.ts";

/** The thread's side of its own port. */
interface Port {
  onmessage: ((event: { readonly data: ToExtensions }) => void) | null;
  postMessage(message: FromExtensions): void;
}

const port = globalThis as unknown as Port;
let loaded: readonly LoadedExtension[] = [];

port.onmessage = ({ data }) => {
  if (data.type === "load") return void loadAll(data.modules);
  const { id, question } = data;
  const begins = (name: string) =>
    port.postMessage({ type: "begins", name, id });
  void runExtensions(loaded, question, begins)
    .then((answered) => port.postMessage({ type: "answer", id, ...answered }));
};

async function loadAll(modules: readonly ExtensionModule[]): Promise<void> {
  const failures: ExtensionFailure[] = [];
  const found: LoadedExtension[] = [];
  for (const { name, specifier } of modules) {
    port.postMessage({ type: "begins", name });
    try {
      const module: Readonly<Record<string, unknown>> = await import(specifier);
      found.push({ name, run: extensionIn(module) });
    } catch (error) {
      failures.push({ name, reason: errorMessage(error) });
    }
  }
  loaded = found;
  const names = found.map(({ name }) => name);
  port.postMessage({ type: "loaded", names, failures });
}

function extensionIn(
  module: Readonly<Record<string, unknown>>,
): PipelineExtension {
  const run = module["pipelineExtension"];
  if (typeof run === "function") return run as PipelineExtension;
  throw new TypeError("It exports no function pipelineExtension");
}
