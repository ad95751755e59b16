/** The thread of a confined proxy: its outside world and its command. @module */
import process from "node:process";
import { runWorker, type WorkerIo } from "./cli/commands/proxy_worker.ts";
import {
  type FromThread,
  messageQueue,
  type ThreadWorld,
  type ToThread,
} from "./cli/confine/thread.ts";
import { denoFiles } from "./cli/files.ts";
import { PROXY_VARIABLES, readEnvironment } from "./cli/environment.ts";
import { missingFor } from "./cli/failure.ts";
import { startProxy } from "./cli/start_proxy.ts";
import { stderrLog } from "./cli/sentences.ts";
import { makeStyle } from "./cli/terminal.ts";
import type { TextValues } from "./settings/row.ts";
import { SYSTEM_CLOCK } from "./system_clock.ts";

/** The thread's side of its own port. */
interface Port {
  onmessage: ((event: { readonly data: ToThread }) => void) | null;
  postMessage(message: FromThread): void;
}

/** What keeps data on the disk without a permission. */
const UNGUARDED = ["caches", "localStorage", "sessionStorage"] as const;

const port = globalThis as unknown as Port;
const lines = messageQueue<string>();

port.onmessage = ({ data }) => {
  if (data.type === "world") void run(data.world);
  else lines.push(data.line);
};

async function run(world: ThreadWorld): Promise<void> {
  for (const name of UNGUARDED) Reflect.deleteProperty(globalThis, name);
  const code = await runWorker(ioOf(world));
  port.postMessage({ type: "ended", code });
}

function ioOf({ env: told, names, isTerminal }: ThreadWorld): WorkerIo {
  const env = told ?? readEnvironment(PROXY_VARIABLES);
  if (told !== undefined) replaceEnvironment(told);
  const stderr = (text: string) => port.postMessage({ type: "talk", text });
  const log = stderrLog(stderr, makeStyle(isTerminal, env));
  const decoder = new TextDecoder();
  return {
    env,
    files: denoFiles(),
    ownNames: () => names,
    missingFor,
    // Signals are heard by the thread that started this one.
    onStopSignal: () => () => {},
    onHangUp: () => () => {},
    stdinLines: () => lines.messages,
    stdout: (bytes) =>
      port.postMessage({ type: "line", line: decoder.decode(bytes) }),
    startProxy: (config, applySettings, place) =>
      startProxy(config, {
        log,
        env,
        stderr,
        clock: SYSTEM_CLOCK,
        applySettings,
        place,
      }),
  };
}

/** Packages look into it, and would fail where it is closed. */
function replaceEnvironment(env: TextValues): void {
  process.env = { ...env };
}
