import assert from "node:assert/strict";
import { planWrap } from "../../../src/cli/wrap/plan.ts";
import { WRAP_CODEX } from "../../../src/cli/wrap/codex.ts";
import { WRAP_OPENCODE } from "../../../src/cli/wrap/opencode.ts";
import {
  environmentLines,
  quoted,
  showPlan,
} from "../../../src/cli/wrap/show.ts";
import { fakeIo } from "../fake_io.ts";
import { fakeSystem } from "./fake_system.ts";

Deno.test("showPlan shows the proxy, the variables without secrets, and the command", async () => {
  const io = fakeIo({
    env: {
      HOME: "/home/a",
      OPENCODE_CONFIG_CONTENT:
        '{"provider":{"openai":{"options":{"apiKey":"k3y"}}}}',
    },
  });
  const request = {
    agent: WRAP_OPENCODE,
    args: ["run"],
    flags: {},
    large: false,
  };
  await showPlan(io, await planWrap(io, request), fakeSystem());
  assert.equal(
    io.out(),
    [
      "would start a proxy: http://127.0.0.1:8787",
      "  messages requests go to https://api.anthropic.com",
      "  chat requests go to https://api.openai.com",
      "would set OPENCODE_CONFIG_CONTENT=…",
      "would run opencode run",
      "",
    ].join("\n"),
  );
});

Deno.test("environmentLines have a function where the agent needs arguments", async () => {
  const io = fakeIo();
  const request = { agent: WRAP_CODEX, args: [], flags: {}, large: false };
  const [line = "", ...more] = environmentLines(await planWrap(io, request));
  assert.deepEqual(more, []);
  assert.match(
    line,
    /^codex\(\) \{ command codex -c 'openai_base_url=".*\/v1"' "\$@"; \}$/,
  );
});

Deno.test("quoted gives a word that a shell reads as it was", async () => {
  for (const word of ["plain", "two words", "it's", "$HOME", "", "a\nb"]) {
    const { stdout } = await new Deno.Command("/bin/sh", {
      args: ["-c", `printf %s ${quoted(word)}`],
    }).output();
    assert.equal(new TextDecoder().decode(stdout), word);
  }
});
