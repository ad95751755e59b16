import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { worldOf } from "../doctor/world.ts";

Deno.test("svc doctor asks the port that it is told, and ends with what it found", async () => {
  const asked: string[] = [];
  const { io } = worldOf({
    io: {
      ask(url) {
        asked.push(url.href);
        return Promise.resolve({ status: 404, text: "no" });
      },
    },
  });
  assert.equal(await runCli(["doctor", "--port", "9000", "--json"], io), 2);
  assert.deepEqual(asked, ["http://127.0.0.1:9000/health"]);
  const { exit_code, checks } = JSON.parse(io.out());
  assert.equal(exit_code, 2);
  assert.equal(checks[2].status, "fail");
});

Deno.test("svc doctor refuses what is no port", async () => {
  for (const port of ["0", "65536", "x", "1.5"]) {
    const { io } = worldOf();
    assert.equal(await runCli(["doctor", "--port", port], io), 2);
    assert.match(io.err(), /Give a port/);
  }
});
