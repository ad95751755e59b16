import fc from "fast-check";
import {
  replaceSmallFile,
  smallFile,
  writeBeside,
} from "../../src/telemetry/small_file.ts";
import {
  isSdkDisabled,
  metricsUrl,
  otlpUrl,
  shownUrl,
} from "../../src/telemetry/otel_contract.ts";
import {
  boundedValues,
  oneLine,
  plainName,
  slugOf,
} from "../../src/telemetry/slug.ts";
import { isCheckout, systemFacts } from "../../src/telemetry/system.ts";
import { BUILD_FACTS } from "../../src/build_info.ts";
import { join } from "node:path";
import assert from "node:assert/strict";
import { laterUnheld, within } from "../../src/telemetry/later.ts";
import { fakeTime, namesIn } from "./export_samples.ts";
import { inTempDir, tempDir } from "../temp_dir.ts";

Deno.test("laterUnheld runs once", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Something must hold the process: the timer under test does not.
  const hold = setTimeout(() => {}, 10_000);
  const stop = laterUnheld(0, resolve);
  await promise;
  stop();
  clearTimeout(hold);
});

Deno.test("laterUnheld does not run once it is stopped", async () => {
  let ran = false;
  laterUnheld(0, () => void (ran = true))();
  await new Promise<void>((resolve) => void setTimeout(resolve, 1));
  assert.equal(ran, false);
});

Deno.test("within resolves when the work has ended, well or not, and leaves no timer", async () => {
  const time = fakeTime();
  await within(1000, Promise.resolve(), time.later);
  await within(1000, Promise.reject(new Error("x")), time.later);
  assert.equal(time.waiting(), 0);
});

Deno.test("within resolves when time is up", async () => {
  const time = fakeTime();
  const done = within(1000, new Promise(() => {}), time.later);
  time.advance(1000);
  await done;
});

Deno.test("systemFacts says system and processor, and one of the ways to install", () => {
  const { os, arch, installMode } = systemFacts();
  assert.deepEqual([os, arch], [Deno.build.os, Deno.build.arch]);
  assert(["source", "package"].includes(installMode));
});

Deno.test("systemFacts calls a self-extracting file a binary", () => {
  const world = globalThis as { [BUILD_FACTS]?: unknown };
  world[BUILD_FACTS] = { way: "self-extracting file", file: "/opt/svc" };
  try {
    assert.equal(systemFacts().installMode, "binary");
  } finally {
    delete world[BUILD_FACTS];
  }
});

Deno.test("isCheckout looks for a repository, also one of a worktree", async () => {
  await using temp = await tempDir();
  const root = temp.path;
  assert.equal(isCheckout(root), false);
  await Deno.writeTextFile(join(root, ".git"), "gitdir: elsewhere");
  assert.equal(isCheckout(root), true);
  assert.equal(isCheckout(join(root, "no")), false);
  assert.equal(isCheckout(join(root, ".git")), false);
});

Deno.test({
  name: "systemFacts needs no permission",
  permissions: "none",
  fn() {
    assert.equal(systemFacts().installMode, "package");
  },
});

Deno.test("slugOf cuts at the first colon", () => {
  assert.equal(slugOf("wrapped:json"), "wrapped");
  assert.equal(slugOf("log"), "log");
});

Deno.test("slugOf is other for what is no slug", () => {
  for (
    const name of ["", ":a", "Log", "a b", "1a", "a-b", `a${"b".repeat(32)}`]
  ) {
    assert.equal(slugOf(name), "other", name);
  }
  assert.equal(slugOf("a".repeat(32)), "a".repeat(32));
});

Deno.test("slugOf is a slug whatever it is given", () => {
  fc.assert(fc.property(fc.string(), (name) => {
    assert.match(slugOf(name), /^[a-z][a-z0-9_]{0,31}$/);
  }));
});

Deno.test("plainName cuts a long name, and is undefined for what is none", () => {
  assert.equal(plainName("claude sonnet"), "claude sonnet");
  assert.equal(plainName("m".repeat(300)), "m".repeat(100));
  for (const name of ["", " ", "a\u0000", "a\u202e", "é"]) {
    assert.equal(plainName(name), undefined);
  }
});

