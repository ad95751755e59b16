/** Composition root: configuration → running parts. @module */
import type { Hono } from "hono";
import type { ModelPricing } from "./cost/pricing.ts";
import type { InFlight, RateLimit } from "./core/limits.ts";
import type { AppIo } from "./core/app_io.ts";
import { openServices, type Services } from "./services.ts";
import { pageRefusal } from "./proxy/destinations.ts";
import { openPricing } from "./cost/open_pricing.ts";
import { openUpstreams, type Upstreams } from "./upstream/open_upstreams.ts";
import { openRetriever, ownRoutes } from "./own_routes.ts";
import { makeCompression } from "./open_compression.ts";
import { providerHandler } from "./provider_routes.ts";
import type { ProxyEnv } from "./proxy/env.ts";
import { BodyBytes } from "./proxy/body_bytes.ts";
import { errorHandler } from "./proxy/errors.ts";
import { audit } from "./proxy/gates/audit.ts";
import { limitConcurrency, makeInFlight } from "./proxy/gates/concurrency.ts";
import { requireToken } from "./proxy/gates/proxy_token.ts";
import { limitRate, makeRateLimit } from "./proxy/gates/rate.ts";
import {
  refuseForeignPages,
  refuseOwnPaths,
} from "./proxy/gates/foreign_pages.ts";
import { makeApp } from "./proxy/routes.ts";
import { adopt } from "./settings/fixed.ts";
import type { Config } from "./settings/resolve.ts";

/** The running parts. */
export type App = Awaited<ReturnType<typeof openApp>>;

/**
 * Starts the parts. Files are made only where the configuration has paths.
 *
 * @throws {RangeError} If a file that the configuration names cannot be used.
 */
export async function openApp(config: Config, io: AppIo) {
  const services = await openServices(config, io);
  let current: Started;
  try {
    current = await start(config, services, io);
  } catch (error) {
    await services[Symbol.asyncDispose]();
    throw error;
  }
  return {
    /** Answers one request; never rejects. */
    fetch: (request: Request, env: ProxyEnv["Bindings"]): Promise<Response> =>
      current.fetch(request, env),
    /** Where originals really are: in memory also where the file could not be used. */
    storeBackend: services.store.stats().backend,
    /** Where requests are really counted: in memory also where the file could not be used. */
    ledgerBackend: services.ledger.state().backend,
    /** Extensions that were loaded. */
    extensions: services.extensions?.names ?? [],
    /**
     * Goes on under another configuration: requests under way end under theirs, conversations keep what they have.
     *
     * @returns What stays as it was until the next start, by the names of its settings.
     * @throws {RangeError | Error} If the new one cannot be used: the old one stays in force.
     */
    async reload(next: Config): Promise<readonly string[]> {
      const { config, waiting } = adopt(current.config, next);
      services.ledger.setBudget(config.budget);
      try {
        const started = await start(config, services, io, current.limits);
        current.retire();
        current = started;
      } catch (error) {
        services.ledger.setBudget(current.config.budget);
        throw error;
      }
      return waiting;
    },
    /** Starts what the first request needs and the listener does not. */
    warmUp: () => services.warmUp(),
    /** Releases everything; called once, after the last response. */
    async close() {
      current.retire();
      await services[Symbol.asyncDispose]();
    },
  };
}

/** The parts of one configuration. */
type Started = Awaited<ReturnType<typeof start>>;

async function start(
  config: Config,
  services: Services,
  io: AppIo,
  before?: Limits,
) {
  const [upstreams, pricing] = await Promise.all([
    openUpstreams(config, io),
    openPricing(config, io),
  ]);
  const limits = limitsOf(config, services, io, before);
  const app = assemble(config, services, io, { upstreams, pricing, limits });
  let inFlight = 0;
  let isRetired = false;
  const closeWhenIdle = () => {
    if (isRetired && inFlight === 0) upstreams.close();
  };
  return {
    config,
    limits,
    async fetch(request: Request, env: ProxyEnv["Bindings"]) {
      inFlight++;
      const ended = () => {
        inFlight--;
        closeWhenIdle();
      };
      try {
        return await app.fetch(request, env);
      } finally {
        if (env.completed === undefined) ended();
        else void env.completed.then(ended);
      }
    },
    /** Takes no new requests; gives up its connections when the last one has ended. */
    retire() {
      isRetired = true;
      closeWhenIdle();
    },
  };
}

/** What is opened anew for each configuration. */
interface Opened {
  readonly upstreams: Upstreams;
  readonly pricing: ModelPricing;
  readonly limits: Limits;
}

/** What counts requests; it goes on counting as long as its limit stays. */
interface Limits {
  readonly concurrency: number;
  readonly places: InFlight;
  readonly bodies: BodyBytes;
  readonly perMinute: number | undefined;
  readonly rate: RateLimit | undefined;
}

function limitsOf(
  { limits }: Config,
  { ledger }: Services,
  { clock }: AppIo,
  before: Limits | undefined,
): Limits {
  const { concurrency, requestsPerMinute: perMinute } = limits;
  return {
    concurrency,
    bodies: before?.bodies.limit === limits.inflightBodyBytes
      ? before.bodies
      : new BodyBytes(limits.inflightBodyBytes),
    places: before?.concurrency === concurrency
      ? before.places
      : ledger.limits?.inFlight(concurrency) ?? makeInFlight(concurrency),
    perMinute,
    rate: perMinute === undefined
      ? undefined
      : before?.perMinute === perMinute
      ? before.rate
      : ledger.limits?.rateLimit(perMinute) ??
        makeRateLimit({ perMinute, clock }),
  };
}

function assemble(
  config: Config,
  services: Services,
  io: AppIo,
  { upstreams, pricing, limits }: Opened,
): Hono<ProxyEnv> {
  const { clock, log } = io;
  const { trust } = config;
  const { memory } = services;
  const surroundings = { ...services, clock, log };
  const parts = {
    ...{ services, upstreams, pricing, trust },
    compression: makeCompression(config, surroundings, memory),
    retriever: openRetriever(config, services, io),
    rate: limits.rate && limitRate({ rate: limits.rate, trust }),
    bodies: limits.bodies,
    settled: async () => {
      await services.calls.counted();
      await services.ledger.flush();
    },
  };
  const allowed = trust.origins;
  const pages = { allowed, trust, refuse: pageRefusal, log };
  return makeApp([
    ...ownRoutes(config, io, parts),
    {
      method: "ALL",
      path: "*",
      gates: [refuseOwnPaths(), refuseForeignPages(pages)],
      handler: providerHandler(config, io, parts),
    },
  ], {
    gates: [
      audit(log),
      requireToken({ token: trust.token, trust }),
      limitConcurrency(limits.places),
    ],
    onError: errorHandler(log),
  });
}
