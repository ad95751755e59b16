/** A model that reads what is sent gives the same answers about repeated, stale and outlined files as without svc. */
import assert from "node:assert/strict";
import type { TextValues } from "../../src/settings/row.ts";
import { startProxy } from "./proxy.ts";
import { ask, readingModel } from "./reading_model.ts";
import { startProvider } from "./scripted_provider.ts";
import { SIMULATED_CLIENTS, type SimulatedClient } from "./simulated_client.ts";

const HOUR_MS = 3_600_000;
const LINES = 160;
const LONG = 900;
const [A, B] = ["src/a.ts", "src/long.ts"];

/** A file after so many edits, as a tool prints it. */
function file(path: string, edits: number): string {
  const count = path === A ? LINES : LONG;
  return Array.from({ length: count }, (_, i) => {
    const version = edits > 0 && i > 55 && i < 62
      ? 1
      : edits > 1 && i > 90 && i < 97
      ? 2
      : 0;
    const name = `value${i}`;
    const line = i % 10 === 0
      ? `export function make${i}(${name}: number): number {`
      : i % 10 === 9
      ? "}"
      : `  const ${name} = compute(${i * 7919 % 1009}, ${version});`;
    return `${String(i + 1).padStart(6)}\t${line}`;
  }).join("\n");
}

const read = (path: string) => [{ tool: "Read", input: { file_path: path } }];
const edit = [{
  tool: "Edit",
  input: { file_path: A, old_string: "x", new_string: "y" },
}];

/** What the model does, and what its tools print. */
const STEPS = [
  { calls: read(A), prints: file(A, 0) },
  { calls: edit, prints: "The file was changed." },
  { calls: read(A), prints: file(A, 1) },
  { calls: read(B), prints: file(B, 0) },
  { calls: edit, prints: "The file was changed." },
  { calls: read(A), prints: file(A, 2) },
] as const;

/** Every kind of line: changed, unchanged, at the ends, of each read. */
const QUESTIONS = [
  ask(57, A, 1),
  ask(57, A, 2),
  ask(57, A, 3),
  ask(93, A, 2),
  ask(93, A, 3),
  ask(1, A, 2),
  ask(LINES, A, 3),
  ask(120, A, 1),
  ask(120, A, 3),
  ask(433, B, 1),
];

/** Has the conversation at `url`, and returns the answers. */
async function answers(
  { format, elements, read }: SimulatedClient,
  { url, pass }: { readonly url: string; readonly pass: () => void },
): Promise<readonly string[]> {
  const question = "Look at the files.";
  let said = format.elements({ question, steps: [] }, 0);
  const turn = async () => {
    const response = await fetch(url + format.path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...format.members, [format.array]: said }),
    });
    const bytes = await response.bytes();
    assert.equal(response.status, 200, new TextDecoder().decode(bytes));
    const answer = read(bytes, false);
    said = [...said, ...answer.elements];
    return answer;
  };
  for (const { prints } of STEPS) {
    const { calls: [callId] } = await turn();
    const result = {
      callId: callId!,
      text: prints,
      hasParts: false,
      isError: false,
    };
    said = [...said, ...elements([result])];
  }
  await turn();
  const heard: string[] = [];
  for (const [i, note] of QUESTIONS.entries()) {
    if (i === QUESTIONS.length / 2) pass();
    said = [...said, ...elements([], note)];
    const { elements: [answer] } = await turn();
    heard.push(/it is [^"]*/.exec(JSON.stringify(answer))?.[0] ?? "nothing");
  }
  return heard;
}

/** What is switched on, and what is sent because of it. */
interface Switched {
  readonly env: TextValues;
  readonly sends: readonly string[];
}

const DEDUPE = { SVC_DEDUPE: "1" };
const COLD = { SVC_COLD_RECOMPACT: "1" };
const OUTLINES = {
  SVC_ROLLOUT_CHANNEL: "canary",
  SVC_INTERCEPT_TOOL_RESULTS: "1",
};
const REPEATED = "are unchanged since the last result of Read";
const STALE = "omitted (the file was edited later)";
const OUTLINE = "[Outline of lines 1-900 ";

const SETTINGS: Readonly<Record<string, Switched>> = {
  "nothing else": { env: {}, sends: [] },
  SVC_DEDUPE: { env: DEDUPE, sends: [REPEATED] },
  SVC_COLD_RECOMPACT: { env: COLD, sends: [STALE] },
  "--intercept-tool-results": { env: OUTLINES, sends: [OUTLINE] },
  "all of it": {
    env: { ...DEDUPE, ...COLD, ...OUTLINES },
    sends: [REPEATED, STALE, OUTLINE],
  },
};

for (const [name, { env, sends }] of Object.entries(SETTINGS)) {
  for (const client of SIMULATED_CLIENTS) {
    Deno.test(`a model that reads gives the answers that it gives without svc: ${name}, ${client.format.id}`, async () => {
      const provider = startProvider(
        readingModel(STEPS.map(({ calls }) => calls)),
      );
      const time = { ms: Date.UTC(2026, 2, 2) };
      const pass = () => void (time.ms += 2 * HOUR_MS);
      const proxy = await startProxy({
        MSG_TARGET_API_URL: provider.url,
        CHAT_TARGET_API_URL: provider.url,
        ...env,
      }, { clock: { now: () => time.ms, monotonic: () => time.ms } });
      try {
        const without = await answers(client, { url: provider.url, pass });
        assert.equal(
          without.filter((one) => one.startsWith("it is ")).length,
          QUESTIONS.length,
          without.join("\n"),
        );
        assert.deepEqual(
          await answers(client, { url: proxy.url, pass }),
          without,
        );
        const sent = provider.received.map(({ text }) => text).join("\n");
        for (const words of sends) assert(sent.includes(words), words);
      } finally {
        await proxy.stop();
        await provider.stop();
      }
    });
  }
}
