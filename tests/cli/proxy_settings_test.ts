import assert from "node:assert/strict";
import { systemError } from "../../src/cli/failure.ts";
import {
  proxySettings,
  rereadSettings,
  settingsOf,
  startSettings,
} from "../../src/cli/proxy_settings.ts";
import { fakeFiles, fakeIo } from "./fake_io.ts";

const PATH = "/home/a/.svc/settings.json";

/** A world with that file; `undefined` for none. */
function world(
  stored: Record<string, unknown> | string | undefined,
  env: Record<string, string> = {},
) {
  const texts = new Map<string, string>();
  const write = (value: typeof stored) => {
    if (value === undefined) texts.delete(PATH);
    else {
      texts.set(
        PATH,
        typeof value === "string" ? value : JSON.stringify(value),
      );
    }
  };
  write(stored);
  const io = fakeIo({
    env: { HOME: "/home/a", ...env },
    files: fakeFiles(texts),
  });
  return { io, write };
}

/** The configuration of a start with that file. */
async function started(
  stored: Parameters<typeof world>[0],
  env: Record<string, string> = {},
  flags: Record<string, string> = {},
) {
  return (await startSettings(flags, world(stored, env).io)).config;
}

Deno.test("startSettings reads flags, then the environment, then the file", async () => {
  const { io } = world(
    { SVC_RPM: 1, SVC_MAX_CONNECTIONS: 1, SVC_MAX_KEEPALIVE: 1 },
    { SVC_RPM: "2", SVC_MAX_CONNECTIONS: "2" },
  );
  const { config } = await startSettings({ rpm: "3" }, io);
  assert.equal(config.limits.requestsPerMinute, 3);
  assert.equal(config.transport.maxConnections, 2);
  assert.equal(config.transport.maxKeepalive, 1);
  assert.deepEqual(config.warnings, []);
});

Deno.test("startSettings warns of what the file says wrongly, and starts without it", async () => {
  const must = 'SVC_SAVINGS_PROFILE="huge": must be safe or balanced or max';
  const cases: readonly (readonly [
    stored: Record<string, unknown>,
    env: Record<string, string>,
    warnings: readonly string[],
  ])[] = [
    [{ SVC_PORT: -1, SVC_Z: 1, SVC_WAT: 2 }, {}, [
      `Cannot use SVC_PORT="-1": must be an integer from 0 to 65535 (${PATH})`,
      `SVC_Z, SVC_WAT of ${PATH} are no settings that can be stored: ignored`,
    ]],
    [{ SVC_SAVINGS_PROFILE: "huge" }, {}, [`Cannot use ${must} (${PATH})`]],
    [{ region: "eu" }, { SVC_TPM: "many" }, [
      "SVC_TPM is not in this version: it has no effect",
      `Cannot use region: it is not in this version; leave it out (${PATH})`,
    ]],
  ];
  for (const [stored, env, warnings] of cases) {
    const config = await started({ ...stored, rpm: 5 }, env);
    assert.deepEqual(config.warnings, warnings);
    assert.equal(config.limits.requestsPerMinute, 5);
    assert.deepEqual([config.port, config.profile], [8787, "safe"]);
  }
});

/** What the command line or the environment says wrongly, with what is said of it. */
const REFUSED: readonly (readonly [
  env: Record<string, string>,
  flags: Record<string, string>,
  message: RegExp,
])[] = [
  [{ SVC_PORT: "x" }, {}, /^Cannot use SVC_PORT="x"/],
  [
    { SVC_SAVINGS_PROFILE: "huge" },
    {},
    /^Cannot use SVC_SAVINGS_PROFILE="huge": must be safe or balanced or max$/,
  ],
  [
    {},
    { tpm: "5" },
    /^Cannot use --tpm: it is not in this version; leave it out$/,
  ],
  [
    { HOME: "" },
    {},
    /^Cannot place files: neither SVC_WORKSPACE_DIR nor HOME is set, or svc may not read them \(--allow-env\); set SVC_WORKSPACE_DIR, or use --stateless to keep everything in memory$/,
  ],
];

Deno.test("startSettings refuses what the command line or the environment says wrongly", async () => {
  for (const [env, flags, message] of REFUSED) {
    await assert.rejects(started({ SVC_RPM: 5 }, env, flags), {
      ...{ name: "CliFailure", exitCode: 2, message },
    });
  }
});

Deno.test("startSettings warns of a file that cannot be read, and starts without it", async () => {
  const { io } = world(undefined);
  const files = {
    ...io.files,
    read: () => Promise.reject(systemError("EACCES", "no")),
  };
  const { config } = await startSettings({}, { ...io, files });
  assert.deepEqual(config.warnings, [
    `Cannot read settings from ${PATH}: permission denied (EACCES)`,
  ]);
});

