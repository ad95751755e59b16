/** Is the proxy there, and is it this one? @module */
import { VERSION } from "../../version.ts";
import { ageText } from "../originals/words.ts";
import { type Facts, type Found, memberOf } from "./found.ts";
import { failed, passed, skipped, type Verdict, warned } from "./verdict.ts";

/** Whether it answers, and how its parts are. */
export function checkProxy({ proxy }: Found): Verdict {
  const { url, state, health } = proxy;
  const details = { url, state };
  if (state !== "up") {
    return failed(`no svc proxy answers at ${url}`, {
      hint: state === "closed"
        ? "start it: svc proxy; if it has another port: svc doctor --port <number>"
        : "another program has the port, see below; start svc proxy --port <number>",
      details,
    });
  }
  const uptime = Number(health["uptime_seconds"] ?? 0);
  const sick = sickParts(memberOf(health, "checks"));
  const facts = {
    ...details,
    status: health["status"] ?? null,
    uptime_seconds: uptime,
    checks: health["checks"] ?? {},
  };
  const up = `answers at ${url}, up for ${ageText(1000 * uptime)}`;
  if (health["status"] === "healthy") return passed(up, { details: facts });
  return warned(
    `${up}, but is not healthy: ${sick.join(", ") || "no reason"}`,
    {
      hint: "its log says why; requests are sent on all the same",
      details: facts,
    },
  );
}

function sickParts(checks: Facts): string[] {
  return Object.keys(checks)
    .filter((name) => memberOf(checks, name)["status"] === "unhealthy");
}

/** Whether it is of the same version as this program. */
export function checkVersion({ proxy }: Found): Verdict {
  if (proxy.state !== "up") return skipped(`this program is ${VERSION}`);
  const running = String(proxy.health["version"]);
  const details = { program: VERSION, proxy: running };
  if (running === VERSION) {
    return passed(`program and proxy are ${VERSION}`, { details });
  }
  return warned(`the proxy is ${running}, this program ${VERSION}`, {
    hint: "stop the proxy and start it again",
    details,
  });
}

/** Who has the port. */
export function checkPort({ proxy }: Found): Verdict {
  const { host, port, state, status } = proxy;
  const details = { host, port, state, http_status: status ?? null };
  const another = {
    hint:
      "stop that program, or give svc another port: svc proxy --port <number>",
    details,
  };
  switch (state) {
    case "up":
      return passed(`${port} belongs to the svc proxy`, { details });
    case "closed":
      return skipped(`nobody has ${port}`, { details });
    case "silent":
      return failed(
        `${port} belongs to a program that answers no HTTP within 2 s`,
        another,
      );
    case "other":
      return failed(
        `${port} belongs to another program: /health answers ${status}`,
        another,
      );
  }
}
