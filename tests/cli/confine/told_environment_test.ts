import assert from "node:assert/strict";
import { toldEnvironment } from "../../../src/cli/confine/told_environment.ts";

Deno.test("toldEnvironment copies everything that is listed", () => {
  const env = { SVC_PORT: "1", PATH: "/bin", EMPTY: "" };
  assert.deepEqual(toldEnvironment(env), env);
});

Deno.test("toldEnvironment asks an object that lists nothing for what settings need", () => {
  const values: Record<string, string> = {
    SVC_PORT: "1",
    SVC_WORKSPACE_DIR: "/w",
    HOME: "/home/a",
    SECRET: "s",
  };
  const env = new Proxy<Record<string, string | undefined>>({}, {
    get: (_, name) => values[String(name)],
  });
  const told = toldEnvironment(env);
  assert.deepEqual(told, {
    SVC_PORT: "1",
    SVC_WORKSPACE_DIR: "/w",
    HOME: "/home/a",
  });
  structuredClone(told);
});