Deno.test("startSettings starts without stored values that contradict each other or the environment", async () => {
  const stored = { SVC_COMPRESS_ALLOW_REMOTE: true, SVC_RPM: 5 };
  const { config } = await startSettings({}, world(stored).io);
  assert.equal(config.trust.remoteCompress, false);
  assert.equal(config.limits.requestsPerMinute, undefined);
  assert.match(
    config.warnings.join(),
    /without SVC_PROXY_TOKEN.*; stored settings ignored: SVC_COMPRESS_ALLOW_REMOTE, SVC_RPM/,
  );
  const circle = { MSG_TARGET_API_URL: "http://127.0.0.1:8787" };
  const other = await startSettings({}, world(circle).io);
  assert.match(other.config.warnings.join(), /svc itself listens there/);
});

Deno.test("startSettings does not open the port to other machines because the token is left out with the file", async () => {
  const token = "abcdefghijklmnopqrstuvwxyz";
  const files = [
    `{"proxy_token":"${token}",}`,
    { proxy_token: "no token\u0000" },
    { proxy_token: token, host: "0.0.0.0", SVC_COMPRESS_ALLOW_REMOTE: "wat" },
    { proxy_token: token, SVC_PORT: 80, anthropic_base_url: "http://[::1]:80" },
  ];
  for (const file of files) {
    const { io } = world(file);
    const open = await startSettings({ host: "0.0.0.0" }, io).then(
      ({ config }) => config.trust.token,
      (error) => {
        assert.match(error.message, /^Cannot listen on 0\.0\.0\.0 while/);
        assert.doesNotMatch(error.message, /abcdef/);
        return "refused";
      },
    );
    assert.ok(open !== undefined, JSON.stringify(file));
    // This machine alone may go on without it.
    await startSettings({ host: "127.0.0.1" }, io);
    const own = { ...io, env: { ...io.env, SVC_PROXY_TOKEN: token } };
    const { config } = await startSettings({ host: "0.0.0.0" }, own);
    assert.equal(config.trust.token, token);
  }
  await assert.rejects(
    startSettings({ host: "0.0.0.0" }, world(files[0]).io),
    /mend the file/,
  );
  const { config } = await startSettings(
    { host: "0.0.0.0" },
    world({ SVC_RPM: -1 }).io,
  );
  assert.equal(config.host, "0.0.0.0", "another setting hides no token");
});

Deno.test("startSettings warns of a proxy that the environment names, unless the command line names one", async () => {
  const warned = async (flags: Record<string, string>) => {
    const env = { HTTPS_PROXY: "http://p:hunter2@q" };
    return (await started(undefined, env, flags)).warnings.join();
  };
  assert.match(await warned({}), /^HTTPS_PROXY is not used(?!.*hunter2)/);
  assert.equal(await warned({ "http-proxy": "http://q:1" }), "");
  assert.equal(await warned({ SVC_HTTP_PROXY: "http://q:1" }), "");
});

Deno.test("startSettings reads no file where no directory is known", async () => {
  const { io } = world(undefined);
  const homeless = { ...io, env: {} };
  const { config } = await startSettings({ stateless: "true" }, homeless);
  assert.equal(config.paths, undefined);
});

Deno.test("settingsOf resolves what the supervisor read, and reads no file", () => {
  const { io } = world({ SVC_RPM: 5 });
  const sources = { flags: { mode: "token" }, stored: { SVC_RPM: "6" } };
  const { config } = settingsOf(sources, io);
  assert.equal(config.mode, "token");
  assert.equal(config.limits.requestsPerMinute, 6);
});

Deno.test("rereadSettings names what changed, and keeps what needs a new start", async () => {
  const { io, write } = world({ SVC_RPM: 5, SVC_PORT: 1, SVC_MODE: "token" });
  const now = await startSettings({}, io);
  write({ SVC_PORT: 2, SVC_MODE: "token", SVC_BUDGET: 3, SVC_HOST: "::1" });
  const { settings, changed, later } = await rereadSettings(now, io);
  assert.deepEqual(changed, ["SVC_RPM", "SVC_BUDGET"]);
  assert.deepEqual(later, ["SVC_HOST", "SVC_PORT"]);
  assert.equal(settings.config.port, 1);
  assert.equal(settings.config.host, "127.0.0.1");
  assert.equal(settings.config.budget?.limitNanoUsd, 3e9);
  const again = await rereadSettings(settings, io);
  assert.deepEqual(again.changed, []);
  assert.deepEqual(again.later, later);
});

