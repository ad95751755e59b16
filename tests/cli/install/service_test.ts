import assert from "node:assert/strict";
import { join } from "node:path";
import { SYSTEMD } from "../../../src/cli/install/systemd.ts";
import { golden, sampleService } from "./sample.ts";
import { verifyUnit } from "./systemd_analyze.ts";
import fc from "fast-check";
import { parse } from "plist";
import { LAUNCHD } from "../../../src/cli/install/launchd.ts";
import { DOMParser } from "@xmldom/xmldom";
import { TASK_SCHEDULER } from "../../../src/cli/install/task_scheduler.ts";
import { tempDir } from "../../temp_dir.ts";

const SCOPES = ["user", "system"] as const;

Deno.test("SYSTEMD writes the unit that is in the golden file, for a user and for the system", async () => {
  for (const scope of SCOPES) {
    const service = sampleService("linux", { scope });
    assert.equal(SYSTEMD.text(service), await golden(`linux-${scope}.service`));
  }
});

Deno.test("SYSTEMD places the unit where systemd looks for it", () => {
  const path = (options: Parameters<typeof sampleService>[1]) =>
    SYSTEMD.path(sampleService("linux", options));
  assert.equal(path({}), "/home/ada/.config/systemd/user/svc-default.service");
  assert.equal(
    path({ env: { XDG_CONFIG_HOME: "/cfg" } }),
    "/cfg/systemd/user/svc-default.service",
  );
  assert.equal(
    path({ scope: "system" }),
    "/etc/systemd/system/svc-default.service",
  );
});

Deno.test("SYSTEMD talks to the manager of its scope", () => {
  for (const scope of SCOPES) {
    const { enable, disable } = SYSTEMD.commands(
      sampleService("linux", { scope }),
    );
    const flags = scope === "user" ? ["--user"] : [];
    assert.deepEqual(enable.at(-1), [
      "systemctl",
      ...flags,
      "enable",
      "svc-default.service",
    ]);
    assert.ok(disable[0]!.includes("--now"));
  }
});

Deno.test("SYSTEMD refuses a path with a line end: it would be another line of the unit", () => {
  const command = ["/opt/a\nExecStartPre=/bin/sh"];
  assert.throws(
    () => SYSTEMD.text(sampleService("linux", { command })),
    /must not contain control characters/,
  );
});

Deno.test("SYSTEMD refuses a program that systemd would not start", () => {
  for (const sign of ['"', "'", "\\"]) {
    const command = [`/opt/${sign}/svc`];
    assert.throws(
      () => SYSTEMD.text(sampleService("linux", { command })),
      /must not contain/,
    );
  }
});

/** A name of a directory with what has a meaning in units. */
const HARD = "a b%h$HOME${X};#z";
/** The same with what programs may not have in their path. */
const HARDER = `${HARD}"q"\\x'y`;

for (const scope of SCOPES) {
  Deno.test(`systemd-analyze finds no fault with a unit of scope ${scope}, whatever its paths are`, async () => {
    await using temp = await tempDir();
    const directory = temp.path;
    const program = join(directory, HARD, "svc");
    await Deno.mkdir(join(directory, HARD));
    await Deno.writeTextFile(program, "#!/bin/sh\n", { mode: 0o755 });
    const service = sampleService("linux", {
      scope,
      command: [program, HARDER],
      env: { SVC_WORKSPACE_DIR: join(directory, HARDER), USER: "root" },
    });
    const file = join(directory, "svc-default.service");
    await Deno.writeTextFile(file, SYSTEMD.text(service));
    const said = await verifyUnit(file, scope);
    if (said === undefined) {
      // deno-lint-ignore no-console
      console.log("skipped: systemd-analyze is not here to be had");
      return;
    }
    assert.equal(said, "");
    // It does look: a program that is not there is a fault.
    await Deno.remove(program);
    assert.match(await verifyUnit(file, scope) ?? "", /not executable/);
  });
}

Deno.test("LAUNCHD writes the property list that is in the golden file, for a user and for the system", async () => {
  for (const scope of ["user", "system"] as const) {
    const service = sampleService("darwin", { scope });
    assert.equal(LAUNCHD.text(service), await golden(`darwin-${scope}.plist`));
  }
});

