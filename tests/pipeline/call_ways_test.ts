import assert from "node:assert/strict";
import type { ConversationState } from "../../src/core/forms.ts";
import { wayOf } from "../../src/pipeline/call_ways.ts";
import { LEAVE_OLDER } from "../../src/pipeline/older_blocks.ts";
import { harness } from "./harness.ts";

const library = {
  protectRecent: 0,
  protectAnalysis: false,
  isLossless: false,
  isSimulation: false,
};
const state = { retrievals: [{}] } as unknown as ConversationState;

Deno.test("wayOf lets a preview differ from a request only in what it declares, commits and does to older blocks", () => {
  const live = Object.entries(wayOf({}));
  const preview = wayOf({ isPreview: true });
  const differ = live.filter(([name, step]) =>
    Reflect.get(preview, name) !== step
  );
  assert.deepEqual(differ.map(([name]) => name), [
    "declare",
    "older",
    "commit",
  ]);
});

Deno.test("wayOf lets a simulation differ in what it commits only, and of two wishes takes the one that writes nothing", () => {
  const { commit, ...live } = wayOf({});
  const { commit: simulate, ...simulation } = wayOf({ isSimulation: true });
  assert.deepEqual(simulation, live);
  assert.notEqual(simulate, commit);
  assert.equal(
    wayOf({ isSimulation: true, isPreview: true }).commit,
    simulate,
  );
  assert.equal(
    wayOf({ library: { ...library, isSimulation: true } }).commit,
    simulate,
  );
});

Deno.test("wayOf gives a library call no retrievals and no older blocks, and commits as a request does", () => {
  const way = wayOf({ library });
  assert.deepEqual(way.retrievals(state), []);
  assert.equal(wayOf({}).retrievals(state), state.retrievals);
  assert.equal(way.older(harness().parts, {} as never), LEAVE_OLDER);
  assert.equal(way.commit, wayOf({}).commit);
});
