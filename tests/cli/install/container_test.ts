import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { validate } from "dockerfile-utils";
import { parse } from "yaml";
import project from "../../../deno.json" with { type: "json" };
import { runtimeFlags } from "../../../scripts/compile/runtime_flags.ts";
import { CONTAINER } from "../../../src/cli/install/container.ts";
import { sampleService } from "./sample.ts";

const ROOT = new URL("../../../", import.meta.url);

/** A file of the repository. */
const read = (name: string) => Deno.readTextFile(new URL(name, ROOT));

Deno.test("CONTAINER writes the repository's own compose.yaml for its own directory", async () => {
  const service = sampleService("container", { sources: "." });
  assert.equal(CONTAINER.text(service), await read("compose.yaml"));
});

Deno.test("CONTAINER writes a Compose file that confines the proxy, with every value as it is", () => {
  const value = 'a: "b" $HOME ${X} \\ #';
  const service = sampleService("container", {
    stored: { SVC_OTEL_SERVICE_NAME: value, SVC_HOST: "0.0.0.0" },
  });
  const compose = parse(CONTAINER.text(service));
  const { proxy } = compose.services;
  // Compose reads two dollar signs as one.
  assert.equal(
    proxy.environment.SVC_OTEL_SERVICE_NAME.replaceAll("$$", "$"),
    value,
  );
  assert.doesNotMatch(
    proxy.environment.SVC_OTEL_SERVICE_NAME.replaceAll("$$", ""),
    /\$/,
  );
  assert.equal(proxy.environment.SVC_HOST, "127.0.0.1");
  assert.equal(proxy.environment.SVC_WORKSPACE_DIR, undefined);
  assert.equal(proxy.read_only, true);
  assert.deepEqual(proxy.cap_drop, ["ALL"]);
  assert.equal(proxy.restart, "unless-stopped");
  assert.deepEqual(proxy.volumes, ["data:/data"]);
  assert.equal(proxy.pull_policy, "build");
});

Deno.test("CONTAINER needs the sources", () => {
  const service = { ...sampleService("container"), sources: undefined };
  assert.throws(() => CONTAINER.text(service), /came without its sources/);
});

Deno.test("the Dockerfile has no fault that a linter finds, and runs what the one file runs as nobody", async () => {
  const text = await read("Dockerfile");
  assert.deepEqual(validate(text), []);
  const last = text.slice(text.lastIndexOf("\nFROM "));
  assert.match(last, /^USER 65532:65532$/m);
  assert.match(last, /^HEALTHCHECK /m);
  const [, words] = /^ENTRYPOINT (.*)$/m.exec(last)!;
  const entry: string[] = JSON.parse(words!);
  for (const flag of runtimeFlags(project)) assert.ok(entry.includes(flag));
  const launcher = await read("scripts/compile/self_extracting.ts");
  const [, closed] = /const CLOSED = \[(.*?)\]/s.exec(launcher)!;
  for (const [, flag] of closed!.matchAll(/"(--[\w-]+)"/g)) {
    assert.ok(entry.includes(flag!), `${flag}`);
  }
  assert.match(text, new RegExp(`deno:debian-${Deno.version.deno}`));
});

Deno.test("the image is built from what is there", async () => {
  const lines = (await read(".dockerignore")).split("\n");
  const names = lines.filter((line) => line.startsWith("!"));
  assert.ok(names.length > 5);
  for (const name of names) {
    assert.ok(existsSync(new URL(name.slice(1), ROOT)), name);
  }
});
