/** Every command with exactly the permissions that docs/permissions.md names. */
import assert from "node:assert/strict";
import { fakeIo } from "../cli/fake_io.ts";
import { runCli } from "../../src/cli/run.ts";
import { serviceLog } from "../bench/corpus.ts";
import { cacheOfRuntime, startProxyProcess } from "./proxy_process.ts";
import { CaseModel, play } from "./retrieval_talk.ts";
import { startProvider } from "./scripted_provider.ts";
import { messagesSdk } from "./sdk_clients.ts";
import { HANG_MS } from "../hang.ts";

const MAIN = new URL("../../main.ts", import.meta.url);
const PAGE = new URL("../../docs/permissions.md", import.meta.url);

/** A row of the table. */
interface Row {
  /** Words after `svc`, placeholders in them. */
  readonly command: string;
  /** Flags of the runtime, placeholders in them. */
  readonly flags: readonly string[];
}

/** The table of the page; commands with the same flags share a line of it. */
async function rows(): Promise<Row[]> {
  const lines = (await Deno.readTextFile(PAGE)).split("\n");
  return lines.flatMap((line) => {
    const [, commands, given] = /^\| (`svc .*?) +\| (.*?) +\|$/.exec(line) ??
      [];
    if (commands === undefined) return [];
    const flags = [...given!.matchAll(/`([^`]+)`/g)].map(([, flag]) => flag!);
    assert(flags.length > 0 || given === "none", line);
    return [...commands.matchAll(/`svc ([^`]+)`/g)]
      .map(([, command]) => ({ command: command!, flags }));
  });
}

/** What a command says when it has done its work; how to feed it. */
interface Expected {
  /** On stdout or stderr. */
  readonly says: RegExp;
  /** Standard input; none unless given. */
  readonly stdin?: string;
  /** Exit code; 0 unless given. */
  readonly code?: number;
}

const ASK_MCP = [
  {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  {
    id: 2,
    method: "tools/call",
    params: {
      name: "headroom_compress",
      arguments: { content: serviceLog(9000, 3) },
    },
  },
].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n").join(
  "",
);

/** Chains of commands: what one leaves behind is what the next one finds. */
const CHAINS: readonly Readonly<Record<string, Expected>>[] = [
  {
    "--version": { says: /^svc \d/ },
    "--help": { says: /^Commands:/m },
    "completions bash": { says: /complete/ },
    "demo": { says: /The prefix held in 7 of 7/ },
    "compress": { says: /% saved, log\)/, stdin: serviceLog(9000, 1) },
    "compress <file>": { says: /Retrieve more: hash=/ },
  },
  {
    "log": { says: /claude-sonnet-5/ },
    "savings": { says: /REQUESTS/ },
    "telemetry": { says: /may leave the machine/ },
    "show --no-diff": { says: /^Request / },
    "show": { says: /^Request / },
    "perf": { says: /requests of the last/ },
    "ccr list": { says: /log/ },
    "ccr show <hash>": { says: /INFO/ },
    "ccr stats": { says: /Database/ },
    "mcp serve": { says: /hash=.*"id":2/, stdin: ASK_MCP },
    "ccr clear": { says: /Removed \d+ original/ },
  },
  {
    "config path": { says: /settings\.json/ },
    "config list": { says: /^mode +cache/m },
    "config features": { says: /^ccr +stable +on/m },
    "config get rpm": { says: /rpm comes from the default/ },
    "config set rpm 60": { says: /rpm/ },
    "config unset rpm": { says: /rpm/ },
    "mcp install": { says: /Codex: registered/ },
    "mcp status": { says: /starts/ },
    // Nothing sends the agent to the proxy: a warning.
    "doctor": { says: /^pass +originals/m, code: 1 },
    "doctor --fix": { says: /^pass +codex/m },
    "mcp uninstall": { says: /Codex/ },
    "wrap claude": { says: /no program claude in PATH/, code: 127 },
    "wrap claude --keep": { says: /Claude Code/ },
    "unwrap --all": { says: /Codex/ },
    "recover codex": { says: /session/ },
    "recover codex --yes": { says: /session/ },
    "install apply --dry-run": { says: /Would write .*default/ },
    "install status": { says: /No service is installed/, code: 1 },
  },
];

/** Once no proxy runs any more. */
const LAST: Readonly<Record<string, Expected>> = {
  "uninstall --dry-run": { says: /ccr_store\.db/ },
  "uninstall --yes": { says: /ccr_store\.db/ },
};

/** Proxies; the last one is run with all permissions by many other tests. */
const PROXIES: readonly string[] = [
  "proxy --stateless",
  "proxy",
  "proxy --offline",
  "proxy --workers 2",
];

/** Commands of which each permission is taken away in turn. */
const TRIED_WITH_LESS: readonly string[] = [
  "proxy",
  "demo",
  "log",
  "ccr stats",
];

/** What stands for the words of the page. */
type Words = Readonly<Record<string, string>>;

function filled(text: string, words: Words): string {
  return text.replace(
    /<(\w+)>/g,
    (whole, word) => words[word] ?? assert.fail(`${whole} stands for nothing`),
  );
}

/** Runs a command to its end; what it wrote, both streams. */
async function run(
  { command, flags }: Row,
  words: Words,
  stdin = "",
): Promise<{ code: number; text: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--no-check"],
      ...flags.map((flag) => filled(flag, words)),
      ...[MAIN.href, ...filled(command, words).split(" ")],
    ],
    clearEnv: true,
    env: environmentOf(words),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(HANG_MS),
  }).spawn();
  const writer = child.stdin.getWriter();
  const [{ code, stdout, stderr }] = await Promise.all([
    child.output(),
    // A command that reads nothing may have ended by then.
    writer.write(new TextEncoder().encode(stdin)).then(() => writer.close())
      .catch(() => {}),
  ]);
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

function environmentOf(words: Words): Record<string, string> {
  return {
    ...cacheOfRuntime(),
    HOME: words.home!,
    // Another place where svc unpacks itself.
    TMPDIR: words.home!,
    PATH: "/usr/bin:/bin",
    NO_COLOR: "1",
    SVC_WORKSPACE_DIR: words.workspace!,
    SVC_PORT: words.listener!.split(":")[1]!,
  };
}

/** Runs commands one after the other, each with its permissions. */
async function runAll(
  commands: Readonly<Record<string, Expected>>,
  table: ReadonlyMap<string, Row>,
  words: Words,
): Promise<void> {
  for (const [command, expected] of Object.entries(commands)) {
    const { says, stdin, code = 0 } = expected;
    const ended = await run(table.get(command)!, words, stdin);
    const { text } = ended;
    assert.match(text, says, `${command}: ${text}`);
    assert.equal(ended.code, code, `${command}: ${text}`);
    assert.doesNotMatch(text, /Requires \w+ access|started without/, command);
  }
}

/** Starts a proxy with its permissions, and sends a request through it. */
async function proxyWorks(row: Row, words: Words): Promise<void> {
  const upstream = `http://${words.upstreams}`;
  await using proxy = await startProxyProcess({
    args: [
      ...row.command.split(" ").slice(1),
      ...["--anthropic-api-url", upstream, "--chat-api-url", upstream],
    ],
    permissions: row.flags.map((flag) => filled(flag, words)),
    isEnvEmpty: true,
    env: environmentOf(words),
  });
  const response = await fetch(`${proxy.url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({
      model: "gpt-4o",
      messages: [{ role: "user", content: "[case p] Which?" }],
    }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  proxy.kill("SIGTERM");
  assert.equal(await proxy.ended(), 0, proxy.said());
  assert.doesNotMatch(proxy.said(), /Requires|Warning:|error:/, row.command);
}

/** Takes each flag away in turn: a command names it. */
async function namesWhatIsMissing(row: Row, words: Words): Promise<void> {
  for (const [i, missing] of row.flags.entries()) {
    const flags = row.flags.toSpliced(i, 1);
    const { text } = await run({ ...row, flags }, words);
    const [name] = missing.split("=");
    assert(text.includes(name!), `${row.command} without ${missing}: ${text}`);
    assert.doesNotMatch(text, /Requires \w+ access|\n +at /, row.command);
  }
}

Deno.test("docs/permissions.md has a row for every command, and this test one for every row", async () => {
  const table = (await rows()).map(({ command }) => command);
  const run = [
    ...PROXIES,
    ...CHAINS.flatMap(Object.keys),
    ...Object.keys(LAST),
  ];
  assert.deepEqual(table.toSorted(), run.toSorted());
  const io = fakeIo();
  await runCli(["--help"], io);
  const list = io.out().slice(io.out().indexOf("\nCommands:"));
  const names = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
  assert(names.includes("proxy") && names.length > 10, names.join());
  for (const name of names) {
    if (name === "help") continue;
    assert(table.some((row) => row.split(" ")[0] === name), `${name}`);
  }
});

Deno.test({
  name:
    "every command does its work with the permissions of docs/permissions.md, and names one that is missing",
  ignore: Deno.build.os === "windows",
  async fn() {
    const table = new Map((await rows()).map((row) => [row.command, row]));
    const model = new CaseModel();
    model.add("p", { rounds: () => [], answers: [] });
    const provider = startProvider(model.script);
    const home = await Deno.makeTempDir();
    try {
      await Deno.mkdir(`${home}/.codex`);
      await Deno.writeTextFile(`${home}/a.log`, serviceLog(9000, 2));
      await using seed = await startProxyProcess({
        env: {
          HOME: home,
          ...cacheOfRuntime(),
          MSG_TARGET_API_URL: provider.url,
          // The prefix is compared byte for byte: breakpoints of ours would move.
          SVC_AUTO_CACHE: "0",
        },
      });
      const { port, workspace } = seed;
      await play(
        { client: messagesSdk, streaming: true, proxy: seed, provider, model },
        { name: "seed", one: { rounds: () => [], answers: [] } },
      );
      const bodies = provider.received.map(({ body }) =>
        new TextDecoder().decode(body)
      );
      const words: Words = {
        home,
        workspace,
        sources: new URL("../../src", import.meta.url).pathname,
        listener: `127.0.0.1:${port}`,
        upstreams: new URL(provider.url).host,
        file: `${home}/a.log`,
        hash: /lines compressed to \d+\. Retrieve more: hash=(\w+)/.exec(
          bodies.join(),
        )![1]!,
      };
      const own = async (use: (words: Words) => Promise<void>) => {
        const workspace = await Deno.makeTempDir({ dir: home });
        await use({ ...words, workspace, listener: "127.0.0.1:0" });
      };
      await Promise.all([
        ...CHAINS.map((commands) => runAll(commands, table, words)),
        own(async (words) => {
          for (const command of TRIED_WITH_LESS) {
            await namesWhatIsMissing(table.get(command)!, {
              ...words,
              workspace,
            });
          }
        }),
        own(async (words) => {
          for (const name of PROXIES.slice(0, -1)) {
            await proxyWorks(table.get(name)!, words);
          }
          assert.deepEqual(table.get(PROXIES.at(-1)!)!.flags, ["-A"]);
        }),
      ]);
      seed.kill("SIGTERM");
      await seed.ended();
      // What svc did not write stays, and the directory with it.
      await Deno.writeTextFile(`${workspace}/mine`, "");
      await runAll(LAST, table, words);
    } finally {
      await provider.stop();
      await Deno.remove(home, { recursive: true });
    }
  },
});
