import assert from "node:assert/strict";
import type { CcrStore } from "../../src/core/store.ts";
import { makeFrozenForms } from "../../src/ccr/frozen_forms.ts";
import type { BlockProbe } from "../../src/core/forms.ts";
import { FakeClock } from "./fake_clock.ts";
import { formOf } from "./samples.ts";
import { openMemoryStore } from "../../src/ccr/open_store.ts";

const DAY_MS = 86_400_000;

/** A store that counts what it is asked, forms in front of it, and probes that count decoding. */
function scene(bounds: { maxBytes?: number; maxBlocks?: number } = {}) {
  const clock = new FakeClock();
  const events: string[] = [];
  const log = (_: string, event: string) => void events.push(event);
  const inner = openMemoryStore({ ttlSeconds: 60, clock, log });
  const calls = { forms: [] as number[], touched: [] as number[], decoded: 0 };
  const store: CcrStore = {
    ...inner,
    forms: (keys) => {
      calls.forms.push(keys.length);
      return inner.forms(keys);
    },
    write: (batch) => {
      if (batch.touch) calls.touched.push(batch.touch.length);
      return inner.write(batch);
    },
  };
  const open = () => makeFrozenForms(store, { clock, log, ...bounds });
  const probe = (
    text: string | undefined,
    parts: Partial<BlockProbe> & { raw?: string } = {},
  ): BlockProbe => ({
    callId: "call_1",
    toolName: "Bash",
    part: 0,
    args: undefined,
    literal: new TextEncoder().encode(parts.raw ?? JSON.stringify(text ?? "")),
    standIn: "conversation",
    text: () => {
      calls.decoded++;
      return text;
    },
    ...parts,
  });
  const commit = async (forms: ReturnType<typeof open>, block: BlockProbe) => {
    const [found] = lookup(forms, block);
    assert.ok(found?.state === "new");
    const form = formOf(`short ${found.key}`);
    const written = await store.write({
      now: clock.now(),
      forms: new Map([[found.key, form]]),
    });
    forms.adopt(written.forms, [found.verdict]);
    forms.settle([found]);
    return { key: found.key, form };
  };
  return { clock, calls, events, store, open, probe, commit };
}

/** Names blocks and looks them up, as each request does. */
function lookup(
  forms: ReturnType<typeof makeFrozenForms>,
  ...probes: BlockProbe[]
) {
  return forms.lookup(probes.map((probe) => forms.name(probe)));
}

function stateOf(
  forms: ReturnType<typeof makeFrozenForms>,
  ...probes: BlockProbe[]
): string[] {
  return lookup(forms, ...probes).map(({ state }) => state);
}

Deno.test("FrozenForms.lookup knows a new block until its request was sent", () => {
  const { open, probe, calls } = scene();
  const forms = open();
  const block = probe("a");
  const [found] = lookup(forms, block);
  assert.ok(found?.state === "new");
  assert.deepEqual(stateOf(forms, block), ["new"]);
  forms.settle([found]);
  calls.decoded = 0;
  calls.forms.length = 0;
  assert.deepEqual(stateOf(forms, block), ["alone"]);
  assert.deepEqual(calls, { forms: [], touched: [], decoded: 0 });
});

Deno.test("FrozenForms.lookup gives a committed form back without decoding or asking", async () => {
  const { open, probe, commit, calls } = scene();
  const forms = open();
  const block = probe("a");
  const { key, form } = await commit(forms, block);
  calls.decoded = 0;
  calls.forms.length = 0;
  assert.deepEqual(lookup(forms, block), [{ state: "form", key, form }]);
  assert.deepEqual(calls, { forms: [], touched: [], decoded: 0 });
});

Deno.test("FrozenForms.lookup finds forms of an earlier process in one batch", async () => {
  const { open, probe, commit, calls } = scene();
  const first = open();
  const blocks = ["a", "b", "c"].map((text) => probe(text));
  for (const block of blocks) await commit(first, block);
  const second = open();
  calls.forms.length = 0;
  const states = stateOf(second, ...blocks, probe("d"), blocks[0]!);
  assert.deepEqual(states, ["form", "form", "form", "new", "form"]);
  assert.deepEqual(calls.forms, [4]);
  assert.deepEqual(stateOf(second, ...blocks), ["form", "form", "form"]);
  assert.deepEqual(calls.forms, [4]);
});

Deno.test("FrozenForms.lookup knows the same text under other escapes", async () => {
  const { open, probe, commit } = scene();
  const forms = open();
  const { key, form } = await commit(forms, probe("é/", { raw: '"é/"' }));
  const other = probe("é/", { raw: '"\\u00e9\\/"' });
  assert.deepEqual(lookup(forms, other), [{ state: "form", key, form }]);

  const alone = probe("ü", { raw: '"ü"' });
  forms.settle(lookup(forms, alone));
  assert.deepEqual(stateOf(forms, probe("ü", { raw: '"\\u00fc"' })), ["alone"]);
});

