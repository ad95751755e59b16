import assert from "node:assert/strict";
import { join } from "node:path";
import { SYSTEMD } from "../../../src/cli/install/systemd.ts";
import { golden, sampleService } from "./sample.ts";
import { verifyUnit } from "./systemd_analyze.ts";

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
    const directory = await Deno.makeTempDir();
    try {
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
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  });
}
