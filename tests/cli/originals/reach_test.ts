import assert from "node:assert/strict";
import { CliFailure } from "../../../src/cli/failure.ts";
import { withOriginals } from "../../../src/cli/originals/reach.ts";
import { fakeIo } from "../fake_io.ts";
import { originalsScene } from "./kept_originals.ts";

const USE = {
  there: () => "there",
  missing: ({ path }: { path: string }) => path,
};

Deno.test("withOriginals opens the database of the workspace and closes it, also after a failure", async () => {
  const { io, opened } = originalsScene();
  assert.equal(await withOriginals(io, USE), "there");
  assert.deepEqual(opened, { times: 1, closed: 1 });
  const failing = { ...USE, there: () => Promise.reject(new Error("no")) };
  await assert.rejects(withOriginals(io, failing), /^Error: no$/);
  assert.deepEqual(opened, { times: 2, closed: 2 });
});

Deno.test("withOriginals says where there is no database", async () => {
  const paths: string[] = [];
  const io = fakeIo({
    env: { SVC_WORKSPACE_DIR: "/w", SVC_CCR_TTL_SECONDS: "5" },
    openOriginals: (path, config) => {
      paths.push(path);
      assert.equal(config.ccr.ttlSeconds, 5);
      return Promise.resolve(undefined);
    },
  });
  assert.equal(await withOriginals(io, USE), "/w/ccr_store.db");
  assert.deepEqual(paths, ["/w/ccr_store.db"]);
});

Deno.test("withOriginals opens nothing where originals are in memory, and says whom to ask", async () => {
  const settings = { SVC_STATELESS: "1", SVC_CCR_BACKEND: "memory" };
  for (const [name, value] of Object.entries(settings)) {
    const io = fakeIo({
      env: { HOME: "/home/a", SVC_PORT: "9", [name]: value },
      openOriginals: () => Promise.reject(new Error("opened")),
    });
    await assert.rejects(
      withOriginals(io, USE),
      (error: CliFailure) =>
        error instanceof CliFailure && error.exitCode === 1 &&
        error.message.includes(name) &&
        error.message.includes("http://127.0.0.1:9/v1/retrieve/"),
    );
  }
});

Deno.test("withOriginals names a setting that cannot be used, and warns of one that it does not know", async () => {
  const wrong = fakeIo({ env: { HOME: "/a", SVC_PORT: "x" } });
  await assert.rejects(
    withOriginals(wrong, USE),
    (error: CliFailure) =>
      error.exitCode === 2 && error.message.includes("SVC_PORT"),
  );
  const unknown = fakeIo({ env: { HOME: "/a", SVC_WORKSPACE: "/w" } });
  await withOriginals(unknown, USE);
  assert.match(unknown.err(), /^Warning: .*SVC_WORKSPACE/);
});

Deno.test("withOriginals names a database that cannot be used", async () => {
  const io = fakeIo({
    openOriginals: () => Promise.reject(new Error("file is not a database")),
  });
  await assert.rejects(
    withOriginals(io, USE),
    /^CliFailure: Cannot use the database \/home\/a\/\.svc\/ccr_store\.db: file is not a database\. Stop the proxy, move the file away/,
  );
});
