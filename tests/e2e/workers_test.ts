/** Several processes on one port, signals and new settings, with the real program. */
import assert from "node:assert/strict";
import { askForStream, startHeldProvider } from "./held_provider.ts";
import {
  childrenOf,
  connectionsOf,
  isAlive,
  startProxyProcess,
  until,
} from "./proxy_process.ts";
import { startUpstream } from "./upstream.ts";

/** Connections of a port are spread over processes only here; /proc tells what the processes do. */
const ignore = Deno.build.os !== "linux";
const TWO = ["--workers", "2"];

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, ignore, fn });
}

const upstream = (url: string) => ({ MSG_TARGET_API_URL: url });

test("two workers share one port, which is refused to others, get the memory flags of the program, and are announced once", async () => {
  const flag = "--v8-flags=--max-semi-space-size=1";
  await using proxy = await startProxyProcess({ args: TWO, flags: [flag] });
  assert.equal(proxy.said().match(/listens on/g)?.length, 1);
  assert.match(proxy.said(), /^ +processes +2$/m);
  const workers = await childrenOf(proxy.pid);
  assert.equal(workers.length, 2);
  for (const pid of workers) {
    const words = await Deno.readTextFile(`/proc/${pid}/cmdline`);
    assert(words.split("\0").includes(flag), words);
  }
  const connections = await Promise.all(
    Array.from({ length: 64 }, async () => {
      const connection = await Deno.connect({ port: proxy.port });
      await connection.write(
        new TextEncoder().encode("GET /livez HTTP/1.1\r\nhost: x\r\n\r\n"),
      );
      const chunk = new Uint8Array(16);
      await connection.read(chunk);
      assert.match(new TextDecoder().decode(chunk), /^HTTP\/1\.1 200/);
      return connection;
    }),
  );
  const counts = await Promise.all(
    workers.map((pid) => connectionsOf(pid, proxy.port)),
  );
  assert.equal(counts[0]! + counts[1]!, 64);
  assert(counts.every((count) => count > 0), `${counts}`);
  for (const connection of connections) connection.close();
  await assert.rejects(
    startProxyProcess({ args: [...TWO, "--port", String(proxy.port)] }),
    new RegExp(`Cannot listen on 127\\.0\\.0\\.1 port ${proxy.port}`),
  );
});

test("a worker that is killed is replaced, and a line says so; a supervisor that is killed leaves none behind", async () => {
  await using proxy = await startProxyProcess({ args: TWO });
  const [first, second] = await childrenOf(proxy.pid);
  Deno.kill(first!, "SIGKILL");
  await proxy.saw(/Process \d of the proxy has gone: it was ended by SIGKILL/);
  await until(
    async () => (await childrenOf(proxy.pid)).length === 2,
    "another worker",
  );
  const now = await childrenOf(proxy.pid);
  assert(now.includes(second!) && !now.includes(first!));
  const response = await fetch(`${proxy.url}/livez`);
  assert.equal(response.status, 200);
  await response.bytes();
  proxy.kill("SIGKILL");
  for (const pid of now) {
    await until(async () => !await isAlive(pid), "workers to end");
  }
});

