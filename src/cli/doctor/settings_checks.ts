/** Settings, features, who can reach the proxy, and what leaves the machine. @module */
import { isIP } from "node:net";
import { isLoopback } from "./routing.ts";
import { differingChannels, runningChannels } from "../running_proxy.ts";
import {
  failed,
  type Found,
  passed,
  skipped,
  type Verdict,
  verdictOf,
  warned,
} from "./found.ts";

/** Bits of a prefix below which a network is no network of one's own. */
const MIN_BITS = 8;
/** Addresses of this machine that are tried. */
const MAX_ADDRESSES = 4;

/** Whether a proxy would start with the settings, and use all of them. */
export function checkSettings({ settings }: Found): Verdict {
  const { config, problem } = settings;
  if (problem !== undefined) {
    return verdictOf({ warnings: [] }, [failed(
      `no proxy would start: ${problem}`,
      "correct it; svc config list has all settings",
    )]);
  }
  const { refused } = config.features;
  const warnings = config.warnings.filter((text) => !refused.includes(text));
  const given = Object.values(config.given);
  const inFile = given.filter(({ source }) => source === "file").length;
  return verdictOf({ given: given.length, in_file: inFile, warnings }, [
    warnings.length > 0 && warned(
      warnings.join("; "),
      "svc config list has all settings and where they come from",
    ),
    given.length === 0 && passed("nothing is set; defaults are used"),
    passed(
      `${given.length} set, ${inFile} of them in the settings file; all are used`,
    ),
  ]);
}

/** Which features are on. */
export function checkRollout({ settings, proxy }: Found): Verdict {
  if (settings.problem !== undefined) return unusable();
  const { features: { channel, enabled, disabled, refused } } = settings.config;
  const mode = proxy.config["mode"] ?? settings.config.mode;
  const on = enabled.join(", ") || "nothing";
  const off = disabled.length === 0 ? "" : `; off: ${disabled.join(", ")}`;
  const text = `channel ${channel}; on: ${on}${off}`;
  return verdictOf({ channel, enabled, disabled, refused }, [
    refused.length > 0 && warned(
      `${text}; ${refused.join("; ")}`,
      "correct SVC_FEATURES or SVC_ROLLOUT_CHANNEL",
    ),
    mode === "passthrough" && warned(
      `${text}; requests are forwarded unchanged`,
      "SVC_OPTIMIZE=1 compresses them, unless SVC_DISABLE_FEATURES names compression",
    ),
    passed(text),
  ]);
}

/** Who can reach the proxy. */
export async function checkExposure(found: Found): Promise<Verdict> {
  const { settings, proxy } = found;
  if (settings.problem !== undefined) return unusable();
  const { host, trust, upstreams } = settings.config;
  const reached = proxy.state === "up" ? await reachedFrom(found) : undefined;
  const wide = [...trust.clients, ...trust.gateways]
    .filter(([, bits]) => bits < MIN_BITS)
    .map(([address, bits]) => `${address}/${bits}`);
  const isClosed = reached === undefined && isLoopback(host);
  const { length } = trust.clients;
  const trusted = length === 0 ? "" : `; trusted networks: ${length}`;
  const open = `other machines can reach it at ${reached ?? host}`;
  const hint = "svc proxy --host 127.0.0.1, or set SVC_PROXY_TOKEN";
  const pays = upstreams.messagesHeaders.length > 0 ||
    upstreams.chatHeaders.length > 0;
  return verdictOf({
    host,
    reachable_at: reached ?? null,
    token: trust.token !== undefined,
    trusted_clients: length,
    trusted_gateways: trust.gateways.length,
  }, [
    wide.length > 0 && failed(
      `nearly every address is trusted: ${wide.join(", ")}`,
      "list only the networks of your own machines",
    ),
    isClosed && passed(`only this machine can reach it (${host})${trusted}`),
    trust.token !== undefined && passed(`${open}, with the token`),
    pays && failed(
      `${open}, without a token, and your upstream headers pay for them`,
      hint,
    ),
    warned(`${open}, without a token`, hint),
  ]);
}

/** An address of this machine, beside the loopback, at which the port is open. */
async function reachedFrom(
  { io, machine, proxy }: Found,
): Promise<string | undefined> {
  const addresses = io.ownNames().filter((name) =>
    isIP(name) !== 0 && !isLoopback(name) && !/^fe80:/i.test(name)
  );
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    if (await machine.accepts(address, proxy.port)) return address;
  }
  return undefined;
}

/** What leaves the machine beside the requests themselves: the running proxy wins, since it was started otherwise. */
export async function checkEgress(found: Found): Promise<Verdict> {
  const { io, settings, proxy } = found;
  const running = runningChannels(proxy.stats);
  const shell = settings.problem === undefined
    ? await io.egress(settings.config)
    : undefined;
  const channels = running ?? shell;
  if (channels === undefined) return unusable();
  const shown = channels.map(({ name, enabled, endpoint }) => ({
    name,
    enabled,
    to: enabled ? placeOf(endpoint) : null,
  }));
  const on = shown.filter(({ enabled }) => enabled);
  const differing = running === undefined || shell === undefined
    ? []
    : differingChannels(running, shell);
  const what = on.length === 0
    ? "nothing leaves this machine except the requests of your clients"
    : `besides requests, this leaves the machine: ${
      on.map(({ name, to }) => `${name}, to ${to}`).join("; ")
    }`;
  const whose = running === undefined
    ? "by the settings of this shell"
    : "according to the proxy";
  const other = differing.length === 0
    ? ""
    : `, while this shell's settings differ for ${differing.join(", ")}`;
  const hint = "svc telemetry shows all channels, and the report itself";
  return verdictOf({
    source: running === undefined ? "shell" : "proxy",
    channels: shown,
    shell_differs: differing,
  }, [passed(`${what} (${whose}${other})`, on.length === 0 ? null : hint)]);
}

/** A path or a user name may be a secret; the beacon names a host only. */
function placeOf(endpoint: string | null): string {
  if (endpoint === null) return "nowhere";
  const url = URL.parse(endpoint);
  return url !== null && /^https?:$/.test(url.protocol)
    ? url.origin
    : endpoint.replace(/^.*@|\/.*$/g, "");
}

function unusable(): Verdict {
  return skipped("the settings cannot be used: see the check of settings");
}
