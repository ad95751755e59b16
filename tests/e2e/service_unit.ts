/** A service as a user installs it: its supervisor does not run, and its command is run by hand. */
import assert from "node:assert/strict";
import { freePort, until } from "./proxy_process.ts";

/** Who installs, and how. */
export interface ServicePlayer {
  /** Home directory, empty at the start. */
  readonly home: string;
  /** Directory for a program that stands in for systemd's: whatever this machine runs is left alone. */
  readonly bin: string;
  /** Runs `svc install` with `bin` as the only directory of programs. */
  run(args: readonly string[]): Promise<{ code: number; text: string }>;
  /** Starts a program with that environment and no other. */
  start(
    command: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Deno.ChildProcess;
}

/**
 * Installs a service, runs what its unit says, stops that and removes it.
 *
 * @returns Program and arguments of the unit.
 */
export async function playService(
  { home, bin, run, start }: ServicePlayer,
): Promise<readonly string[]> {
  await Deno.writeTextFile(
    `${bin}/systemctl`,
    "#!/bin/sh\necho System has not been booted with systemd >&2\nexit 1\n",
    { mode: 0o755 },
  );
  const port = freePort();
  const applied = await run(["apply", "--port", String(port)]);
  assert.equal(applied.code, 1, applied.text);
  assert.match(applied.text, /could not start it: .*not been booted/);
  const unit = await Deno.readTextFile(
    `${home}/.config/systemd/user/svc-default.service`,
  );
  const command = wordsOf(/^ExecStart=(.*)$/m.exec(unit)![1]!);
  const child = start(command, { HOME: home, ...variablesIn(unit) });
  try {
    const url = `http://127.0.0.1:${port}`;
    await until(() => answers(`${url}/readyz`), "the proxy");
    const health = await (await fetch(`${url}/health`)).json();
    assert.deepEqual(health.deployment, {
      profile: "default",
      preset: "persistent-service",
      runtime: "deno",
      supervisor: "systemd",
      scope: "user",
    });
    assert.equal(health.config.workspace, `${home}/.svc`);
    const status = await run(["status"]);
    assert.equal(status.code, 0, status.text);
    assert.match(status.text, /Service default: runs/);
    const again = await run(["apply"]);
    assert.equal(again.code, 0, again.text);
    assert.match(again.text, /Nothing to write/);
  } finally {
    child.kill("SIGTERM");
  }
  const { code, signal } = await child.status;
  assert.deepEqual([code, signal], [0, null]);
  const log = await Deno.readTextFile(`${home}/.svc/logs/proxy.log`);
  assert.match(log, /proxy_started[^]*proxy_stopped/);
  const removed = await run(["remove"]);
  assert.equal(removed.code, 0, removed.text);
  for (const gone of [`${home}/.config`, `${home}/.svc/deploy`]) {
    await assert.rejects(Deno.stat(gone), Deno.errors.NotFound);
  }
  return command;
}

function variablesIn(unit: string): Record<string, string> {
  const lines = unit.matchAll(/^Environment=(.*)$/gm);
  return Object.fromEntries(
    [...lines].map(([, assignment]) =>
      /^([^=]+)=(.*)$/.exec(wordsOf(assignment!)[0]!)!.slice(1)
    ),
  );
}

/** Words of a line of a unit, as systemd reads them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)]
    .map(([, quoted, bare]) => quoted?.replace(/\\(.)/g, "$1") ?? bare!)
    .map((word) => word.replaceAll("%%", "%").replaceAll("$$", "$"));
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
