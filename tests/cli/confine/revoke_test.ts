import assert from "node:assert/strict";
import { giveUp } from "../../../src/cli/confine/revoke.ts";
import type { GivenUp } from "../../../src/cli/io.ts";

function revoked(what: GivenUp, mayAsk = false): string[] {
  const names: string[] = [];
  giveUp(what, {
    mayAsk: () => mayAsk,
    revoke: ({ name }) => void names.push(name),
  });
  return names;
}

Deno.test("giveUp takes away what is not needed, and programs and libraries with it", () => {
  assert.deepEqual(revoked({ files: true, network: false }), [
    "write",
    "run",
    "ffi",
  ]);
  assert.deepEqual(revoked({ files: false, network: true }), [
    "net",
    "run",
    "ffi",
  ]);
  assert.deepEqual(revoked({ files: true, network: true }), [
    "write",
    "net",
    "run",
    "ffi",
  ]);
});

Deno.test("giveUp takes nothing away where nothing is given up, whoever is asked", () => {
  assert.deepEqual(revoked({ files: false, network: false }, true), []);
});

Deno.test("giveUp refuses where the user would be asked for it again", () => {
  assert.throws(
    () => revoked({ files: true, network: true }, true),
    /^CliFailure: Cannot enforce SVC_STATELESS and SVC_OFFLINE: /,
  );
});
