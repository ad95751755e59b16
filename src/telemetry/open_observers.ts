/** Composition of what follows requests beside the ledger: logs, exports, and what may leave the machine. @module */
import { ensureInstallId } from "./small_file.ts";
import type { AppIo } from "../core/app_io.ts";
import type { RequestRecord } from "../core/ledger.ts";
import { candidateNames } from "../cost/model_names.ts";
import { builtInModels } from "../cost/prices.ts";
import type { Config } from "../settings/resolve.ts";
import { beaconState, openBeacon } from "./beacon.ts";
import type { PublicNames } from "./beacon_session.ts";
import { openDebugDumps } from "./debug_dump.ts";
import { laterUnheld } from "./later.ts";
import { MessageLog } from "./message_log.ts";
import type { OtelIo } from "./otel_contract.ts";
import { openOtelMetrics } from "./otel_metrics.ts";
import { openRequestLog } from "./request_log.ts";
import { requestSummary } from "./request_summary.ts";
import { systemFacts } from "./system.ts";
import { openTracing } from "./tracing.ts";
import {
  isContinuousIntegration,
  startUpdateCheck,
  updateState,
  type UpdateSwitches,
} from "./update_check.ts";
import { VERSION } from "../version.ts";
import {
  clientSlug,
  genAiName,
  providerSlug,
} from "../upstream/known_hosts.ts";

/** What follows requests. */
export type Observers = Awaited<ReturnType<typeof openObservers>>;

/** Opens what the configuration asks for; without any of it, only the log gets a line per request. */
export async function openObservers(
  config: Config,
  io: AppIo,
) {
  const { logs, egress, paths } = config;
  const messages = logs.messages ? new MessageLog() : undefined;
  const texts = messages && ((id: string) => messages.texts(id));
  const requestLog = logs.requestLog === undefined
    ? undefined
    : openRequestLog({ path: logs.requestLog, log: io.log, texts });
  const dumps = logs.debug400 && paths !== undefined
    ? openDebugDumps({
      directory: paths.debugDumps,
      now: io.clock.now,
      log: io.log,
    })
    : undefined;
  const [metrics, traces] = await openExports(config, io);
  const switches = updateSwitches(config, io.env ?? {});
  const update = updateCheckOf(switches, paths, io);
  const sinks = [requestLog, metrics, traces, beaconOf(config, io)]
    .filter((sink) => sink !== undefined);
  return {
    /** Takes one finished request. Never throws. */
    record(entry: RequestRecord) {
      io.log("info", "request", requestSummary(entry));
      for (const sink of sinks) sink.record(entry);
    },
    /** Take copies of texts, where the user wants them kept. */
    keepers: {
      ...messages && { messages },
      ...dumps && { refused: dumps.dump },
    },
    ...texts && { texts },
    /** For reports. */
    status: () => ({
      otel: { ...metrics.status(), traces: traces.status() },
      beacon: beaconState(egress),
      update: updateState(switches),
    }),
    async [Symbol.asyncDispose]() {
      update?.close();
      await Promise.all([...sinks.map((sink) => sink.close()), dumps?.close()]);
    },
  };
}

/** The exports of metrics and of spans. */
function openExports({ otel, egress }: Config, io: AppIo) {
  const exportIo: OtelIo = {
    log: io.log,
    env: io.env ?? {},
    version: VERSION,
    offline: egress.offline,
    instanceId: crypto.randomUUID(),
    write: io.write ?? (() => {}),
    genAi: genAiName,
  };
  return Promise.all([
    openOtelMetrics(otel, exportIo),
    openTracing(otel, exportIo),
  ]);
}

/** One of several processes is enough to ask; none does where nothing may be written. */
function updateCheckOf(
  switches: UpdateSwitches,
  paths: Config["paths"],
  io: AppIo,
) {
  const { clock, log } = io;
  const isFirst = (io.share?.slot ?? 0) === 0;
  return paths && isFirst
    ? startUpdateCheck(switches, {
      version: VERSION,
      path: paths.updateCheck,
      clock,
      later: laterUnheld,
      send: (request) => io.send(request),
      log,
    })
    : undefined;
}

/** Names that many installations share. */
export const PUBLIC_NAMES: PublicNames = {
  model(model) {
    const { prices } = builtInModels();
    return candidateNames(model).find((name) => prices.has(name));
  },
  provider: providerSlug,
  client: clientSlug,
};

function beaconOf({ egress, paths }: Config, io: AppIo) {
  const { clock, log } = io;
  const installId = async () => {
    const { id, unkept } = await ensureInstallId(paths?.installId);
    if (unkept !== undefined && paths !== undefined) {
      const fields = { path: paths.installId, reason: unkept };
      log("warn", "install_id_not_kept", fields);
    }
    return id;
  };
  return openBeacon(egress, {
    source: { version: VERSION, ...systemFacts() },
    installId,
    names: PUBLIC_NAMES,
    clock,
    later: laterUnheld,
    send: (request) => io.send(request),
    newId: () => crypto.randomUUID(),
    log,
  });
}

/** What the question for a newer version depends on. */
export function updateSwitches(
  { egress, paths }: Config,
  env: Readonly<Record<string, string | undefined>>,
): UpdateSwitches {
  return {
    ...egress,
    stateless: paths === undefined,
    isCi: isContinuousIntegration(env),
    isCheckout: systemFacts().installMode === "source",
  };
}
