import assert from "node:assert/strict";
import { foundIn, HEALTH } from "./world.ts";
import { DatabaseSync } from "node:sqlite";
import { thisMachine } from "../../../src/cli/doctor/machine.ts";
import { KEEPABLE } from "../../../src/cli/edits/keep_rows.ts";
import { addresses, AGENT_ROWS } from "../../../src/cli/doctor/agent_rows.ts";
import { inTempDir } from "../../temp_dir.ts";

const UP = { "/health": HEALTH, "/stats": { cost: { a: 1 } } };

Deno.test("gather finds a proxy on the port of the settings, or on the one it is told", async () => {
  const { proxy, settings } = await foundIn({ answers: UP });
  assert.equal(proxy.state, "up");
  assert.equal(proxy.url, "http://127.0.0.1:8787");
  assert.deepEqual(proxy.stats, { cost: { a: 1 } });
  assert.equal(settings.problem, undefined);
  const other = await foundIn({ answers: UP, port: 9000 });
  assert.equal(other.proxy.url, "http://127.0.0.1:9000");
  const any = await foundIn({ env: { SVC_HOST: "::", SVC_PORT: "9001" } });
  assert.equal(any.proxy.url, "http://127.0.0.1:9001");
  const six = await foundIn({ env: { SVC_HOST: "::1" } });
  assert.equal(six.proxy.url, "http://[::1]:8787");
});

Deno.test("gather tells a free port from a silent program and from another one", async () => {
  assert.equal((await foundIn()).proxy.state, "closed");
  const accepts = () => Promise.resolve(true);
  const silent = await foundIn({ machine: { accepts } });
  assert.equal(silent.proxy.state, "silent");
  for (const body of ["hello", "[]", "{}", { service: "other" }]) {
    const { proxy } = await foundIn({ answers: { "/health": body } });
    assert.deepEqual([proxy.state, proxy.status], ["other", 200]);
    assert.deepEqual(proxy.health, {});
  }
});

Deno.test("gather keeps the places of files when the settings cannot be used", async () => {
  const { settings, ledger } = await foundIn({
    env: { SVC_MODE: "nonsense", SVC_WORKSPACE_DIR: "/ws" },
  });
  assert.match(settings.problem ?? "", /SVC_MODE="nonsense"/);
  assert.equal(settings.config.paths?.workspace, "/ws");
  assert.deepEqual(ledger, { state: "missing", path: "/ws/ledger.db" });
  const homeless = await foundIn({ env: { SVC_MODE: "nonsense", HOME: "" } });
  assert.equal(homeless.settings.config.paths, undefined);
  assert.equal(homeless.ledger.state, "off");
});

Deno.test("gather opens the ledger, and says why it cannot", async () => {
  const open = await foundIn({ requests: [] });
  assert.equal(open.ledger.state, "open");
  open[Symbol.dispose]();
  const openLedger = () => Promise.reject(new Error("no database"));
  const { ledger } = await foundIn({ io: { openLedger } });
  assert.deepEqual(ledger, {
    state: "broken",
    path: "/home/a/.svc/ledger.db",
    reason: "no database",
  });
});

/** A database in WAL mode that nobody has open. */
function makeDatabase(path: string): void {
  using db = new DatabaseSync(path);
  db.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE t (a); CREATE INDEX i ON t (a)",
  );
  const insert = db.prepare("INSERT INTO t VALUES (?)");
  for (let i = 0; i < 2000; i++) insert.run(`row ${i}`);
}

Deno.test("thisMachine follows links, and leaves a path that leads nowhere", () =>
  inTempDir(async (dir) => {
    const { realPath } = thisMachine();
    await Deno.mkdir(`${dir}/a`);
    await Deno.symlink(`${dir}/a`, `${dir}/b`, { type: "dir" });
    assert.equal(await realPath(`${dir}/b`), await realPath(`${dir}/a`));
    assert.equal(await realPath(`${dir}/c`), `${dir}/c`);
  }));

