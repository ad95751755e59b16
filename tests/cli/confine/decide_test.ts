import assert from "node:assert/strict";
import {
  confinedTo,
  denoRuntime,
  giveUp,
  hostsBeyond,
  needsThread,
  type Runtime,
  unreachableHosts,
} from "../../../src/cli/confine/decide.ts";
import { CliFailure } from "../../../src/cli/failure.ts";
import { type Config, resolveConfig } from "../../../src/settings/resolve.ts";
import type { GivenUp } from "../../../src/cli/io.ts";

const UPSTREAM = "http://127.0.0.1:9001";

function configOf(env: Record<string, string>): Config {
  return resolveConfig({
    env: {
      HOME: "/home/a",
      MSG_TARGET_API_URL: UPSTREAM,
      CHAT_TARGET_API_URL: UPSTREAM,
      ...env,
    },
  });
}

const STATELESS = configOf({ SVC_STATELESS: "1" });
const OFFLINE = configOf({ SVC_OFFLINE: "1" });

/** A program that may do what is named: `write` as a whole, `net:127.0.0.1:9001` one host. */
function runtime(
  allowed: readonly string[] | "all",
  parts: Partial<Runtime> = {},
): Runtime {
  return {
    isAllowed: (permission) => {
      const words = [
        permission.name,
        ..."host" in permission && permission.host ? [permission.host] : [],
        ..."path" in permission && permission.path ? [permission.path] : [],
      ];
      return allowed === "all" || allowed.includes(permission.name) ||
        allowed.includes(words.join(":"));
    },
    mayAsk: () => false,
    module: new URL("file:///svc/src/confined_worker.ts"),
    ...parts,
  };
}

Deno.test("needsThread says yes where the program may do something that is forbidden, and to several listeners on one database", () => {
  const offline = configOf({ SVC_OFFLINE: "1", SVC_WORKERS: "2" });
  const memory = configOf({ SVC_STATELESS: "1", SVC_WORKERS: "2" });
  const byName = ["write:/home/a/.svc/logs", "net:127.0.0.1:9001"];
  const cases: [Config, readonly string[] | "all", boolean][] = [
    [configOf({}), "all", false],
    ...["write", "run", "ffi"].map((
      name,
    ): [Config, string[], boolean] => [STATELESS, [name], true]),
    ...["net", "run", "ffi"].map((
      name,
    ): [Config, string[], boolean] => [OFFLINE, [name], true]),
    [STATELESS, ["net", "read", "env"], false],
    [OFFLINE, ["write", "read"], false],
    [STATELESS, byName, false],
    [OFFLINE, byName, false],
    [offline, ["write"], true],
    [memory, ["net"], false],
  ];
  for (const [config, allowed, needs] of cases) {
    assert.equal(needsThread(config, runtime(allowed)), needs, `${allowed}`);
  }
});

Deno.test("confinedTo gives what the configuration needs to a program that may do everything", () => {
  const { net } = confinedTo(OFFLINE, 4321, runtime("all"));
  assert.deepEqual(net, ["127.0.0.1:4321", "127.0.0.1:9001"]);
  assert.deepEqual(unreachableHosts(OFFLINE, runtime("all")), []);
});

Deno.test("confinedTo leaves out hosts that the program itself may not reach, which unreachableHosts names", () => {
  const env = { MSG_TARGET_API_URL: "https://a.example" };
  const config = configOf({ SVC_OFFLINE: "1", ...env });
  const narrow = runtime([
    ...["net:127.0.0.1:4321", "net:127.0.0.1:9001"],
    ...["read", "run"],
  ]);
  const { net } = confinedTo(config, 4321, narrow);
  assert.deepEqual(net, ["127.0.0.1:4321", "127.0.0.1:9001"]);
  assert.deepEqual(unreachableHosts(config, narrow), ["a.example:443"]);
  assert.deepEqual(unreachableHosts(configOf(env), narrow), []);
});

Deno.test("confinedTo refuses where the runtime would ask the user", () => {
  assert.throws(
    () => confinedTo(STATELESS, 1, runtime("all", { mayAsk: () => true })),
    (error) =>
      error instanceof CliFailure && error.exitCode === 2 &&
      /^Cannot enforce --stateless: .* deno run --no-prompt/.test(
        error.message,
      ),
  );
});

