/** The thread in which one extension of the pipeline runs: loads its module, and asks it. @module */
import process from "node:process";
import { errorMessage } from "./core/errors.ts";
import type { PipelineExtension } from "./core/pipeline_event.ts";
import type { FromExtension, ToExtension } from "./extensions/messages.ts";
import { runExtension } from "./extensions/run_extension.ts";
import { plainText } from "./text/terminal.ts";

/** The thread's side of its own port. */
interface Port {
  onmessage: ((event: { readonly data: ToExtension }) => void) | null;
  postMessage(message: FromExtension): void;
}

const port = globalThis as unknown as Port;
const say = port.postMessage.bind(port);
let run: PipelineExtension = () => undefined;

port.onmessage = ({ data }) => {
  if (data.type === "load") return void load(data.specifier);
  const { id, question } = data;
  say({ type: "begins", id });
  void runExtension(run, question)
    .then((answered) => say({ type: "answer", id, ...answered }));
};

// A thread that ends itself does so without a word: the proxy would wait for its answer.
for (
  const [owner, key] of [
    [globalThis, "close"],
    [Deno, "exit"],
    [process, "exit"],
    [process, "reallyExit"],
  ] as const
) {
  Object.defineProperty(owner, key, {
    value() {
      throw new Deno.errors.NotSupported("An extension must not exit");
    },
  });
}

async function load(specifier: string): Promise<void> {
  try {
    const module: Readonly<Record<string, unknown>> = await import(specifier);
    run = extensionIn(module);
    say({ type: "loaded" });
  } catch (error) {
    // Deno underlines places of faulty code for terminals; the sentence around it has its own full stop.
    const failure = plainText(errorMessage(error)).replace(/\.+$/, "");
    say({ type: "loaded", failure });
  }
}

function extensionIn(
  module: Readonly<Record<string, unknown>>,
): PipelineExtension {
  const run = module["pipelineExtension"];
  if (typeof run === "function") return run as PipelineExtension;
  throw new TypeError("It exports no function pipelineExtension");
}
