import assert from "node:assert/strict";
import {
  applyService,
  controlService,
  isAnswering,
  listenerAt,
  removeService,
  reportService,
  runCommands,
  showService,
  urlOf,
} from "../../../src/cli/install/acts.ts";
import type { ServerAnswer } from "../../../src/cli/io.ts";
import { fakeIo } from "../fake_io.ts";
import { join } from "node:path";
import {
  describe,
  findInstalled,
  type PlatformId,
} from "../../../src/cli/install/installed.ts";
import { type Home, test } from "../uninstall/home.ts";
import { sample } from "./sample.ts";

const SERVICE = { port: 8787, profile: "default" };

/** An answer of a proxy of that deployment. */
function answerOf(profile?: string): ServerAnswer {
  const health = {
    service: "svc-proxy",
    ...profile === undefined ? {} : { deployment: { profile } },
  };
  return { status: 200, text: JSON.stringify(health) };
}

Deno.test("listenerAt tells a service from other proxies and programs", async () => {
  const cases = [
    [undefined, "nobody"],
    [answerOf("default"), "service"],
    [answerOf("work"), "proxy"],
    [answerOf(), "proxy"],
    [{ status: 404, text: "?" }, "other"],
  ] as const;
  for (const [answer, listener] of cases) {
    const io = fakeIo({ ask: () => Promise.resolve(answer) });
    assert.equal(await listenerAt(io, SERVICE), listener);
  }
  assert.equal(urlOf(SERVICE), "http://127.0.0.1:8787");
});

Deno.test("isAnswering waits until the service answers, and not for ever", async () => {
  let asked = 0;
  const late = fakeIo({
    ask: () => Promise.resolve(++asked > 9 ? answerOf("default") : undefined),
  });
  assert.equal(await isAnswering(late, SERVICE), true);
  let waits = 0;
  const never = fakeIo({ wait: () => Promise.resolve(void waits++) });
  assert.equal(await isAnswering(never, SERVICE), false);
  assert.ok(waits > 0 && waits < 1000);
});

Deno.test("runCommands stops at the first program that fails, and says what it said", async () => {
  const ran: string[] = [];
  const io = fakeIo({
    runProgram([name = ""]) {
      ran.push(name);
      if (name === "gone") return Promise.resolve(undefined);
      const code = name === "good" ? 0 : 1;
      return Promise.resolve({
        code,
        text: name === "mute" ? "" : "No bus.\n",
      });
    },
  });
  const run = (...names: string[]) =>
    runCommands(io, names.map((name) => [name, "a b"]));
  assert.equal(await run("good", "good"), undefined);
  assert.equal(await run("good", "bad", "good"), 'bad "a b": No bus');
  assert.equal(await run("mute"), 'mute "a b": it ended with code 1');
  assert.equal(await run("gone"), "gone is not on this machine");
  assert.deepEqual(ran, ["good", "good", "good", "bad", "mute", "gone"]);
});

Deno.test("runCommands goes on after what is harmless", async () => {
  const ran: string[] = [];
  const io = fakeIo({
    runProgram([name = ""]) {
      ran.push(name);
      return Promise.resolve({ code: 1, text: name });
    },
  });
  const commands = [["no such process"], ["denied"], ["last"]];
  assert.equal(
    await runCommands(io, commands, /no such/),
    '"denied": denied'.replaceAll('"', ""),
  );
  assert.deepEqual(ran, ["no such process", "denied"]);
  assert.equal(await runCommands(fakeIo(), commands, /no such/), undefined);
});

const MACHINE = { userId: 1000, sources: "/src" };
const UNIT = ".config/systemd/user/svc-default.service";

/** A system that runs at most one service, and what it was told. */
function rig(home: Home, { boots = true, env = {} } = {}) {
  const ran: string[] = [];
  let isRunning = false;
  const parts = {
    env,
    runProgram(command: readonly string[]) {
      ran.push(command.join(" "));
      if (!boots) {
        const text = "System has not been booted with systemd.";
        return Promise.resolve({ code: 1, text });
      }
      if (command.includes("start") || command.includes("restart")) {
        isRunning = true;
      }
      if (command.includes("stop") || command.includes("--now")) {
        isRunning = false;
      }
      return Promise.resolve({ code: 0, text: "" });
    },
    ask: (): Promise<ServerAnswer | undefined> =>
      Promise.resolve(
        isRunning
          ? actsAnswerOf({ deployment: { profile: "default" } })
          : undefined,
      ),
  };
  const find = () => findInstalled(home.io(), "default", MACHINE);
  const apply = async (
    { port = 8787, platform = "linux", ...more }: {
      port?: number;
      platform?: PlatformId;
      ask?: typeof parts.ask;
    } = {},
  ) => {
    const io = home.io({ ...parts, ...more });
    const request = {
      profile: "default",
      scope: "user",
      port,
      platform,
    } as const;
    const wanted = describe(io, request, { machine: MACHINE });
    const past = await find();
    const code = await applyService(io, wanted, { past, stored: {} });
    return { code, out: io.out(), err: io.err() };
  };
  return { ran, parts, apply, find };
}

function actsAnswerOf(facts: object): ServerAnswer {
  const text = JSON.stringify({ service: "svc-proxy", ...facts });
  return { status: 200, text };
}

