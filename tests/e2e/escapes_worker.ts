/** A thread that tries to get out of its permissions in every way that a program has, and says which ways worked. */
import { exec } from "node:child_process";
import { lookup } from "node:dns/promises";
import { writeFileSync } from "node:fs";
import { get } from "node:http";
import inspector from "node:inspector";
import { connect } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { HANG_MS } from "../hang.ts";

/** Where it tries. */
export interface EscapePlaces {
  /** Attempts that are left out. */
  readonly without: readonly string[];
  /** A directory that may be written. */
  readonly logs: string;
  /** One beside it, `elsewhere`, that may not. */
  readonly elsewhere: string;
  /** Origin of a server that may be reached; `/away` leads to the stranger. */
  readonly upstream: string;
  /** Origin of one that may not. */
  readonly stranger: string;
}

/** What came of the attempts, by their names: `done`, else why not. */
export type EscapeReport = Readonly<Record<string, string>>;

type Attempts = Readonly<Record<string, () => unknown>>;

/** What a confined proxy does all the time. */
const allowed = ({ logs, upstream }: EscapePlaces): Attempts => ({
  "write the log": () => Deno.writeTextFileSync(`${logs}/ok`, "x"),
  "ask the upstream": async () => {
    const response = await fetch(upstream);
    await response.bytes();
  },
});

const writing = ({ logs, elsewhere }: EscapePlaces): Attempts => ({
  "write a file": () => Deno.writeTextFileSync(`${elsewhere}/a`, "x"),
  "write with node:fs": () => writeFileSync(`${elsewhere}/b`, "x"),
  "make a directory": () => Deno.mkdirSync(`${elsewhere}/c`),
  "make a temporary file": () => Deno.makeTempFileSync({ dir: elsewhere }),
  "leave the directory": () =>
    Deno.writeTextFileSync(`${logs}/../elsewhere/d`, "x"),
  "copy a file out": () => Deno.copyFileSync(`${logs}/ok`, `${elsewhere}/f`),
  "move a file out": () => Deno.renameSync(`${logs}/ok`, `${elsewhere}/e`),
  "link to a place": () => Deno.symlinkSync(elsewhere, `${logs}/link`),
  "open a database": () =>
    new DatabaseSync(`${elsewhere}/h.db`).exec("create table t(a)"),
  "attach a database": () =>
    new DatabaseSync(":memory:").exec(
      `attach '${elsewhere}/i.db' as x; create table x.t(a)`,
    ),
  "vacuum into a file": () =>
    new DatabaseSync(":memory:").exec(
      `create table t(a); vacuum into '${elsewhere}/j.db'`,
    ),
});

const programs = ({ elsewhere }: EscapePlaces): Attempts => ({
  "start a program": () =>
    new Deno.Command("touch", { args: [`${elsewhere}/k`] }).outputSync(),
  "start one with node": () =>
    new Promise((resolve, reject) =>
      exec(
        `touch ${elsewhere}/l`,
        (error) => error ? reject(error) : resolve(0),
      )
    ),
  "load a library": () =>
    Deno.dlopen("libc.so.6", { getpid: { parameters: [], result: "i32" } }),
  "send a signal": () => Deno.kill(Deno.ppid, "SIGCONT"),
  "open the debugger": () => {
    inspector.open(0);
    inspector.close();
  },
});

const network = ({ upstream, stranger }: EscapePlaces): Attempts => {
  const { hostname, port: text } = new URL(stranger);
  const port = Number(text);
  const settled = async (response: Promise<Response>) =>
    void await (await response).bytes();
  return {
    "fetch": () => settled(fetch(stranger)),
    "follow a redirect": () => settled(fetch(`${upstream}/away`)),
    "fetch by another name": () => settled(fetch(`http://localhost:${port}/`)),
    "fetch by a number": () => settled(fetch(`http://2130706433:${port}/`)),
    "fetch through a proxy": () => {
      const client = Deno.createHttpClient({ proxy: { url: stranger } });
      return settled(fetch(upstream, { client }));
    },
    "fetch through a proxy of the environment": async () => {
      Deno.env.set("HTTP_PROXY", stranger);
      const client = Deno.createHttpClient({});
      await settled(fetch(upstream, { client }));
      Deno.env.delete("HTTP_PROXY");
    },
    "connect": async () => (await Deno.connect({ hostname, port })).close(),
    "connect with node:net": () =>
      new Promise((resolve, reject) => {
        const socket = connect({ host: hostname, port });
        socket.on("error", reject).on("connect", () => {
          socket.destroy();
          resolve(0);
        });
      }),
    "ask with node:http": () =>
      new Promise((resolve, reject) => {
        get(stranger, resolve).on("error", reject);
      }),
    "open a web socket": () =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(stranger.replace("http", "ws"));
        socket.onopen = resolve;
        // The server speaks no such thing: that it was asked shows there.
        socket.onerror = reject;
      }),
    "import a module": () => import(`${stranger}/module.js`),
    "listen": () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
    "ask DNS": () => Deno.resolveDns("escape.example", "A"),
    "look a name up": () => lookup("escape.example"),
    "connect to a socket file": () =>
      Deno.connect({ transport: "unix", path: "/run/escape.sock" }),
  };
};

const permissions = ({ elsewhere }: EscapePlaces): Attempts => ({
  "ask for a permission": async () => {
    const { state } = await Deno.permissions.request({ name: "write" });
    if (state !== "granted") throw new Error(state);
  },
  "start a thread with more": () =>
    inThread(`${elsewhere}/m`, { permissions: { write: true } }),
  "start a thread": () => inThread(`${elsewhere}/n`, {}),
});

/** Writes a file in a thread of its own. */
function inThread(path: string, deno: object): Promise<unknown> {
  const code = `let said = "done";
    try { Deno.writeTextFileSync(${JSON.stringify(path)}, "x") }
    catch (error) { said = error.name }
    postMessage(said);`;
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  return new Promise((resolve, reject) => {
    const options = { type: "module", deno } as WorkerOptions;
    const worker = new Worker(url, options);
    worker.onmessage = ({ data }) => {
      worker.terminate();
      if (data === "done") resolve(0);
      else reject(new Error(data));
    };
  });
}

async function outcome(attempt: () => unknown): Promise<string> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error("nothing came of it")),
    HANG_MS,
  );
  try {
    await Promise.race([(async () => await attempt())(), late.promise]);
    return "done";
  } catch (error) {
    return error instanceof Error
      ? `${error.name}: ${error.message}`
      : String(error);
  } finally {
    clearTimeout(timer);
  }
}

/** The thread's side of its own port. */
interface Port {
  onmessage: ((event: { readonly data: EscapePlaces }) => void) | null;
  postMessage(report: EscapeReport): void;
}

const port = globalThis as unknown as Port;

port.onmessage = async ({ data }) => {
  const attempts = [allowed, writing, programs, network, permissions]
    .flatMap((group) => Object.entries(group(data)))
    .filter(([name]) => !data.without.includes(name));
  const report: Record<string, string> = {};
  for (const [name, attempt] of attempts) report[name] = await outcome(attempt);
  port.postMessage(report);
};
