import assert from "node:assert/strict";
import { nextFree, takenFailure } from "../../../src/cli/wrap/port_advice.ts";

const taken = {
  host: "127.0.0.1",
  port: 8787,
  status: undefined,
  command: "svc wrap claude",
};
const isFree = (_host: string, port: number) => port === 8789;

Deno.test("takenFailure says who has the port, what it answers, and which one is free", async () => {
  const owner = { pid: 7, name: "python3" };
  const known = { isFree, ownerOf: () => Promise.resolve(owner) };
  const { message } = await takenFailure({ ...taken, status: 404 }, known);
  assert.equal(
    message,
    "Cannot use port 8787 of 127.0.0.1: python3 (process 7) has it and answers /health with HTTP status 404, not like svc; port 8789 is free: svc wrap claude --port 8789",
  );
  const unknown = {
    isFree: () => false,
    ownerOf: () => Promise.resolve(undefined),
  };
  assert.match(
    (await takenFailure(taken, unknown)).message,
    /another program has it and does not answer like svc; give another one/,
  );
});

Deno.test("nextFree stops at the last port", () => {
  const none = { isFree: () => false };
  assert.equal(nextFree({ host: "::1", port: 65_535 }, none), undefined);
});