Deno.test("oneLine has no control characters, line breaks or direction marks", () => {
  assert.equal(oneLine("a\r\n\u001b[1mb\u202e\u2028c", 99), "a [1mb c");
  assert.equal(oneLine("abcdef", 3), "abc");
});

Deno.test("boundedValues lets the first values pass, ever again, and calls later ones other", () => {
  const bounded = boundedValues(2);
  assert.deepEqual(
    ["a", "b", "c", "a", "c", "other"].map(bounded),
    ["a", "b", "other", "a", "other", "other"],
  );
});

Deno.test("boundedValues calls what is no name other", () => {
  const bounded = boundedValues(9);
  assert.deepEqual(["", " ", "a\nb", "ü"].map(bounded), [
    "other",
    "other",
    "other",
    "other",
  ]);
});

Deno.test("otlpUrl prefers the variable of the signal, which gets nothing appended", () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://a/",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://b/x",
  };
  assert.equal(otlpUrl("TRACES", env), "http://b/x");
  assert.equal(otlpUrl("METRICS", env), "http://a/v1/metrics");
  assert.equal(otlpUrl("METRICS", {}), undefined);
});

Deno.test("shownUrl leaves out user, password, query and fragment", () => {
  assert.equal(shownUrl("https://u:p@h:1/x?key=k#f"), "https://h:1/x");
  assert.equal(shownUrl("not a url"), "?");
});

Deno.test("metricsUrl prefers the endpoint that is set, and falls back to this machine", () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://a" };
  assert.equal(metricsUrl({ endpoint: "http://b/x" }, env), "http://b/x");
  assert.equal(metricsUrl({ endpoint: undefined }, env), "http://a/v1/metrics");
  assert.equal(
    metricsUrl({ endpoint: undefined }, {}),
    "http://localhost:4318/v1/metrics",
  );
});

Deno.test("isSdkDisabled is true for the word true only", () => {
  const values = [undefined, "", "false", "1", "true", " TRUE "];
  assert.deepEqual(
    values.map((OTEL_SDK_DISABLED) => isSdkDisabled({ OTEL_SDK_DISABLED })),
    [false, false, false, false, true, true],
  );
});

Deno.test("replaceSmallFile makes file and directory for the user only, and leaves nothing else", () =>
  inTempDir(async (root) => {
    const directory = join(root, "a", "b");
    const path = join(directory, "f");
    assert.equal(await replaceSmallFile(path, "one"), undefined);
    assert.equal(await replaceSmallFile(path, "two"), undefined);
    assert.equal(await smallFile(path, 10), "two");
    assert.deepEqual(await namesIn(directory), ["f"]);
    if (Deno.build.os === "windows") return;
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
    assert.equal((await Deno.stat(directory)).mode! & 0o777, 0o700);
  }));

Deno.test("replaceSmallFile gives the reason when it cannot write", () =>
  inTempDir(async (root) => {
    const file = join(root, "f");
    await Deno.writeTextFile(file, "x");
    const reason = await replaceSmallFile(join(file, "below"), "y");
    assert.match(String(reason), /^E[A-Z]+$/);
    assert.equal(await Deno.readTextFile(file), "x");
  }));

Deno.test("smallFile is undefined for a long file, a directory, and none", () =>
  inTempDir(async (root) => {
    const path = join(root, "f");
    await Deno.writeTextFile(path, "12345");
    assert.equal(await smallFile(path, 4), undefined);
    assert.equal(await smallFile(path, 5), "12345");
    assert.equal(await smallFile(root, 99), undefined);
    assert.equal(await smallFile(join(root, "no"), 99), undefined);
  }));

Deno.test("writeBeside never writes over another file", () =>
  inTempDir(async (root) => {
    const path = join(root, "f");
    const [a, b] = [await writeBeside(path, "a"), await writeBeside(path, "b")];
    assert.notEqual(a, b);
    assert.equal(await Deno.readTextFile(a), "a");
  }));
