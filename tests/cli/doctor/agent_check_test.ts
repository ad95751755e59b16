import assert from "node:assert/strict";
import { checkAgent } from "../../../src/cli/doctor/agent_check.ts";
import { AGENT_ROWS } from "../../../src/cli/doctor/agent_rows.ts";
import { foundIn, type WorldParts } from "./world.ts";

const HERE = "http://127.0.0.1:8787";
const check = async (id: string, parts: WorldParts) =>
  await checkAgent(
    AGENT_ROWS.find((row) => row.id === id)!,
    await foundIn(parts),
  );

Deno.test("checkAgent says nothing of an agent that is not here, and warns of one that is not routed", async () => {
  assert.equal(await check("gemini", {}), undefined);
  const used = { "/home/a/.gemini/settings.json": "{}" };
  const verdict = await check("gemini", { texts: used });
  assert.equal(verdict?.status, "warn");
  assert.match(verdict.summary, /^Gemini CLI does not use the proxy/);
  assert.match(verdict.hint ?? "", /^svc wrap gemini /);
});

Deno.test("checkAgent passes for a variable or a file that leads to the proxy, and says which", async () => {
  const texts = { "/home/a/.gemini/.env": `GOOGLE_GEMINI_BASE_URL=${HERE}\n` };
  const file = await check("gemini", { texts });
  assert.equal(file?.status, "pass");
  assert.match(
    file.summary,
    /GOOGLE_GEMINI_BASE_URL in \/home\/a\/\.gemini\/\.env/,
  );
  const env = { GOOGLE_GEMINI_BASE_URL: HERE, PATH: "/bin" };
  const shell = await check("gemini", { texts: { "/bin/gemini": "" }, env });
  assert.match(shell?.summary ?? "", /^GOOGLE_GEMINI_BASE_URL in the shell/);
});

Deno.test("checkAgent fails for a wrong end of the URL, and warns of one that leads elsewhere without its path", async () => {
  const texts = { "/home/a/.aider.conf.yml": "" };
  const bare = await check("aider", { texts, env: { OPENAI_BASE_URL: HERE } });
  assert.equal(bare?.status, "fail");
  assert.match(bare.summary, /has no \/v1/);
  const either = { COPILOT_PROVIDER_BASE_URL: `${HERE}/v1`, PATH: "/bin" };
  const fit = await check("copilot", {
    texts: { "/bin/copilot": "" },
    env: either,
  });
  assert.equal(fit?.status, "pass");
  const past = { OPENAI_BASE_URL: "https://x.example/secret" };
  const elsewhere = await check("aider", { texts, env: past });
  assert.equal(elsewhere?.status, "warn");
  assert(!JSON.stringify(elsewhere).includes("secret"));
});

Deno.test("checkAgent says that Cursor's base URL cannot be seen", async () => {
  const verdict = await check("cursor", { texts: { "/home/a/.cursor/x": "" } });
  assert.equal(verdict?.status, "skip");
  assert.match(verdict.summary, /^Cursor: .*own database/);
});

Deno.test("checkAgent names the version, and whether it is the one that was tried", async () => {
  const at = async (version: string) => {
    const texts = {
      "/bin/codex": "",
      "/bin/node_modules/@openai/codex/package.json":
        `{"name": "@openai/codex", "version": "${version}"}`,
    };
    return (await check("codex", { texts, env: { PATH: "/bin" } }))?.summary;
  };
  const { version = "" } = AGENT_ROWS[1]!.tried!;
  assert.match(await at(version) ?? "", /; version [\d.]+ was tried$/);
  assert.match(
    await at("0.0.1") ?? "",
    /; version 0\.0\.1 was not tried, [\d.]+ was \(\d{4}-/,
  );
});

Deno.test("checkAgent says that svc wrap --keep wrote the address", async () => {
  const path = "/home/a/.codex/config.toml";
  const file = {
    path,
    target: path,
    digest: null,
    directories: [],
    before: null,
    after: "x",
    format: "toml",
    steps: [],
  };
  const journal = { version: 1, files: [file], emptied: [], pending: [] };
  const texts = {
    [path]: `openai_base_url = "${HERE}/v1"\n`,
    "/home/a/.svc/edits/wrap-codex.json": JSON.stringify({
      ...journal,
      owner: "wrap-codex",
    }),
  };
  const verdict = await check("codex", { texts });
  assert.match(verdict?.summary ?? "", /; written by svc wrap --keep$/);
  assert.equal(verdict?.details["kept"], true);
});
