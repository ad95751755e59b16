import assert from "node:assert/strict";
import {
  CliFailure,
  databaseAdvice,
  databaseProblem,
  EXIT_USAGE,
  isAllowed,
  missingFlag,
  missingFor,
  reasonOf,
  requireDatabases,
} from "../../src/cli/failure.ts";

Deno.test("CliFailure ends with 1 unless told otherwise", () => {
  assert.equal(new CliFailure("Cannot go on").exitCode, 1);
  assert.equal(new CliFailure("Cannot go on", EXIT_USAGE).exitCode, 2);
});

Deno.test({
  name: "isAllowed says what may be done without anybody being asked",
  permissions: { read: ["/a"], env: ["SVC_PORT"] },
  fn() {
    assert.equal(isAllowed({ name: "read", path: "/a/b" }), true);
    assert.equal(isAllowed({ name: "read", path: "/b" }), false);
    assert.equal(isAllowed({ name: "read" }), false);
    assert.equal(isAllowed({ name: "env", variable: "SVC_PORT" }), true);
    assert.equal(isAllowed({ name: "env" }), false);
  },
});

const SOURCES = new URL("../../src", import.meta.url).pathname;

Deno.test({
  name: "missingFor names what is missing to keep files in a directory",
  permissions: { read: ["/a", SOURCES], write: ["/a", "/b"] },
  fn() {
    assert.deepEqual(missingFor("databases", "/a/deeper"), []);
    assert.deepEqual(missingFor("logs", "/b"), ["--allow-read=/b"]);
    assert.deepEqual(missingFor("logs", "/c d"), [
      '"--allow-read=/c d"',
      '"--allow-write=/c d"',
    ]);
    requireDatabases("/a");
    assert.throws(() => requireDatabases("/c"), {
      name: "CliFailure",
      message: "svc was started without --allow-read=/c --allow-write=/c",
    });
  },
});

Deno.test({
  name:
    "missingFor names this program's own files for databases, which a worker writes",
  permissions: { read: ["/a"], write: ["/a"] },
  fn() {
    assert.deepEqual(missingFor("logs", "/a"), []);
    assert.deepEqual(missingFor("databases", "/a"), [
      `--allow-read=${SOURCES}`,
    ]);
  },
});

Deno.test({
  name: "missingFlag names the flag that a refused action needs",
  permissions: "none",
  async fn() {
    const actions: Readonly<Record<string, () => unknown>> = {
      "--allow-read=/a": () => Deno.readTextFile("/a"),
      "--allow-write=/a": () => Deno.remove("/a"),
      "--allow-env=HOME": () => Deno.env.get("HOME"),
      "--allow-env": () => Deno.env.toObject(),
      "--allow-sys=hostname": () => Deno.hostname(),
      "--allow-net=127.0.0.1:9": () =>
        Deno.connect({ hostname: "127.0.0.1", port: 9 }),
      "--allow-run=/bin/true": () => new Deno.Command("/bin/true").spawn(),
    };
    for (const [flag, action] of Object.entries(actions)) {
      const error = await Promise.resolve().then(action)
        .catch((error: unknown) => error);
      assert.equal(missingFlag(error), flag);
    }
  },
});

Deno.test("reasonOf says what an error says, or which flag is missing", () => {
  const text =
    'Requires write access to "/a", run again with the --allow-write flag';
  assert.equal(
    reasonOf(new Deno.errors.NotCapable(text)),
    "svc was started without --allow-write=/a",
  );
  assert.equal(reasonOf(new Error("Disk full")), "Disk full");
  assert.equal(reasonOf("no"), "no");
});

Deno.test("missingFlag knows nothing of other errors, and names all permissions for an unknown sentence", () => {
  assert.equal(
    missingFlag(new Error('Requires read access to "/a"')),
    undefined,
  );
  assert.equal(missingFlag(undefined), undefined);
  assert.equal(missingFlag(new Deno.errors.NotCapable("No")), "-A");
  const all =
    'Requires all access to "/proc/self/cmdline", run again with the --allow-all flag';
  assert.equal(missingFlag(new Deno.errors.NotCapable(all)), "-A");
});

Deno.test("databaseAdvice depends on the reason", () => {
  const cases = [
    ["file is not a database", /Stop the proxy, move the file away .*new one$/],
    ["database disk image is malformed", /move the file away/],
    ["database is locked", /Another program holds it/],
    ["database or disk is full", /Make room/],
    ["attempt to write a readonly database", /^\. Look there$/],
    ["unable to open database file", /^\. Look there$/],
    ["its schema 9 is newer than 7: use that version", /^$/],
  ] as const;
  for (const [reason, advice] of cases) {
    assert.match(databaseAdvice(reason, "Look there"), advice, reason);
  }
});

Deno.test("databaseProblem says once what cannot be read", () => {
  const reason = "file is not a database";
  const said = databaseProblem(
    "/w/a.db",
    new Error(`Cannot read the ledger /w/a.db: ${reason}`),
  );
  assert.match(
    said,
    /^Cannot read the ledger \/w\/a\.db: file is not a database\. Stop/,
  );
  assert.match(
    databaseProblem("/w/a.db", new Error(reason)),
    /^Cannot use the database \/w\/a\.db: file is not a database\. Stop/,
  );
  assert.match(
    databaseProblem("/w/a.db", "unable to open database file"),
    /or set SVC_WORKSPACE_DIR to the directory that the proxy uses$/,
  );
});

Deno.test("databaseProblem names the flag of the runtime that is missing, and nothing else to do", () => {
  const denied = new Deno.errors.NotCapable(
    'Requires write access to "/w", run again with the --allow-write flag',
  );
  assert.equal(
    databaseProblem("/w/a.db", denied),
    "Cannot use the database /w/a.db: svc was started without --allow-write=/w",
  );
});