Deno.test("confinedTo says with which flags to start where the thread cannot be loaded", () => {
  const both = configOf({ SVC_OFFLINE: "1", SVC_STATELESS: "1" });
  assert.throws(
    () => confinedTo(both, 8787, runtime(["net"])),
    (error) =>
      error instanceof CliFailure && error.exitCode === 2 &&
      error.message.startsWith("Cannot enforce --stateless and --offline: ") &&
      error.message.endsWith(
        "--no-prompt --allow-net=127.0.0.1:8787,127.0.0.1:9001 --allow-write=/home/a/.svc/logs",
      ),
  );
  assert.throws(
    () => confinedTo(STATELESS, 8787, runtime(["net", "write"])),
    /--allow-read=\/svc\/src\/confined_worker\.ts .* --no-prompt --allow-net --allow-write=\/home\/a\/\.svc\/logs$/,
  );
});

Deno.test("confinedTo reads nothing for a module from the web", () => {
  const module = new URL("https://jsr.example/confined_worker.ts");
  const allowed = runtime(["net", "write"], { module });
  const { write } = confinedTo(STATELESS, 1, allowed);
  assert.deepEqual(write, ["/home/a/.svc/logs"]);
});

Deno.test("confinedTo refuses a host that the runtime cannot permit", () => {
  const isAllowed = (permission: Deno.PermissionDescriptor) => {
    if ("host" in permission) throw new URIError("invalid host");
    return true;
  };
  assert.throws(
    () => confinedTo(OFFLINE, 1, runtime("all", { isAllowed })),
    /^CliFailure: Cannot enforce --offline with the upstream "127\.0\.0\.1:9001"/,
  );
});

Deno.test("unreachableHosts refuses a pattern, which the runtime would take for many hosts", () => {
  const config = configOf({
    SVC_OFFLINE: "1",
    MSG_TARGET_API_URL: "https://*.example.com",
  });
  assert.throws(
    () => unreachableHosts(config, runtime("all")),
    /^CliFailure: Cannot enforce --offline with the upstream "\*\.example\.com:443"/,
  );
});

Deno.test("hostsBeyond names what was not among the hosts of the start", () => {
  const config = configOf({
    SVC_ALLOWED_BASE_URLS: "http://box.lan:81,http://c.example",
  });
  assert.deepEqual(hostsBeyond(config, "inherit"), []);
  assert.deepEqual(
    hostsBeyond(config, ["127.0.0.1:8787", "127.0.0.1:9001", "box.lan"]),
    ["c.example:80"],
  );
});

function revoked(what: GivenUp, mayAsk = false): string[] {
  const names: string[] = [];
  giveUp(what, {
    mayAsk: () => mayAsk,
    revoke: ({ name }) => void names.push(name),
  });
  return names;
}

Deno.test("giveUp takes away what is not needed, and programs and libraries with it", () => {
  const cases = [
    [true, false, ["write", "run", "ffi"]],
    [false, true, ["net", "run", "ffi"]],
    [true, true, ["write", "net", "run", "ffi"]],
  ] as const;
  for (const [files, network, names] of cases) {
    assert.deepEqual(revoked({ files, network }), names);
  }
  // Whoever is asked, where nothing is given up.
  assert.deepEqual(revoked({ files: false, network: false }, true), []);
});

Deno.test("giveUp refuses where the user would be asked for it again", () => {
  assert.throws(
    () => revoked({ files: true, network: true }, true),
    /^CliFailure: Cannot enforce SVC_STATELESS and SVC_OFFLINE: /,
  );
});

Deno.test("denoRuntime knows what this program may do, and its thread's module", async () => {
  const { isAllowed, module } = denoRuntime();
  const { state } = await Deno.permissions.query({ name: "write" });
  assert.equal(isAllowed({ name: "write" }), state === "granted");
  assert.match(await Deno.readTextFile(module), /@module/);
});

Deno.test("denoRuntime asks nobody where nobody could answer", () => {
  const isTerminal = Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
  // On a terminal it depends on how the tests were started.
  if (!isTerminal) assert.equal(denoRuntime().mayAsk(), false);
});
