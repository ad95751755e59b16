/** macOS: a launchd agent, or a daemon. @module */
import { join } from "node:path";
import {
  type Service,
  type ServicePlatform,
  STOP_SECONDS,
  xmlText,
} from "./service.ts";

/** Files are for their owner only. A property list takes decimal numbers. */
const UMASK = 0o077;

/** How launchd keeps a proxy running. */
export const LAUNCHD: ServicePlatform = {
  preset: "persistent-service",
  runtime: "deno",
  supervisor: "launchd",
  path: (service) =>
    join(
      service.scope === "system"
        ? "/Library/LaunchDaemons"
        : join(service.home, "Library/LaunchAgents"),
      `${labelOf(service)}.plist`,
    ),
  text: plistText,
  commands(service) {
    const domain = service.scope === "system"
      ? "system"
      : `gui/${service.userId}`;
    const target = `${domain}/${labelOf(service)}`;
    const launchctl = (...words: readonly string[]) => ["launchctl", ...words];
    return {
      enable: [
        launchctl("enable", target),
        launchctl("bootstrap", domain, LAUNCHD.path(service)),
      ],
      start: [launchctl("kickstart", target)],
      // A clean end is not followed by another start.
      stop: [launchctl("kill", "SIGTERM", target)],
      restart: [launchctl("kickstart", "-k", target)],
      disable: [launchctl("bootout", target)],
      forget: [],
    };
  },
  absent: /no such process|could not find/i,
  why: ({ command, port }) => `${command.join(" ")} --port ${port}`,
};

function labelOf({ profile }: Service): string {
  return `com.svc.${profile}`;
}

function plistText(service: Service): string {
  const { scope, account, command } = service;
  const isSystem = scope === "system";
  // A daemon has no home unless it is told.
  const env = isSystem
    ? { HOME: `/Users/${account}`, ...service.env }
    : service.env;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Made by svc install apply; svc install remove takes it away. -->
<plist version="1.0">
<dict>
  <key>Label</key><string>${labelOf(service)}</string>${
    isSystem
      ? `\n  <key>UserName</key><string>${xmlText(account)}</string>`
      : ""
  }
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${xmlText(word)}</string>`).join("\n")}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${
    Object.entries(env).map(([name, value]) =>
      `    <key>${name}</key><string>${xmlText(value)}</string>`
    ).join("\n")
  }
  </dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ThrottleInterval</key><integer>5</integer>
  <key>ExitTimeOut</key><integer>${STOP_SECONDS}</integer>
  <key>ProcessType</key><string>Interactive</string>
  <key>Umask</key><integer>${UMASK}</integer>
</dict>
</plist>
`;
}
