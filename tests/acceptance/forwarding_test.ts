/** What reaches the upstream, and what does not. */
import assert from "node:assert/strict";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Conversation } from "../conformance/conversation.ts";
import { conversationOf, LOG, ROWS } from "../e2e/agent.ts";
import { Random } from "../e2e/random.ts";
import {
  onEach,
  onlyChanged,
  printed,
  withoutOurTool,
  withoutTools,
} from "./bodies.ts";
import {
  arrived,
  bodyFor,
  GENERATING,
  GENERATIONS,
  PREVIEWS,
  replies,
  statsOf,
  withApp,
} from "./world.ts";

const decoder = new TextDecoder();
const fine = replies();

Deno.test("1 a request below the thresholds arrives byte for byte", () =>
  withApp(
    fine,
    (place) =>
      onEach([...GENERATING, ...PREVIEWS], async ({ path, client }) => {
        const body =
          `\r\n{ "zeta":-0.0,"temperature": 1.0,  "max_tokens":1e3,\t` +
          `"alpha" : 2.50E-1, "${client.array}" :[ {"content":"caf\\u00e9 \\/ ` +
          `\\ud83d\\ude00 é","role" : "user"} ] , "model":"m-1" ,` +
          `"metadata":{"b":1,"a":1.10}\n}\n`;
        const { text } = await arrived(place, path, body);
        assert.equal(text, body);
      }),
  ));

Deno.test("2 every byte outside the literal of a compressed tool result is the client's", () =>
  withApp(fine, (place) =>
    onEach(GENERATIONS, async (route) => {
      const bare = withoutTools(route);
      const rows = bodyFor(bare, printed(ROWS, route.path), 1);
      const folded = await arrived(place, route.path, rows);
      const form = onlyChanged(folded.text, decoder.decode(rows), ROWS);
      assert(form.length < ROWS.length);

      const talk = printed(LOG, `${route.path} log`);
      await arrived(place, route.path, bodyFor(route, talk, 0));
      const log = bodyFor(route, talk, 1);
      const elided = withoutOurTool(
        (await arrived(place, route.path, log)).text,
      );
      const view = onlyChanged(elided, decoder.decode(log), LOG);
      assert.match(view, /Retrieve more: hash=/);
    })));

/** A conversation that a seed decides. */
function randomTalk(random: Random, name: string): Conversation {
  const texts = [
    LOG,
    ROWS,
    "ok",
    "",
    LOG.slice(random.below(9000)),
    `${name} é😀\u0000\n`.repeat(1 + random.below(90)),
  ];
  return {
    question: name,
    steps: Array.from({ length: 1 + random.below(3) }, (_, i) => ({
      ...random.chance(0.5) ? { says: `I look, ${i}.` } : {},
      calls: Array.from({ length: 1 + random.below(2) }, (_, k) => ({
        id: `${name} ${i} ${k}`,
        tool: random.pick(["Bash", "Grep", "fetch_rows"]),
        args: { query: `${i}` },
        result: random.pick(texts),
      })),
      ...random.chance(0.2) ? { note: "Hurry." } : {},
    })),
  };
}

Deno.test("4 system prompt, tools and all turns before the newest are unchanged in 50 random conversations", () =>
  withApp(fine, async (place) => {
    const random = new Random("acceptance 4");
    for (let i = 0; i < 50; i++) {
      const route = GENERATIONS[i % GENERATIONS.length]!;
      const { members, client } = route;
      const { tools, system, instructions } = members;
      const talk = randomTalk(random, `talk ${i}`);
      let before = "";
      for (let n = 0; n <= talk.steps.length; n++) {
        const body = bodyFor(route, talk, n);
        const sent = await arrived(place, route.path, body);
        const conversation = conversationOf(sent, client.array);
        assert(conversation.startsWith(before), `${route.path} ${i}`);
        for (const part of [system ?? instructions ?? "", tools]) {
          assert(sent.text.includes(JSON.stringify(part).slice(0, -1)));
        }
        before = conversation;
      }
    }
  }));

for (const mode of ["cache", "token", "passthrough"] as const) {
  Deno.test(`5 no message is dropped, added or moved in mode ${mode}`, () => {
    const env: Record<string, string> = mode === "token"
      ? { SVC_MODE: mode }
      : {};
    const headers: Record<string, string> = mode === "passthrough"
      ? { "x-svc-mode": mode }
      : {};
    const orderOf = (elements: readonly unknown[]) =>
      elements.map((element) => {
        const { role, type, call_id, tool_call_id } = Object(element);
        return [role, type, call_id, tool_call_id];
      });
    return withApp(fine, async (place) => {
      const random = new Random(`acceptance 5 ${mode}`);
      for (let i = 0; i < 12; i++) {
        const route = random.pick(GENERATIONS);
        const talk = randomTalk(random, `${mode} ${i}`);
        for (let n = 0; n <= talk.steps.length; n++) {
          const body = bodyFor(route, talk, n);
          const { text } = await arrived(place, route.path, { body, headers });
          assert.deepEqual(
            orderOf(JSON.parse(text)[route.client.array]),
            orderOf(route.client.elements(talk, n)),
          );
        }
      }
    }, { env });
  });
}

Deno.test("6 bypass in either header and any case sends the client's bytes and no tool", () =>
  withApp(
    fine,
    (place) =>
      onEach([...GENERATING, ...PREVIEWS], async (route) => {
        for (
          const headers of [
            { "x-svc-bypass": "true" },
            { "X-Svc-Bypass": "TRUE" },
            { "x-svc-mode": "passthrough" },
            { "x-svc-mode": "PassThrough" },
          ] as Record<string, string>[]
        ) {
          for (const n of [0, 1]) {
            const body = bodyFor(route, printed(LOG), n);
            const sent = await arrived(place, route.path, { body, headers });
            assert.deepEqual(sent.body, body);
          }
        }
      }),
  ));

