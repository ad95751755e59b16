import assert from "node:assert/strict";
import { freePort } from "../e2e/proxy_process.ts";

const root = new URL("../../", import.meta.url);

/** Opens connections that send nothing, and gives back those that were accepted by the system. */
async function occupy(port: number, count: number): Promise<Deno.TcpConn[]> {
  const tries = Array.from(
    { length: count },
    () => Deno.connect({ hostname: "127.0.0.1", port }),
  );
  const results = await Promise.allSettled(tries);
  return results.flatMap((result) =>
    result.status === "fulfilled" ? [result.value] : []
  );
}

Deno.test({
  name: "the proxy outlives a shortage of file descriptors",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const port = freePort();
    const run = [Deno.execPath(), "run", "-A", "--no-prompt", "main.ts"];
    const proxy = new Deno.Command("bash", {
      args: [
        "-c",
        `ulimit -n 64; exec "$@"`,
        "bash",
        ...run,
        "proxy",
        "--stateless",
        "--port",
        `${port}`,
      ],
      cwd: root,
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const talk = proxy.stderr.pipeThrough(new TextDecoderStream()).getReader();
    const said = async (words: string) => {
      for (let text = ""; !text.includes(words);) {
        const { value, done } = await talk.read();
        assert(!done, `ended before it said "${words}": ${text}`);
        text += value;
      }
    };
    await said("Ctrl-C");
    const connections = await occupy(port, 100);
    await said("accept_failed");
    for (const connection of connections) connection.close();
    let status = 0;
    while (status !== 200) {
      try {
        const response = await fetch(`http://127.0.0.1:${port}/livez`);
        await response.bytes();
        status = response.status;
      } catch (error) {
        // Between two listeners a connection is refused; a dead proxy would have ended the test above.
        assert(error instanceof TypeError);
      }
    }
    proxy.kill("SIGTERM");
    while (!(await talk.read()).done);
    assert.equal((await proxy.status).code, 0);
  },
});
