import assert from "node:assert/strict";
import { DOMParser } from "@xmldom/xmldom";
import { TASK_SCHEDULER } from "../../../src/cli/install/task_scheduler.ts";
import { golden, sampleService } from "./sample.ts";

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
