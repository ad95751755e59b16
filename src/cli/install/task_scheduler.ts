/** Windows: a scheduled task. @module */
import { join } from "node:path";
import {
  plain,
  type Service,
  type ServicePlatform,
  xmlText,
} from "./service.ts";

/** How a task keeps a proxy running: it starts at logon or boot, and every minute while none runs. */
export const TASK_SCHEDULER: ServicePlatform = {
  preset: "persistent-task",
  runtime: "deno",
  supervisor: "task-scheduler",
  path: ({ directory }) => join(directory, "task.xml"),
  text: taskText,
  commands(service) {
    const task = (act: string, ...words: readonly string[]) => [
      ...["schtasks", act, "/TN", `svc-${service.profile}`],
      ...words,
    ];
    const start = [task("/Change", "/ENABLE"), task("/Run")];
    // While it is enabled, it starts again within a minute.
    const stop = [task("/Change", "/DISABLE"), task("/End")];
    return {
      enable: [task("/Create", "/F", "/XML", TASK_SCHEDULER.path(service))],
      start,
      stop,
      restart: [task("/End"), ...start],
      disable: [...stop, task("/Delete", "/F")],
      forget: [],
    };
  },
  absent: /cannot find|does not exist/i,
  why: ({ command, port }) => `${command.join(" ")} --port ${port}`,
};

function taskText(service: Service): string {
  const { profile, scope, account } = service;
  const user = `<UserId>${xmlText(account)}</UserId>`;
  const isSystem = scope === "system";
  // A task that fails is not started again; one that runs keeps further ones from starting.
  const again = "<Repetition><Interval>PT1M</Interval></Repetition>";
  return `<?xml version="1.0"?>
<!-- Made by svc install apply; svc install remove takes it away. -->
<Task version="1.3" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>svc proxy (profile ${profile})</Description>
  </RegistrationInfo>
  <Triggers>
    ${
    isSystem
      ? `<BootTrigger>${again}</BootTrigger>`
      : `<LogonTrigger>${again}${user}</LogonTrigger>`
  }
  </Triggers>
  <Principals>
    <Principal id="Owner">
      ${user}
      <LogonType>${isSystem ? "S4U" : "InteractiveToken"}</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <StartWhenAvailable>true</StartWhenAvailable>
  </Settings>
  <Actions Context="Owner">
    <Exec>
      <Command>conhost.exe</Command>
      <Arguments>${xmlText(argumentsOf(service))}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** A console without a window that sets variables, which tasks do not have, and runs the program. */
function argumentsOf({ command, env }: Service): string {
  const quoted = (text: string) => `"${plain(text, /["%]/)}"`;
  const sets = Object.entries(env)
    .filter(([name]) => !name.startsWith("MALLOC_"))
    .map(([name, value]) => `set ${quoted(`${name}=${value}`)}`);
  const line = [...sets, command.map(quoted).join(" ")].join("&& ");
  return `--headless cmd.exe /d /s /c "${line}"`;
}
