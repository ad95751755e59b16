/** Linux: a systemd unit, of the user's service manager or of the system's. @module */
import { join } from "node:path";
import { EXIT_USAGE } from "../failure.ts";
import {
  plain,
  type Service,
  type ServicePlatform,
  STOP_SECONDS,
} from "./service.ts";

/** How systemd keeps a proxy running. */
export const SYSTEMD: ServicePlatform = {
  preset: "persistent-service",
  runtime: "deno",
  supervisor: "systemd",
  path: (service) =>
    join(
      service.scope === "system"
        ? "/etc/systemd/system"
        : join(service.configHome, "systemd/user"),
      unitOf(service),
    ),
  text: unitText,
  commands(service) {
    const systemctl = (...words: readonly string[]) => [
      ...["systemctl", ...service.scope === "user" ? ["--user"] : []],
      ...words,
    ];
    const unit = unitOf(service);
    return {
      enable: [systemctl("daemon-reload"), systemctl("enable", unit)],
      start: [systemctl("start", unit)],
      stop: [systemctl("stop", unit)],
      restart: [systemctl("restart", unit)],
      disable: [systemctl("disable", "--now", unit)],
      forget: [systemctl("daemon-reload")],
    };
  },
  absent: /not been booted|connect to bus|not loaded|does not exist/i,
  why: (service) =>
    `journalctl ${service.scope === "user" ? "--user-unit" : "--unit"} ${
      unitOf(service)
    }`,
};

function unitOf({ profile }: Service): string {
  return `svc-${profile}.service`;
}

function unitText(service: Service): string {
  const { profile, scope, command, account, env } = service;
  const isSystem = scope === "system";
  return [
    "# Made by svc install apply; svc install remove takes it away.",
    "[Unit]",
    `Description=svc proxy (profile ${profile})`,
    ...isSystem
      ? ["Wants=network-online.target", "After=network-online.target"]
      : [],
    "",
    "[Service]",
    "Type=exec",
    `ExecStart=${commandLine(command)}`,
    "ExecReload=kill -HUP $MAINPID",
    "Restart=on-failure",
    "RestartSec=5",
    "# Settings that cannot be used do not get better by trying again.",
    `RestartPreventExitStatus=${EXIT_USAGE}`,
    "# Of several processes the first one ends the others.",
    "KillMode=mixed",
    `TimeoutStopSec=${STOP_SECONDS}`,
    "NoNewPrivileges=yes",
    "UMask=0077",
    ...isSystem ? [`User=${plain(account)}`, "ProtectSystem=full"] : [],
    ...Object.entries(env)
      .map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    "",
    "[Install]",
    `WantedBy=${isSystem ? "multi-user" : "default"}.target`,
    "",
  ].join("\n");
}

/** In all words but the first one variables are expanded; that one may not have some characters. */
function commandLine([program = "", ...words]: readonly string[]): string {
  const others = words.map((word) => quoted(word.replaceAll("$", "$$$$")));
  return [quoted(plain(program, /["'\\]/)), ...others].join(" ");
}

/** A value; a percent sign begins a specifier. */
function quoted(text: string): string {
  const escaped = plain(text).replace(/[\\"]/g, "\\$&").replaceAll("%", "%%");
  return /^[\w@=:,./+-]+$/.test(escaped) ? escaped : `"${escaped}"`;
}