for (const args of [[], TWO]) {
  const name = `with ${args.at(-1) ?? 1} process${args.length ? "es" : ""}`;

  test(`SIGTERM lets a running stream end and refuses new connections, then the program ends with 0, ${name}`, async () => {
    await using provider = startHeldProvider();
    await using proxy = await startProxyProcess({
      args,
      env: upstream(provider.url),
    });
    const response = await askForStream(proxy.url);
    assert.equal(response.status, 200);
    proxy.kill("SIGTERM");
    await proxy.saw(/Stopping: running requests may end within 10 s/);
    await until(
      () => Deno.connect({ port: proxy.port }).then(closeOpen, () => true),
      "connections to be refused",
    );
    provider.release();
    assert.match(await response.text(), /message_stop/);
    assert.equal(await proxy.ended(), 0);
    assert.doesNotMatch(proxy.said(), /cut off|has gone/);
  });

  test(`a second SIGTERM ends the program at once with 143, ${name}`, async () => {
    await using provider = startHeldProvider();
    await using proxy = await startProxyProcess({
      args,
      env: upstream(provider.url),
    });
    const workers = await childrenOf(proxy.pid);
    const response = await askForStream(proxy.url);
    proxy.kill("SIGTERM");
    await proxy.saw(/Stopping/);
    // One that follows at once is taken for an echo.
    await until(async () => {
      if (await isAlive(proxy.pid)) proxy.kill("SIGTERM");
      return !await isAlive(proxy.pid);
    }, "the program to end");
    assert.equal(await proxy.ended(), 143);
    await assert.rejects(response.text());
    for (const pid of workers) {
      await until(async () => !await isAlive(pid), "workers to end");
    }
  });

  test(`SIGHUP reads stored settings again: new requests use them, a running one ends as it began, ${name}`, async () => {
    await using before = startHeldProvider();
    await using after = startHeldProvider();
    await using proxy = await startProxyProcess({
      args,
      settings: JSON.stringify(upstream(before.url)),
    });
    const running = await askForStream(proxy.url);
    assert.equal(before.received(), 1);

    const file = `${proxy.workspace}/settings.json`;
    await Deno.writeTextFile(
      file,
      JSON.stringify({ ...upstream(after.url), SVC_HOST: "127.0.0.2" }),
    );
    proxy.kill("SIGHUP");
    await proxy.saw(
      /^Settings were read again: MSG_TARGET_API_URL changed; the next start will change SVC_HOST\.$/m,
    );
    // Enough for every process to be asked.
    const asked = await Promise.all(
      Array.from({ length: 16 }, () => askForStream(proxy.url)),
    );
    assert.deepEqual([before.received(), after.received()], [1, 16]);
    before.release();
    assert.match(await running.text(), /message_stop/);
    after.release();
    await Promise.all(asked.map((response) => response.bytes()));

    await Deno.writeTextFile(file, '{"SVC_RPM": "often"}');
    proxy.kill("SIGHUP");
    await proxy.saw(
      /^Settings stay as they were: Cannot use SVC_RPM="often": .* \(.*settings\.json\)$/m,
    );
    const response = await askForStream(proxy.url);
    assert.equal(after.received(), 17);
    after.release();
    await response.bytes();
    proxy.kill("SIGINT");
    assert.equal(await proxy.ended(), 0);
  });
}

test("without a database that processes can share there is one, with a warning", async () => {
  await using proxy = await startProxyProcess({
    args: [...TWO, "--stateless"],
  });
  assert.match(proxy.said(), /Warning: 2 processes were asked for, 1 runs/);
  assert.deepEqual(await childrenOf(proxy.pid), []);
});

test("where the database cannot be opened there is one process, with a warning", async () => {
  const file = await Deno.makeTempFile();
  await using proxy = await startProxyProcess({
    args: TWO,
    env: { SVC_WORKSPACE_DIR: `${file}/below` },
  });
  assert.match(proxy.said(), /1 runs: .* reason above/);
  assert.equal((await childrenOf(proxy.pid)).length, 1);
  await Deno.remove(file);
});

test("a proxy that the environment names is not used, and a warning says what to set", async () => {
  await using stranger = startUpstream(() => new Response("through"));
  const address = `http://user:hunter2@${new URL(stranger.url).host}`;
  await using provider = startHeldProvider();
  const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
  await using proxy = await startProxyProcess({
    args: TWO,
    env: {
      ...upstream(provider.url),
      ...Object.fromEntries(names.map((name) => [name, address])),
      NO_PROXY: "",
      no_proxy: "",
    },
  });
  for (let i = 0; i < 8; i++) {
    const response = await askForStream(proxy.url);
    provider.release();
    await response.bytes();
  }
  assert.deepEqual([provider.received(), stranger.received.length], [8, 0]);
  assert.match(
    proxy.said(),
    /^Warning: HTTP_PROXY, http_proxy, ALL_PROXY, all_proxy are not used: set SVC_HTTP_PROXY/m,
  );
  assert.doesNotMatch(proxy.said(), /hunter2/);
});

function closeOpen(connection: Deno.Conn): boolean {
  connection.close();
  return false;
}