Deno.test("FrozenForms.lookup tells blocks apart by call, part and tool", async () => {
  const { open, probe, commit } = scene();
  const forms = open();
  await commit(forms, probe("a"));
  const others = [
    probe("a", { callId: "call_2" }),
    probe("a", { part: 1 }),
    probe("a", { toolName: "Read" }),
    probe("a", { toolName: undefined }),
    probe("a", { callId: undefined }),
    probe("a", { callId: "conversation" }),
  ];
  assert.deepEqual(stateOf(forms, ...others), others.map(() => "new"));
  const keys = lookup(forms, ...others).map((one) => "key" in one && one.key);
  assert.equal(new Set(keys).size, others.length);
});

Deno.test("FrozenForms.lookup goes by conversation only where there is no call id", async () => {
  const { open, probe, commit } = scene();
  const forms = open();
  await commit(forms, probe("a"));
  await commit(forms, probe("a", { callId: undefined }));
  const standIn = "another conversation";
  const states = stateOf(
    forms,
    probe("a", { standIn }),
    probe("a", { callId: undefined }),
    probe("a", { callId: undefined, standIn }),
  );
  assert.deepEqual(states, ["form", "form", "new"]);
});

Deno.test("FrozenForms.lookup asks again about a text left alone, when its call has other arguments", () => {
  const { open, probe } = scene();
  const forms = open();
  const args = (command: string) => new TextEncoder().encode(command);
  const read = probe("a", { args: args("cat a") });
  forms.settle(lookup(forms, read));
  const other = probe("a", { args: args("journalctl") });
  assert.deepEqual(stateOf(forms, read, other), ["alone", "new"]);
});

Deno.test("FrozenForms.lookup never rewrites what cannot be read, and tries once", () => {
  const { open, probe, calls } = scene();
  const forms = open();
  const block = probe(undefined, { raw: '"\\ud800"' });
  assert.deepEqual(stateOf(forms, block, block), ["unreadable", "unreadable"]);
  forms.settle(lookup(forms, block));
  assert.deepEqual(stateOf(forms, block), ["unreadable"]);
  assert.equal(calls.decoded, 1);
  assert.deepEqual(calls.forms, []);
});

Deno.test("FrozenForms.adopt keeps its own copy of a literal", async () => {
  const { open, probe } = scene();
  const forms = open();
  const block = probe("a");
  const [found] = lookup(forms, block);
  assert.ok(found?.state === "new");
  const body = new TextEncoder().encode('["form"]');
  const form = { ...formOf(""), literal: body.subarray(1, 7) };
  forms.adopt(new Map([[found.key, form]]), [found.verdict]);
  body.fill(0);
  const [known] = lookup(forms, block);
  assert.ok(known?.state === "form");
  assert.equal(new TextDecoder().decode(known.form.literal), '"form"');
  assert.equal(known.form.literal.buffer.byteLength, 6);
  await Promise.resolve();
});

Deno.test("FrozenForms.forget makes a retracted form's block new again", async () => {
  const { open, probe, commit, store, clock } = scene();
  const forms = open();
  const block = probe("a");
  const { key } = await commit(forms, block);
  await store.write({ now: clock.now(), retract: [key] });
  forms.forget([key]);
  assert.deepEqual(stateOf(forms, block), ["new"]);
});

Deno.test("FrozenForms.settle spares a block whose form another request adopted", async () => {
  const { open, probe, commit } = scene();
  const forms = open();
  const block = probe("a");
  const lookups = lookup(forms, block);
  await commit(forms, block);
  forms.settle(lookups);
  assert.deepEqual(stateOf(forms, block), ["form"]);
});

Deno.test("FrozenForms loads a form again that memory had no room for", async () => {
  const { open, probe, commit, calls } = scene({ maxBytes: 1000 });
  const forms = open();
  const blocks = ["a", "b", "c"].map((text) => probe(text));
  for (const block of blocks) await commit(forms, block);
  calls.decoded = 0;
  calls.forms.length = 0;
  assert.deepEqual(stateOf(forms, ...blocks), ["form", "form", "form"]);
  assert.deepEqual(calls, { forms: [1], touched: [], decoded: 0 });
});

Deno.test("FrozenForms tells the store once a day that a form is in use", async () => {
  const { open, probe, commit, calls, clock } = scene();
  const first = open();
  const block = probe("a");
  const { key } = await commit(first, block);
  stateOf(first, block);
  assert.deepEqual(calls.touched, []);
  for (let day = 0; day < 40; day++) {
    clock.pass(DAY_MS);
    assert.deepEqual(stateOf(first, block, block), ["form", "form"]);
    stateOf(first, block);
    await Promise.resolve();
  }
  assert.deepEqual(calls.touched, Array.from({ length: 40 }, () => 1));
  assert.deepEqual(stateOf(open(), block), ["form"]);
  assert.equal(calls.touched.length, 41);
  assert.match(key, /^[0-9a-f]{32}$/);
});

Deno.test("FrozenForms logs the first touch that is refused and goes on", async () => {
  const { open, probe, commit, clock, store, events } = scene();
  const block = probe("a");
  await commit(open(), block);
  const write = () => Promise.reject(new Error("locked"));
  const refusing = makeFrozenForms({ ...store, write }, {
    clock,
    log: (_, event) => void events.push(event),
  });
  for (let day = 0; day < 3; day++) {
    assert.deepEqual(stateOf(refusing, block), ["form"]);
    clock.pass(DAY_MS);
    await new Promise((resolve) => setTimeout(resolve));
  }
  assert.deepEqual(events, ["ccr_touch_failed"]);
});
