import assert from "node:assert/strict";
import { attributionOf, splitProject } from "../../src/proxy/attribution.ts";

function namesOf(path: string, headers: Record<string, string> = {}) {
  return attributionOf(new Headers(headers), splitProject(path).project);
}

Deno.test("the project is that of the header, else of the path, else of the working directory", () => {
  const cwd = { "x-svc-cwd": "/home/me/shop/" };
  const all = { ...cwd, "x-svc-project": "billing" };
  assert.equal(namesOf("/p/site/v1/messages", all).project, "billing");
  assert.equal(namesOf("/p/site/v1/messages", cwd).project, "site");
  assert.equal(namesOf("/v1/messages", cwd).project, "shop");
  assert.equal(
    namesOf("/v1/messages", { "x-svc-cwd": "C:\\work\\shop" }).project,
    "shop",
  );
  const id = { ...cwd, "x-svc-project-id": "shop-eu" };
  assert.equal(namesOf("/p/site/v1/messages", id).project, "shop-eu");
  assert.equal(
    namesOf("/v1/messages", { ...id, "x-svc-project": "billing" }).project,
    "billing",
  );
  assert.equal(
    namesOf("/p/site/v1/x", { ...id, "x-svc-project-id": " " }).project,
    "site",
  );
  const alias = { "x-headroom-cwd": "/home/me/alias" };
  assert.equal(namesOf("/v1/messages", alias).project, "alias");
  assert.equal(
    namesOf("/v1/x", { "x-headroom-project": "a", ...all }).project,
    "billing",
  );
  assert.equal(namesOf("/v1/x", { "x-headroom-stack": "ts" }).stack, "ts");
  assert.equal(namesOf("/v1/messages").project, "default");
});

Deno.test("a field in UTF-8 names the project of the path with the same name; any other is read byte by byte", () => {
  const bytes = (text: string) =>
    String.fromCharCode(...new TextEncoder().encode(text));
  for (const name of ["é 日本", "caf\u00e9", "plain"]) {
    const { project } = namesOf(`/p/${encodeURIComponent(name)}/v1/x`);
    assert.equal(project, name);
    const field = { "x-svc-project": bytes(name) };
    assert.equal(namesOf("/v1/x", field).project, name);
    const cwd = { "x-svc-cwd": bytes(`/home/me/${name}`) };
    assert.equal(namesOf("/v1/x", cwd).project, name);
  }
  assert.equal(
    namesOf("/v1/x", { "x-svc-project": "caf\xe9" }).project,
    "caf\xe9",
  );
});

Deno.test("a name is decoded, printable, trimmed and bounded", () => {
  assert.equal(namesOf("/p/caf%C3%A9%20one/v1/x").project, "café one");
  assert.equal(namesOf("/p/%0A%1b%5B31mred/v1/x").project, "[31mred");
  assert.equal(namesOf("/p/100%/v1/x").project, "100%");
  assert.equal(namesOf("/p/%20/v1/x").project, "default");
  const long = namesOf("/v1/x", {
    "x-svc-project": encodeURIComponent("😀".repeat(999)),
  });
  assert.equal(long.project, "😀".repeat(128));
});

Deno.test("the stack is the client's word, the agent the product of its user agent", () => {
  const { stack, agent } = namesOf("/v1/messages", {
    "x-svc-stack": " web ",
    "user-agent": "claude-cli/2.1.197 (external, cli)",
  });
  assert.deepEqual({ stack, agent }, { stack: "web", agent: "claude-cli" });
  for (
    const [text, name] of [
      ["OpenAI/JS 6.1.0", "OpenAI"],
      ["curl", "curl"],
      ["", ""],
      ["(weird)", ""],
    ] as const
  ) {
    assert.equal(namesOf("/", { "user-agent": text }).agent, name);
  }
});

Deno.test("splitProject leaves every other path as it is", () => {
  assert.deepEqual(splitProject("/p/a%2Fb/v1/messages?beta=true"), {
    project: "a%2Fb",
    path: "/v1/messages?beta=true",
  });
  assert.deepEqual(splitProject("/p//settings"), {
    project: "",
    path: "/settings",
  });
  for (const path of ["/v1/messages", "/p/", "/p/a", "/p/a?x=/y"]) {
    assert.deepEqual(splitProject(path), { project: undefined, path });
  }
});