Deno.test("rereadSettings keeps whether files are written, and names that setting", async () => {
  const { io, write } = world({});
  const now = await startSettings({}, io);
  write({ SVC_STATELESS: true });
  const { settings, changed, later } = await rereadSettings(now, io);
  assert.deepEqual([changed, later], [[], ["SVC_STATELESS"]]);
  assert.equal(settings.config.ccr.backend, "sqlite");
  assert.deepEqual(settings.stored, {});
});

Deno.test("rereadSettings takes a file that has gone as one that says nothing, and an equal value written otherwise for no change", async () => {
  const { io, write } = world({ SVC_RPM: 5, SVC_LOSSLESS: true });
  const now = await startSettings({}, io);
  write({ SVC_RPM: 5, SVC_LOSSLESS: "yes" });
  assert.deepEqual((await rereadSettings(now, io)).changed, []);
  write(undefined);
  const { changed, settings } = await rereadSettings(now, io);
  assert.deepEqual(changed.toSorted(), ["SVC_LOSSLESS", "SVC_RPM"]);
  assert.equal(settings.config.limits.requestsPerMinute, undefined);
});

Deno.test("rereadSettings refuses a file or a value that cannot be used", async () => {
  const { io, write } = world({});
  const now = await startSettings({}, io);
  for (
    const wrong of [
      "{",
      { SVC_RPM: "often" },
      { SVC_WORKERS: "many" },
      { SVC_COMPRESS_ALLOW_REMOTE: true },
      { MSG_TARGET_API_URL: "http://127.0.0.1:8787" },
    ]
  ) {
    write(wrong);
    await assert.rejects(rereadSettings(now, io), RangeError);
  }
});

Deno.test("rereadSettings notes names that are no settings", async () => {
  const { io, write } = world({});
  const now = await startSettings({}, io);
  write({ SVC_WAT: 1 });
  const { notes } = await rereadSettings(now, io);
  assert.deepEqual(notes, [
    `SVC_WAT of ${PATH} is no setting that can be stored: ignored`,
  ]);
});

Deno.test("rereadSettings says nothing of a feature that is not in this version", async () => {
  const { io } = world({ rpm: 5 }, { SVC_TPM: "many" });
  const now = await startSettings({}, io);
  assert.deepEqual((await rereadSettings(now, io)).changed, []);
});

Deno.test("startSettings places files where the command line says", async () => {
  const { io } = world({ SVC_RPM: 9 });
  const { config } = await startSettings({
    SVC_WORKSPACE_DIR: "/w",
    SVC_SETTINGS_PATH: PATH,
  }, io);
  assert.equal(config.paths?.ledger, "/w/ledger.db");
  assert.equal(config.logs.proxyLog, "/w/logs/proxy.log");
  assert.equal(config.limits.requestsPerMinute, 9);
});

Deno.test("proxySettings refuses to keep files without the permission, says which flags it takes, and needs none when stateless", async () => {
  const { io } = world(undefined);
  const missing = (kind: string, directory: string) => [
    `--allow-write=${directory}`,
    ...kind === "databases" ? ["--allow-read=/svc/src"] : [],
  ];
  const denied = { ...io, missingFor: missing };
  await assert.rejects(proxySettings({}, denied), {
    name: "CliFailure",
    exitCode: 2,
    message:
      "Cannot keep files in /home/a/.svc: svc was started without --allow-write=/home/a/.svc --allow-read=/svc/src; add that, or use --stateless to keep everything in memory",
  });
  const { config } = await proxySettings({ stateless: "true" }, denied);
  assert.equal(config.logs.proxyLog, undefined);
  assert.equal(config.paths, undefined);
  const logged = await proxySettings({ stateless: "true" }, io);
  assert.equal(logged.config.logs.proxyLog, "/home/a/.svc/logs/proxy.log");
});

Deno.test("startSettings names the flag without which the settings file cannot be read, and lets nobody in who may need its token", async () => {
  const { io } = world(undefined);
  const read = () =>
    Promise.reject(
      new Deno.errors.NotCapable(
        `Requires read access to "${PATH}", run again with the --allow-read flag`,
      ),
    );
  const denied = { ...io, files: { ...io.files, read } };
  const { config } = await startSettings({ stateless: "true" }, denied);
  assert.deepEqual(config.warnings, [
    `Cannot read settings from ${PATH}: svc was started without --allow-read=${PATH}`,
  ]);
  const open = startSettings({ stateless: "true", host: "0.0.0.0" }, denied);
  await assert.rejects(open, /^CliFailure: Cannot listen on 0\.0\.0\.0/);
});