test("applyService writes, enables and starts, and does nothing the second time", async (home) => {
  const { ran, apply } = rig(home);
  const first = await apply();
  assert.equal(first.code, 0);
  assert.match(first.out, /Wrote .*svc-default\.service\n.*runs at http/);
  assert.deepEqual(ran.splice(0), [
    "systemctl --user daemon-reload",
    "systemctl --user enable svc-default.service",
    "systemctl --user start svc-default.service",
  ]);
  const all = await home.all();
  const second = await apply();
  assert.equal(second.code, 0);
  assert.match(second.out, /Nothing to write/);
  assert.deepEqual(ran, []);
  assert.deepEqual(await home.all(), all);
});

test("applyService stops what runs with an old file before it starts the new one", async (home) => {
  const { ran, apply, find } = rig(home);
  await apply();
  ran.splice(0);
  assert.equal((await apply({ port: 9000 })).code, 0);
  assert.match(ran[0]!, /disable --now/);
  assert.match(ran.at(-1)!, / start /);
  assert.equal((await find())?.service.port, 9000);
});

test("applyService says where no supervisor runs, keeps what it wrote, and removeService takes it away", async (home) => {
  const { apply, find, parts } = rig(home, { boots: false });
  const { code, err } = await apply();
  assert.equal(code, 1);
  assert.match(err, /systemd could not start it: .* has not been booted/);
  assert.match(err, /Run svc install apply again .*\/main\.ts proxy --port/);
  assert.ok((await home.all()).includes(UNIT));
  const io = home.io(parts);
  assert.equal(await removeService(io, (await find())!), 0);
  assert.match(io.out(), /svc-default\.service is removed/);
  assert.deepEqual(await home.all(), [".svc/edits/.lock"]);
});

test("applyService refuses a port that somebody else has, and writes nothing", async (home) => {
  const { apply, ran } = rig(home);
  for (
    const [answer, who] of [
      [actsAnswerOf({}), /another svc proxy listens there/],
      [{ status: 404, text: "" }, /another program listens there/],
    ] as const
  ) {
    await assert.rejects(
      apply({ ask: () => Promise.resolve(answer) }),
      who,
    );
  }
  assert.deepEqual(await home.all(), []);
  assert.deepEqual(ran, []);
});

test("applyService refuses to install a service for another system beside itself", async (home) => {
  const { apply } = rig(home);
  await apply();
  await assert.rejects(
    apply({ platform: "container" }),
    /it is there for linux with scope user; use svc install remove/,
  );
});

test("applyService names settings of the shell that the service does not see", async (home) => {
  const { apply } = rig(home, {
    env: { SVC_RPM: "5", SVC_PROXY_TOKEN: "0123456789abcdef" },
  });
  const { err } = await apply();
  assert.match(err, /does not see SVC_RPM, SVC_PROXY_TOKEN of this shell/);
  assert.doesNotMatch(err, /0123456789/);
  const unit = await Deno.readTextFile(join(home.path, UNIT));
  assert.doesNotMatch(unit, /0123456789|SVC_RPM/);
});

test("controlService starts, stops and restarts, and fails where the system does", async (home) => {
  const { apply, find, parts, ran } = rig(home);
  await apply();
  const one = (await find())!;
  for (const act of ["stop", "start", "restart"] as const) {
    ran.splice(0);
    assert.equal(await controlService(home.io(parts), act, one), 0);
    assert.deepEqual(ran, [`systemctl --user ${act} svc-default.service`]);
  }
  const gone = home.io({ runProgram: () => Promise.resolve(undefined) });
  await assert.rejects(
    controlService(gone, "start", one),
    /Cannot start service default: systemctl is not on this machine/,
  );
  const mute = home.io({
    runProgram: () => Promise.resolve({ code: 0, text: "" }),
  });
  assert.equal(await controlService(mute, "start", one), 1);
  assert.match(mute.err(), /does not answer .*journalctl --user-unit svc-/);
});

test("reportService says whether the service runs, and who has its port", async (home) => {
  const { apply, find, parts } = rig(home);
  await apply();
  const one = (await find())!;
  const running = home.io(parts);
  assert.equal(await reportService(running, one), 0);
  assert.match(
    running.out(),
    /default: runs\n.*8787\n.*svc-default\.service/,
  );
  const other = home.io({
    ask: () => Promise.resolve({ status: 404, text: "" }),
  });
  assert.equal(await reportService(other, one), 1);
  assert.match(other.out(), /does not run\n.*8787 \(another program\)/);
  assert.match(other.err(), /svc install start --profile default/);
});

test("removeService says that a service goes on which could not be stopped", async (home) => {
  const { apply, find, parts } = rig(home);
  await apply();
  const denied = { code: 1, text: "Access denied" };
  const io = home.io({
    ...parts,
    runProgram: () => Promise.resolve(denied),
  });
  assert.equal(await removeService(io, (await find())!), 1);
  assert.match(
    io.err(),
    /still answers .*stop it yourself \(.*Access denied/,
  );
});

Deno.test("showService shows a file without secrets, and what would be run", () => {
  const io = fakeIo();
  showService(
    io,
    sample("container", {
      stored: { SVC_PROXY_TOKEN: "0123456789abcdef", SVC_RPM: "5" },
    }),
  );
  assert.match(io.out(), /Would write .*compose\.yaml:\n/);
  assert.match(io.out(), /SVC_RPM: "5"/);
  assert.match(io.out(), /SVC_PROXY_TOKEN: "••/);
  assert.doesNotMatch(io.out(), /0123456789/);
  assert.match(io.out(), /Would run docker compose .* up --detach/);
});
