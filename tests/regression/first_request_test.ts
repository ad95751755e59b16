/** The first compressing request after a start waited for workers, modules and rank tables. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { SAMPLES } from "../bench/samples.ts";
import { type ProxyProcess, startProxyProcess } from "../e2e/proxy_process.ts";
import { startUpstream } from "../e2e/upstream.ts";

const RECORDER = new URL("./record_starts.ts", import.meta.url).href;
const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

const startsIn = (said: string) =>
  [...said.matchAll(/^starts: (.*)$/gm)].map(([, what]) => what);

/** Sends a tool result. */
async function sendResult(
  { url }: Pick<ProxyProcess, "url">,
  text: string,
): Promise<void> {
  const use = { type: "tool_use", id: "toolu_1", name: "Bash", input: {} };
  const response = await fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": "k" },
    body: JSON.stringify({
      model: "claude-sonnet-5",
      max_tokens: 10,
      tools: [{ name: "Bash", input_schema: { type: "object" } }],
      messages: [
        { role: "user", content: "why?" },
        { role: "assistant", content: [use] },
        {
          role: "user",
          content: [{
            type: "tool_result",
            tool_use_id: "toolu_1",
            content: text,
          }],
        },
      ],
    }),
  });
  assert.equal(response.status, 200);
  await response.bytes();
}

Deno.test("svc proxy starts nothing for its first request, and the compute worker for the first large text", async () => {
  await using provider = startUpstream(() =>
    Response.json({ usage: { input_tokens: 1, output_tokens: 1 } })
  );
  await using proxy = await startProxyProcess({
    flags: [`--preload=${RECORDER}`],
    env: { MSG_TARGET_API_URL: provider.url },
  });
  await proxy.saw(/starts: fetch data:/);
  const ready = ["program", "worker writer_worker.ts", "fetch data:"];
  assert.deepEqual(startsIn(proxy.said()), ready);
  const text = SAMPLES.log(20_000);
  await sendResult(proxy, text);
  const sent = provider.received.at(-1)!.body.length;
  assert(sent < text.length * 0.8, "it was compressed");
  assert.deepEqual(startsIn(proxy.said()), [...ready, "fetch http:"]);
  await sendResult(proxy, SAMPLES.log(40_000));
  await proxy.saw(/starts: worker compute_worker.ts/);
});

Deno.test("svc proxy stops cleanly in the middle of its warm-up", async () => {
  const proxy = await startProxyProcess({});
  proxy.kill("SIGTERM");
  assert.equal(await proxy.ended(), 0);
  assert.doesNotMatch(proxy.said(), /error|panic/i);
  await Deno.remove(proxy.workspace, { recursive: true });
});

Deno.test("commands that end by themselves start no worker", async () => {
  for (const args of [["--version"], ["proxy", "--help"], ["compress"]]) {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--no-prompt", "--no-check"],
        ...[`--preload=${RECORDER}`, MAIN, ...args],
      ],
      env: { SVC_STATELESS: "1" },
      stdin: "piped",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const input = child.stdin.getWriter();
    await input.write(new TextEncoder().encode(SAMPLES.log(20_000)));
    await input.close();
    const { success, stderr } = await child.output();
    const said = new TextDecoder().decode(stderr);
    assert.equal(success, true, said);
    assert.deepEqual(startsIn(said), ["program"], args.join(" "));
  }
});
