import {
  play,
  scriptedProvider,
  type Turn,
} from "../../../src/cli/demo/play.ts";
import assert from "node:assert/strict";
import { runDemo } from "../../../src/cli/commands/demo.ts";
import { denoIo } from "../../../src/cli/deno_io.ts";
import { CliFailure } from "../../../src/cli/failure.ts";
import { fakeIo } from "../fake_io.ts";
import { demoSteps } from "../../../src/cli/demo/conversation.ts";

Deno.test("runDemo plays the whole conversation through a running proxy", async () => {
  let out = "";
  let talk = "";
  const decoder = new TextDecoder();
  const exitCode = await runDemo({
    ...denoIo(),
    stdoutIsTerminal: false,
    stdout: (bytes) => void (out += decoder.decode(bytes)),
    stderr: (text) => void (talk += text),
  });
  assert.equal(exitCode, 0);
  const rows = out.split("\n").filter((line) => /^ \d /.test(line));
  assert.equal(rows.length, 7);
  for (const row of rows) assert.match(row, / kept$/);
  assert.match(out, /asked for 1 original/);
  const figures = (match: RegExpExecArray | null) =>
    match!.slice(1).map((text) => Number(text.replaceAll(",", "")));
  const [before, after, saved] = figures(
    /([\d,]+) -> ([\d,]+) tokens, ([\d,]+) saved/.exec(out),
  );
  assert.equal(before! - after!, saved!);
  assert(after! < before! / 3);
  const tokensOf = (row: string) => figures(/([\d,]+) -> ([\d,]+)/.exec(row));
  const sum = (side: number) =>
    rows.reduce((all, row) => all + tokensOf(row)[side]!, 0);
  assert.deepEqual([sum(0), sum(1)], [before, after]);
  assert.match(out, /counted 7 requests and added [\d.,]+ ms to each/);
  const [, question, note, log] = out.split("\n");
  assert.match(question!, /^ 1 .* -\d/);
  const added = /definition of its retrieval tool, (\d+) tokens/.exec(note!);
  const [first, second] = tokensOf(question!);
  assert.equal(Number(added![1]), second! - first!);
  assert.match(log!, /^ {4}.*pays for it$|^ 2 /);
  assert.match(talk, /The model concludes/);
  for (const line of talk.split("\n")) assert(line.length <= 80, line);
});

Deno.test("runDemo has colours on a terminal only, and the same text without them", async () => {
  const decoder = new TextDecoder();
  const outputOf = async (stdoutIsTerminal: boolean) => {
    let out = "";
    const stdout = (bytes: Uint8Array) => void (out += decoder.decode(bytes));
    const stderr = () => {};
    const env = { HOME: "/nowhere" };
    await runDemo({ ...denoIo(), env, stdoutIsTerminal, stdout, stderr });
    return out.replace(/[\d.,]+ ms/, "some ms");
  };
  const [plain, coloured] = [await outputOf(false), await outputOf(true)];
  assert.notEqual(plain, coloured);
  // deno-lint-ignore no-control-regex
  assert.equal(coloured.replace(/\x1b\[\d+m/g, ""), plain);
  assert(coloured.includes("\x1b[32mkept\x1b[0m"));
});

Deno.test("runDemo gives up writing files when SVC_STATELESS says so, before it starts anything", async () => {
  for (const [value, files] of [["1", true], ["0", false]] as const) {
    const calls: unknown[] = [];
    const io = fakeIo({
      env: { SVC_STATELESS: value },
      giveUp: (what) => void calls.push(what),
      serve: () => Promise.reject(new Error("not now")),
    });
    await assert.rejects(runDemo(io), /not now/);
    assert.deepEqual(calls, [{ files, network: false }]);
  }
});

Deno.test("runDemo says what to look at when nothing on the machine reaches its proxy", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  const io = denoIo();
  const startProxy: typeof io.startProxy = async (config) => ({
    ...await io.startProxy(config),
    port,
  });
  await assert.rejects(
    runDemo({ ...io, startProxy, stdout: () => {}, stderr: () => {} }),
    (error) =>
      error instanceof CliFailure &&
      /^Cannot reach http:.*loopback/.test(error.message),
  );
});

type Provider = ReturnType<typeof scriptedProvider>;

/** Plays so many steps against a stand-in for the proxy. */
async function turns(
  count: number,
  answer: (request: Request, provider: Provider) => Promise<Response>,
): Promise<readonly Turn[]> {
  const steps = demoSteps().slice(0, count);
  const provider = scriptedProvider(steps);
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => answer(request, provider),
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  return await Array.fromAsync(play(url, steps, provider));
}

/** The same request with another body. */
function withBody({ url }: Request, body: string): Request {
  return new Request(url, { method: "POST", body });
}

Deno.test("play sends one growing request per step and one more, and sees that the prefix held", async () => {
  const played = await turns(
    2,
    (request, provider) => provider.handle(request),
  );
  assert.deepEqual(played.map(({ title }) => title), [
    "question",
    "service log",
    "grep",
  ]);
  for (const turn of played) {
    assert.equal(turn.bytesOut, turn.bytesIn);
    assert.equal(turn.prefixHeld, true);
    assert.equal(turn.retrievals, 0);
  }
});

Deno.test("play counts the bytes of every round that a request took", async () => {
  const [turn] = await turns(1, async (request, provider) => {
    await request.body?.cancel();
    await provider.handle(withBody(request, "ä"));
    return await provider.handle(withBody(request, "1234"));
  });
  assert.equal(turn?.bytesOut, 6);
  assert.equal(turn.retrievals, 1);
});

Deno.test("play notices a prefix that broke", async () => {
  let n = 0;
  const played = await turns(2, async (request, provider) => {
    const body = await request.text();
    const sent = n++ === 2 ? body.replace("failed", "FAILED") : body;
    return await provider.handle(withBody(request, sent));
  });
  assert.deepEqual(played.map(({ prefixHeld }) => prefixHeld), [
    true,
    true,
    false,
  ]);
});

Deno.test("play stops when the proxy answers with an error", async () => {
  const refusal = () => Promise.resolve(new Response("no", { status: 503 }));
  await assert.rejects(turns(0, refusal), /answered 503/);
});
