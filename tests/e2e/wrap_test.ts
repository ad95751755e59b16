/** `svc wrap` with an agent that is a script: what reaches it, and what becomes of the proxy. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startProxyProcess } from "./proxy_process.ts";
import { withAgent } from "./wrapped_agent.ts";

/** Waits for a line, then ends. */
const WAITS = 'echo "ready $ANTHROPIC_BASE_URL"; read -r line; exit 0';

Deno.test("svc wrap passes arguments, project and exit code, and ends the proxy that it started", async () => {
  const agent = [
    'for word in "$@"; do echo "arg=$word"; done',
    'echo "base=$ANTHROPIC_BASE_URL search=$ENABLE_TOOL_SEARCH"',
    "exit 7",
  ].join("\n");
  await withAgent(agent, async ({ start, port, health, leases }) => {
    const wrap = start(["wrap", "claude", "--", "-p", "two words", "--help"]);
    const { code, text } = await wrap.ended();
    assert.equal(code, 7, text);
    assert.match(text, /arg=-p\narg=two words\narg=--help\n/);
    const base = `http://127.0.0.1:${port}/p/my%20project`;
    assert.ok(text.includes(`base=${base} search=true`), text);
    assert.match(text, /svc: started a proxy at/);
    assert.equal(await health(), undefined);
    assert.deepEqual(await leases(), []);
  });
});

Deno.test("svc wrap gives the agent its terminal, and each key to it once", async () => {
  const agent = [
    "trap 'echo caught' INT",
    "trap 'exit 5' QUIT",
    'test -t 0 && test -t 1 && echo "size=$(stty size)"',
    'echo "ready=$PPID="; while :; do sleep 0.1; echo tick; done',
  ].join("\n");
  await withAgent(agent, async ({ startOnTerminal, health }) => {
    const wrap = startOnTerminal(["wrap", "claude"]);
    const [, pid] = await wrap.saw(/size=33 99\r?\nready=(\d+)=/);
    assert.ok(await health());
    // What a key sends to svc wrap it must not send on: the agent has it from the terminal.
    Deno.kill(Number(pid), "SIGINT");
    await wrap.saw(/tick[^]*tick[^]*tick/);
    await wrap.type("\x03");
    await wrap.saw(/caught/);
    assert.ok(await health());
    await wrap.type("\x1c");
    const { code, text } = await wrap.ended();
    assert.equal(text.match(/caught/g)?.length, 1, text);
    assert.equal(code, 5, text);
    assert.equal(await health(), undefined);
  });
});

Deno.test("svc wrap passes signals on, and reports the one that ended the agent", async () => {
  const agent = [
    "trap 'echo got-usr1' USR1",
    "echo ready; while :; do sleep 0.1; done",
  ].join("\n");
  await withAgent(agent, async ({ start }) => {
    const wrap = start(["wrap", "claude"]);
    await wrap.saw(/ready/);
    wrap.kill("SIGUSR1");
    await wrap.saw(/got-usr1/);
    wrap.kill("SIGTERM");
    assert.equal((await wrap.ended()).code, 128 + 15);
  });
  await withAgent("kill -KILL $$", async ({ start }) => {
    assert.equal((await start(["wrap", "claude"]).ended()).code, 128 + 9);
  });
});

Deno.test("svc wrap shares its proxy, and the last one out ends it", async () => {
  await withAgent(WAITS, async ({ start, health, leases }) => {
    const first = start(["wrap", "claude"]);
    const second = start(["wrap", "claude"]);
    await Promise.all([first.saw(/ready/), second.saw(/ready/)]);
    const pid = (await health())?.config.pid;
    assert.ok(pid);
    assert.equal((await leases()).length, 3);
    await first.type("go\n");
    assert.equal((await first.ended()).code, 0);
    assert.equal((await health())?.config.pid, pid);
    await second.type("go\n");
    const { code, text } = await second.ended();
    assert.equal(code, 0);
    const said = (await first.ended()).text + text;
    assert.equal(said.match(/started a proxy/g)?.length, 1, said);
    assert.equal(said.match(/using the proxy/g)?.length, 1, said);
    assert.equal(await health(), undefined);
  });
});

Deno.test("svc wrap does not count an agent whose wrap was killed", async () => {
  await withAgent(WAITS, async ({ start, health, leases }) => {
    const killed = start(["wrap", "claude"]);
    await killed.saw(/ready/);
    killed.kill("SIGKILL");
    assert.equal((await killed.ended()).code, 128 + 9);
    assert.ok(await health());
    const next = start(["wrap", "claude"]);
    await next.saw(/ready/);
    await next.type("go\n");
    assert.equal((await next.ended()).code, 0);
    assert.equal(await health(), undefined);
    assert.deepEqual(await leases(), []);
  });
});