/** A worker that dies of everything it is asked. */
class DyingWorker extends EventTarget {
  onmessage: ((event: MessageEvent) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  postMessage(): void {
    queueMicrotask(() => this.onerror?.(new ErrorEvent("error")));
  }
  terminate(): void {}
}

Deno.test("7 a compressor that fails costs nothing but the saving, and is logged", async () => {
  const real = globalThis.Worker;
  globalThis.Worker = DyingWorker as unknown as typeof Worker;
  try {
    await withApp(fine, async (place) => {
      const route = GENERATIONS[0]!;
      // Smaller texts need no worker.
      const talk = printed(LOG.repeat(5));
      await arrived(place, route.path, bodyFor(route, talk, 0));
      const body = bodyFor(route, talk, 1);
      const { text } = await arrived(place, route.path, body);
      assert(withoutOurTool(text) === decoder.decode(body));
      assert.equal((await statsOf(place)).requests.failed, 0);
      assert(
        place.logged.some((event) => /fail/.test(event)),
        `logged ${place.logged}`,
      );
    });
  } finally {
    globalThis.Worker = real;
  }
});

Deno.test("9 a replacement is used only if it has fewer tokens, marker included", () =>
  withApp(fine, async (place) => {
    const random = new Random("acceptance 9");
    const words = [
      "alpha",
      "beta",
      "fn(x)",
      "42",
      "é",
      "{",
      "}",
      "\n",
      "path/",
    ];
    const noise = (n: number) =>
      Array.from({ length: n }, () => random.pick(words) + random.below(9999))
        .join(" ");
    const route = GENERATIONS[0]!;
    const texts = [
      ...[10, 100, 400, 1500].map(noise),
      ...[1, 2, 3, 5, 8].map((n) => LOG.split("\n").slice(0, n).join("\n")),
      JSON.stringify([{ a: 1 }]),
      JSON.stringify(JSON.parse(ROWS)),
      "one line",
      "a\n".repeat(6),
      LOG,
      ROWS,
    ];
    let changed = 0;
    for (const [i, text] of texts.entries()) {
      const talk = printed(text, `tokens ${i}`);
      await arrived(place, route.path, bodyFor(route, talk, 0));
      const body = bodyFor(route, talk, 1);
      const sent = withoutOurTool(
        (await arrived(place, route.path, body)).text,
      );
      const form = onlyChanged(sent, decoder.decode(body), text);
      if (form === text) continue;
      changed++;
      assert(countTokens(form) < countTokens(text), form);
    }
    assert(changed >= 2);
  }));

Deno.test("10 markers of the prompt cache stay where they are, those around compressed text included", () =>
  withApp(fine, async (place) => {
    const cache_control = { type: "ephemeral", ttl: "1h" };
    for (let count = 1; count <= 4; count++) {
      const at = (i: number) => i < count ? { cache_control } : {};
      const talk = (result: unknown[]) => [
        { role: "user", content: [{ type: "text", text: `markers ${count}` }] },
        ...result,
      ];
      const body = (elements: unknown[]) =>
        JSON.stringify({
          model: "claude-sonnet-4-5",
          max_tokens: 9,
          system: [{ type: "text", text: "You are an agent.", ...at(0) }],
          tools: [{ name: "Bash", input_schema: {}, ...at(1) }],
          messages: talk(elements),
        });
      await arrived(place, "/v1/messages", body([]));
      const client = body([
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "t", name: "Bash", input: {} }],
        },
        {
          role: "user",
          content: [{
            type: "tool_result",
            tool_use_id: "t",
            content: [{ type: "text", text: LOG, ...at(2) }],
            ...at(3),
          }],
        },
      ]);
      const { text } = await arrived(place, "/v1/messages", client);
      const form = onlyChanged(withoutOurTool(text), client, LOG);
      assert.match(form, /hash=/);
      assert.equal(text.split('"cache_control"').length - 1, count);
    }
  }));

Deno.test("11 thinking, signatures, calls, images and documents arrive byte for byte", () =>
  withApp(fine, async (place) => {
    const blocks = [
      '{"type":"thinking" , "thinking":"a\\u00e9\\/b", "signature":"EqQB+/=="}',
      '{ "type":"redacted_thinking","data":"Emw\\/KA==" }',
      '{"type":"text","text":"I  look."}',
      '{"type":"tool_use","id":"t1","name":"Bash","input":{"n":1.0,"e":1E5,"s":"\\t"}}',
    ];
    const results = [
      `{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":${
        JSON.stringify(LOG)
      }},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="} }]}`,
      '{"type":"image","source":{"type":"url","url":"https:\\/\\/x.example/a.png"}}',
      '{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a  b"},"title":null}',
    ];
    const body = (turns: string) =>
      `{"model":"claude-sonnet-4-5","max_tokens":9,"tools":[{"name":"Bash","input_schema":{}}],"messages":[{"role":"user","content":"look"}${turns}]}`;
    await arrived(place, "/v1/messages", body(""));
    const client = body(
      `,{"role":"assistant","content":[${blocks.join(", ")}]},` +
        `{"role":"user","content":[${results.join(" ,")}]}`,
    );
    const { text } = await arrived(place, "/v1/messages", client);
    const form = onlyChanged(withoutOurTool(text), client, LOG);
    assert.match(form, /hash=/);
    // A part of a client that sets no breakpoints may get one.
  }, { env: { SVC_AUTO_CACHE: "0" } }));
