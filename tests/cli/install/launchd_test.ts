import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "plist";
import { LAUNCHD } from "../../../src/cli/install/launchd.ts";
import { golden, sampleService } from "./sample.ts";

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