Deno.test("svc wrap uses a proxy that runs and leaves it, but not one with another upstream", async () => {
  await withAgent("exit 0", async ({ start, env }) => {
    await using proxy = await startProxyProcess({
      env: { ...env, SVC_PORT: "" },
    });
    const at = { SVC_PORT: String(proxy.port) };
    const used = await start(["wrap", "claude"], at).ended();
    assert.equal(used.code, 0, used.text);
    assert.match(used.text, /using the proxy/);
    assert.equal((await fetch(`${proxy.url}/livez`)).status, 200);
    const other = "http://127.0.0.1:10";
    const { code, text } = await start(["wrap", "claude"], {
      ...at,
      MSG_TARGET_API_URL: other,
    }).ended();
    assert.equal(code, 1);
    assert.match(text, /it sends messages requests to http:\/\/127.0.0.1:9, /);
    assert.match(text, /and http:\/\/127\.0\.0\.1:10 is wanted here/);
    assert.match(text, /svc wrap claude --port \d+/);
  });
});

Deno.test("svc wrap prints variables for a shell, whose proxy stays", async () => {
  await withAgent("exit 0", async ({ start, health }) => {
    const { code, text } = await start(["wrap", "claude", "--print-env"])
      .ended();
    assert.equal(code, 0, text);
    assert.match(
      text,
      /^export ANTHROPIC_BASE_URL='?http[^\n]*my%20project'?$/m,
    );
    assert.ok(await health());
    const again = await start(["wrap", "claude"]).ended();
    assert.equal(again.code, 0);
    assert.ok(await health());
  });
});

Deno.test("svc wrap runs an agent also where it cannot write", async () => {
  await withAgent("exit 3", async ({ start, home, health }) => {
    await Deno.writeTextFile(join(home, "file"), "");
    const { code, text } = await start(["wrap", "claude"], {
      SVC_WORKSPACE_DIR: join(home, "file/below"),
      SVC_STATELESS: "true",
    }).ended();
    assert.match(text, /Cannot write to .*file\/below.* does not share/);
    assert.equal(code, 3, text);
    assert.equal(await health(), undefined);
  });
});

/** What Cline has in its file before. */
const CLINE = JSON.stringify({
  lastUsedProvider: "anthropic",
  providers: { anthropic: { settings: { apiKey: "k" } } },
});

Deno.test("svc wrap gives a file back that it edits for a run, also after a kill, and the last run does", async () => {
  await withAgent(WAITS, async ({ start, home, port }) => {
    const path = join(home, ".cline/data/settings/providers.json");
    await Deno.mkdir(join(path, ".."), { recursive: true });
    await Deno.writeTextFile(path, CLINE);
    const read = () => Deno.readTextFile(path);
    const address = `http://127.0.0.1:${port}/p/my%20project/v1`;
    const killed = start(["wrap", "cline"]);
    await killed.saw(/ready/);
    const { providers } = JSON.parse(await read());
    assert.equal(providers.anthropic.settings.baseUrl, address);
    killed.kill("SIGKILL");
    await killed.ended();
    const other = start(["wrap", "claude"]);
    await other.saw(/ready/);
    assert.equal(await read(), CLINE);
    const [first, second] = [
      start(["wrap", "cline"]),
      start(["wrap", "cline"]),
    ];
    await Promise.all([first.saw(/ready/), second.saw(/ready/)]);
    await first.type("go\n");
    assert.equal((await first.ended()).code, 0);
    assert.ok((await read()).includes(address));
    await second.type("go\n");
    assert.equal((await second.ended()).code, 0);
    assert.equal(await read(), CLINE);
    await other.type("go\n");
    await other.ended();
  });
});

Deno.test("svc wrap and svc unwrap at once leave the file as it was", async () => {
  await withAgent("exit 0", async ({ start, home }) => {
    const path = join(home, ".cline/data/settings/providers.json");
    await Deno.mkdir(join(path, ".."), { recursive: true });
    await Deno.writeTextFile(path, CLINE);
    const all = [
      start(["wrap", "cline"]),
      start(["unwrap", "cline"]),
      start(["wrap", "cline"]),
      start(["unwrap", "--all"]),
    ];
    for (const each of all) {
      const { code, text } = await each.ended();
      assert.equal(code, 0, text);
    }
    assert.equal(await Deno.readTextFile(path), CLINE);
  });
});