Deno.test("LAUNCHD writes what a parser of property lists reads back, whatever the paths are", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 4 }),
      fc.string({ unit: "grapheme" }),
      (words, place) => {
        const isPlain = (text: string) =>
          // deno-lint-ignore no-control-regex
          !/[\0-\x1f\x7f-\x9f\ufffe\uffff]/.test(text) && text.isWellFormed();
        fc.pre(words.every(isPlain) && isPlain(place));
        const service = sampleService("darwin", {
          command: words,
          env: { SVC_WORKSPACE_DIR: `/w/${place}` },
        });
        const value = parse(LAUNCHD.text(service)) as Record<string, unknown>;
        assert.deepEqual(value["ProgramArguments"], [...words, "proxy"]);
        assert.deepEqual(value["EnvironmentVariables"], { ...service.env });
      },
    ),
    { examples: [[["svc\u2028"], "\u2028"]] },
  );
});

Deno.test("LAUNCHD starts the proxy at login and again after a failure, with its files for the owner only", () => {
  const value = parse(LAUNCHD.text(sampleService("darwin"))) as Record<
    string,
    unknown
  >;
  assert.deepEqual(value["KeepAlive"], { SuccessfulExit: false });
  assert.equal(value["RunAtLoad"], true);
  assert.equal(value["Umask"], 0o077);
  assert.equal(value["Label"], "com.svc.default");
  assert.equal("UserName" in value, false);
});

Deno.test("LAUNCHD names the domain of the user, or the system", () => {
  const target = (scope: "user" | "system") =>
    LAUNCHD.commands(sampleService("darwin", { scope, userId: 501 }))
      .start[0]!.at(-1);
  assert.equal(target("user"), "gui/501/com.svc.default");
  assert.equal(target("system"), "system/com.svc.default");
});

const WINDOWS = {
  env: { USER: "", USERNAME: "ada", USERDOMAIN: "PC" },
  command: ["C:\\Program Files\\A & B\\svc.exe"],
};

/** The texts of the elements of that name; malformed XML fails. */
function textsOf(xml: string, name: string): (string | null)[] {
  const document = new DOMParser({
    onError: (_level, message) => assert.fail(message),
  }).parseFromString(xml, "text/xml");
  return [...document.getElementsByTagName(name)]
    .map(({ textContent }) => textContent);
}

Deno.test("TASK_SCHEDULER writes the task that is in the golden file, for a user and for the system", async () => {
  for (const scope of ["user", "system"] as const) {
    const service = sampleService("windows", { ...WINDOWS, scope });
    assert.equal(
      TASK_SCHEDULER.text(service),
      await golden(`windows-${scope}.xml`),
    );
  }
});

Deno.test("TASK_SCHEDULER writes XML whose one action sets the variables and runs the program", () => {
  const service = sampleService("windows", WINDOWS);
  const xml = TASK_SCHEDULER.text(service);
  assert.deepEqual(textsOf(xml, "UserId"), ["PC\\ada", "PC\\ada"]);
  const [line] = textsOf(xml, "Arguments");
  const [, inner] = /^--headless cmd\.exe \/d \/s \/c "(.*)"$/.exec(line!) ??
    [];
  const parts = inner!.split("&& ");
  assert.equal(parts.pop(), '"C:\\Program Files\\A & B\\svc.exe" "proxy"');
  const env = parts.map((part) => /^set "([^=]+)=(.*)"$/.exec(part)!.slice(1));
  assert.deepEqual(Object.fromEntries(env), { ...service.env });
});

Deno.test("TASK_SCHEDULER refuses what a command line would read otherwise", () => {
  for (const word of ['C:\\a"&calc', "C:\\%PATH%\\svc.exe"]) {
    assert.throws(
      () => TASK_SCHEDULER.text(sampleService("windows", { command: [word] })),
      /must not contain/,
    );
  }
});

Deno.test("TASK_SCHEDULER stops a task for longer than the minute until its next start", () => {
  const { stop, start } = TASK_SCHEDULER.commands(sampleService("windows"));
  assert.deepEqual(stop[0]!.at(-1), "/DISABLE");
  assert.deepEqual(start[0]!.at(-1), "/ENABLE");
});