Deno.test("thisMachine knows a file's size, mode and owner, and of a missing one nothing", () =>
  inTempDir(async (dir) => {
    const { file, userId, isWritable, freeBytes } = thisMachine();
    const path = `${dir}/a`;
    await Deno.writeTextFile(path, "abc", { mode: 0o640 });
    const facts = await file(path);
    assert.equal(facts?.size, 3);
    assert.equal(facts.mode, Deno.build.os === "windows" ? null : 0o640);
    assert.equal(facts.owner, userId);
    assert.equal(await file(`${dir}/b`), undefined);
    assert.equal(await file(`${path}/b`), undefined);
    assert.equal(await isWritable(path), true);
    assert.equal(await isWritable(`${dir}/b`), false);
    assert((await freeBytes(dir) ?? 0) > 0);
    assert.equal(await freeBytes(`${dir}/b`), undefined);
  }));

Deno.test("thisMachine reads a database through, and puts nothing beside it", () =>
  inTempDir(async (dir) => {
    const { damage } = thisMachine();
    const path = `${dir}/a b#c.db`;
    makeDatabase(path);
    assert.equal(await damage(path), undefined);
    const names = await Array.fromAsync(Deno.readDir(dir), ({ name }) => name);
    assert.deepEqual(names, ["a b#c.db"]);
    // While somebody has it open, what is not in the file yet is read too.
    using open = new DatabaseSync(path);
    open.exec("INSERT INTO t VALUES (1)");
    assert.equal(await damage(path), undefined);
  }));

const DIRECTORY = await Deno.makeTempDir();
makeDatabase(`${DIRECTORY}/a.db`);
globalThis.addEventListener("unload", () => {
  Deno.removeSync(DIRECTORY, { recursive: true });
});

Deno.test({
  name:
    "thisMachine reads a database through with the permission to read it alone, and says that of others it lacks it",
  permissions: { read: [DIRECTORY], sys: ["uid"] },
  async fn() {
    const { damage } = thisMachine();
    assert.equal(await damage(`${DIRECTORY}/a.db`), undefined);
    await assert.rejects(damage("/nowhere/a.db"), Deno.errors.NotCapable);
  },
});

Deno.test("thisMachine finds a damaged database, and rejects a file that is none", () =>
  inTempDir(async (dir) => {
    const { damage } = thisMachine();
    const path = `${dir}/a.db`;
    makeDatabase(path);
    const bytes = await Deno.readFile(path);
    bytes.fill(0xff, 8192, 8192 + 2000);
    await Deno.writeFile(path, bytes);
    assert.equal(typeof await damage(path).catch(String), "string");
    await Deno.writeTextFile(path, "no database ".repeat(500));
    await assert.rejects(damage(path), /not a database/);
  }));

Deno.test("thisMachine tells a port that accepts from one that nobody has", async () => {
  const { accepts } = thisMachine();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  assert.equal(await accepts("127.0.0.1", port), true);
  listener.close();
  assert.equal(await accepts("127.0.0.1", port), false);
});

Deno.test("AGENT_ROWS have a check of their own where svc can edit the agent's file", () => {
  const own = AGENT_ROWS.filter(({ check }) => check).map(({ id }) => id);
  assert.deepEqual(own, Object.keys(KEEPABLE));
});

Deno.test("AGENT_ROWS find base URLs in the notations of their files, not in comments", () => {
  const found = (id: string, text: string) =>
    [
      ...new Set(
        Object.values(AGENT_ROWS.find((row) => row.id === id)!.files!),
      ),
    ].flatMap((keys) =>
      [...text.matchAll(addresses(keys))].map(({ groups }) => groups?.["url"])
    );
  const url = "http://127.0.0.1:8787/v1";
  const cases: [string, string][] = [
    ["gemini", `A=1\nexport GOOGLE_GEMINI_BASE_URL="${url}"\n`],
    ["aider", `openai-api-base: ${url}\n`],
    ["goose", `OPENAI_HOST: '${url}' # mine\n`],
    ["cline", `{"a": 1, "baseUrl":"${url}"}`],
    ["openclaw", `{ models: { providers: { a: { baseUrl: '${url}', } } } }`],
    ["vibe", `[[providers]]\r\napi_base = "${url}"\r\n`],
  ];
  for (const [id, text] of cases) assert.deepEqual(found(id, text), [url], id);
  assert.deepEqual(found("continue", `# apiBase: ${url}\napiBase: null\n`), []);
});
