/** Liveness, readiness and health. @module */
import type { Context } from "hono";
import type { Clock } from "../../core/clock.ts";
import type { Deployment } from "../../core/deployment.ts";
import type { ProxyEnv } from "../env.ts";
import type { Trust } from "../gates/caller.ts";
import { isTrustedCaller } from "../gates/trusted.ts";

/** State of one part of the service. */
export interface HealthCheck {
  /** Whether the part is in use at all. */
  readonly enabled: boolean;
  /** Whether it works. */
  readonly ready: boolean;
  /** Further facts: no secrets, no paths. */
  readonly [fact: string]: string | number | boolean;
}

/** What the three routes need. */
export interface HealthParts {
  /** Package version. */
  readonly version: string;
  /** Time. */
  readonly clock: Clock;
  /** Monotonic time from which uptime counts, in milliseconds. */
  readonly startedAt: number;
  /** The parts by name; asked on every request, so cheap. */
  readonly checks: () => Readonly<Record<string, HealthCheck>>;
  /** Settings in force, for trusted callers: how a launcher knows whether it can reuse this proxy. */
  readonly config?: () => Readonly<Record<string, unknown>>;
  /** How the system keeps the proxy running; absent where somebody started it by hand. */
  readonly deployment?: Deployment | undefined;
  /** Who is trusted beside this machine; nobody unless given. */
  readonly trust?: Trust;
}

/** Makes the health handlers. */
export function health(parts: HealthParts) {
  const { clock, startedAt, version } = parts;
  const common = (healthy: boolean) => ({
    service: "svc-proxy",
    status: healthy ? "healthy" : "unhealthy",
    version,
    timestamp: new Date(clock.now()).toISOString(),
    uptime_seconds: Math.floor((clock.monotonic() - startedAt) / 1000),
  });
  const report = () => {
    const checks = parts.checks();
    const ready = Object.values(checks).every((check) =>
      !check.enabled || check.ready
    );
    const named = Object.entries(checks).map(([name, check]) =>
      [name, { ...check, status: statusOf(check) }] as const
    );
    return {
      ...common(ready),
      ready,
      checks: Object.fromEntries(named),
      ...parts.deployment && { deployment: parts.deployment },
    };
  };
  return {
    /** 200 as long as the process answers. */
    livez: (c: Context<ProxyEnv>) => c.json({ ...common(true), alive: true }),
    /** 200 when every enabled part is ready, else 503. */
    readyz: (c: Context<ProxyEnv>) => {
      const body = report();
      return c.json(body, body.ready ? 200 : 503);
    },
    /** Always 200; the body says the rest. */
    health: (c: Context<ProxyEnv>) => {
      const config = isTrustedCaller(c, parts.trust)
        ? parts.config?.()
        : undefined;
      return c.json(config ? { ...report(), config } : report());
    },
  };
}

function statusOf(check: HealthCheck): string {
  if (!check.enabled) return "disabled";
  return check.ready ? "healthy" : "unhealthy";
}
