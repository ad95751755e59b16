/**
 * A service under a real service manager of a user: `systemd_stage.ts <home> <main.ts>`, as first process of a namespace
 * of its own. Ends with 3 where the manager does not run, with 1 when something is not as it should be.
 */
import assert from "node:assert/strict";
import { freePort, until } from "./proxy_process.ts";

const [home, main] = Deno.args;
const SERVICE = "svc-default.service";
const PORT = freePort();
const URL_OF_PROXY = `http://127.0.0.1:${PORT}`;

await mount();
const manager = new Deno.Command("/lib/systemd/systemd", {
  args: ["--user"],
  stdin: "null",
  stdout: "null",
  stderr: "null",
}).spawn();
void manager.status.then(({ code }) => Deno.exit(code === 0 ? 1 : 3));
await until(
  async () => (await run("systemctl", "--user", "list-units")).ok,
  "it",
);

const applied = await svc("apply", "--port", `${PORT}`);
assert.ok(applied.ok, applied.text);
assert.match(applied.text, /Service default runs at/);
const enabled = await run("systemctl", "--user", "is-enabled", SERVICE);
assert.equal(enabled.text, "enabled\n");
const first = await mainPid();

const again = await svc("apply");
assert.ok(again.ok, again.text);
assert.match(again.text, /Nothing to write/);
assert.equal(await mainPid(), first);

Deno.kill(first, "SIGKILL");
await until(async () => ![0, first].includes(await mainPid()), "a restart");
const restarted = await mainPid();
await until(answers, "the proxy after its failure");

const response = await fetch(`${URL_OF_PROXY}/settings/apply`, {
  method: "POST",
  body: JSON.stringify({ values: { log_file: `${home}/requests.jsonl` } }),
});
assert.equal(response.status, 202, await response.text());
await until(hasRequestLog, "a start by itself");
assert.equal(await mainPid(), restarted);

const stopped = await svc("stop");
assert.ok(stopped.ok, stopped.text);
const inactive = await run("systemctl", "--user", "is-active", SERVICE);
assert.equal(inactive.text, "inactive\n");
for (const act of ["start", "restart"]) {
  const { ok, text } = await svc(act);
  assert.ok(ok, text);
}

const removed = await svc("remove");
assert.ok(removed.ok, removed.text);
assert.equal(await answers(), false);
const listed = await run("systemctl", "--user", "list-unit-files", "svc*");
assert.doesNotMatch(listed.text, /svc-default/);
await assert.rejects(Deno.stat(`${home}/.config`), Deno.errors.NotFound);
Deno.exit(0);

/** What tells programs that systemd runs, and where its sockets are. */
async function mount(): Promise<void> {
  const { ok, text } = await run("mount", "-t", "tmpfs", "tmpfs", "/run");
  assert.ok(ok, text);
  const runtime = "/run/user/test";
  await Deno.mkdir("/run/systemd/system", { recursive: true });
  await Deno.mkdir(runtime, { recursive: true, mode: 0o700 });
  Deno.env.set("XDG_RUNTIME_DIR", runtime);
  Deno.env.set("HOME", home!);
  for (const name of ["DBUS_SESSION_BUS_ADDRESS", "XDG_CONFIG_HOME"]) {
    Deno.env.delete(name);
  }
}

function svc(...args: readonly string[]) {
  const flags = ["run", "-A", "--no-prompt", "--no-check"];
  return run(Deno.execPath(), ...flags, main!, "install", ...args);
}

async function run(program: string, ...args: readonly string[]) {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { ok: success, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

async function mainPid(): Promise<number> {
  const property = ["-p", "MainPID", "--value"];
  const shown = await run("systemctl", "--user", "show", ...property, SERVICE);
  return Number(shown.text);
}

async function answers(): Promise<boolean> {
  return await ask("/readyz") !== undefined;
}

/** Whether the proxy was started with the request log that was stored. */
async function hasRequestLog(): Promise<boolean> {
  const schema = await ask("/settings/schema");
  return schema?.values.log_file === `${home}/requests.jsonl`;
}

/** An answer of the proxy; nothing where none answers. */
async function ask(
  path: string,
): Promise<{ readonly values: Record<string, unknown> } | undefined> {
  try {
    return await (await fetch(URL_OF_PROXY + path)).json();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
