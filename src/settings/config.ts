/** Everything that is set, resolved. @module */
import type { Budget } from "../core/cost.ts";
import type { Deployment } from "../core/deployment.ts";
import type { NamedToolRule } from "../core/decision.ts";
import type { CompressionMode } from "../core/mode.ts";
import type { HeaderField } from "../core/upstream.ts";
import type { Given } from "./given.ts";
import type { AllowedBase, Network } from "./network_list.ts";
import type { Paths } from "./paths.ts";
import type { Features } from "./rollout.ts";

/** Everything a user can set, resolved. Frozen, parts included. */
export interface Config {
  /** Address to listen on, an IPv6 literal without brackets. */
  readonly host: string;
  /** Port to listen on; 0 takes any free port. */
  readonly port: number;
  /** What is done to a request that does not say otherwise. */
  readonly mode: CompressionMode;
  /** Upstreams by family: URLs without trailing slash, a path prefix allowed. */
  readonly upstreams: {
    /** Messages traffic. */
    readonly messages: string;
    /** Chat completions and responses traffic. */
    readonly chat: string;
    /** Vertex-style traffic; `undefined`: the host of each request's region. */
    readonly vertex: string | undefined;
    /** Foundry-style traffic; `undefined`: the messages upstream. */
    readonly foundry: string | undefined;
    /** Fields that the operator adds to messages traffic. */
    readonly messagesHeaders: readonly HeaderField[];
    /** Fields that the operator adds to chat completions and responses traffic. */
    readonly chatHeaders: readonly HeaderField[];
    /** Further hosts that get them. */
    readonly headerHosts: readonly string[];
    /** Upstreams that clients may choose although they are private. */
    readonly allowedBases: readonly AllowedBase[];
    /** Milliseconds for the names of those that clients choose. */
    readonly resolveTimeoutMs: number;
  };
  /** How upstreams are spoken to. */
  readonly transport: {
    /** HTTP proxy of upstream requests, credentials included. */
    readonly httpProxy: string | undefined;
    /** PEM file of further certificate authorities. */
    readonly caFile: string | undefined;
    /** Milliseconds until a response begins, and between two parts of it. */
    readonly timeoutMs: number;
    /** Requests under way. */
    readonly maxConnections: number;
    /** Idle connections per upstream. */
    readonly maxKeepalive: number;
    /** Milliseconds that an idle connection stays open. */
    readonly keepaliveMs: number;
    /** Whether HTTP/2 may be spoken. */
    readonly http2: boolean;
    /** Times that a request is sent in all. */
    readonly maxAttempts: number;
    /** Milliseconds before the first retry. */
    readonly retryBaseMs: number;
    /** Longest wait before a retry, in milliseconds. */
    readonly retryMaxMs: number;
  };
  /** What callers may do. */
  readonly limits: {
    /** Processes on the port. */
    readonly workers: number;
    /** Requests under way. */
    readonly concurrency: number;
    /** Bytes that request bodies in work may hold. */
    readonly inflightBodyBytes: number;
    /** Requests to models per minute and caller; `undefined` for no limit. */
    readonly requestsPerMinute: number | undefined;
  };
  /** Who is believed. */
  readonly trust: {
    /** Networks whose machines see everything. */
    readonly clients: readonly Network[];
    /** Networks of gateways. */
    readonly gateways: readonly Network[];
    /** Origins and hosts of web pages that may send requests to providers; in lower case. */
    readonly origins: readonly string[];
    /** What callers from other machines must send; `undefined` for nothing. */
    readonly token: string | undefined;
    /** Whether the compress route answers other machines. */
    readonly remoteCompress: boolean;
  };
  /** Beta headers of conversations. */
  readonly betas: {
    /** `invalid`: the setting holds another word, and each request says so. */
    readonly sticky: "enabled" | "disabled" | "invalid";
    /** Conversations remembered. */
    readonly maxSessions: number;
  };
  /** Whether repeated requests may be answered from memory. */
  readonly responseCache: boolean;
  /** What requests may cost; `undefined` for no limit. */
  readonly budget: Budget | undefined;
  /** Whether streams that report usage only when asked are asked for it. */
  readonly streamUsage: boolean;
  /** Limits and prices of models: JSON or a path, as given. */
  readonly modelLimits: string | undefined;
  /** Storage of originals. */
  readonly ccr: {
    /** False: nothing is left out of any text, no markers, no retrieval tool. */
    readonly enabled: boolean;
    /** Where originals are kept; `memory` when stateless. */
    readonly backend: "sqlite" | "memory";
    /** Seconds an original lives after its conversation was last active; at least 1. */
    readonly ttlSeconds: number;
  };
  /** Whether only forms with a byte-exact inverse may be used. */
  readonly lossless: boolean;
  /** Whether source code that tools print may be shortened. */
  readonly codeAware: boolean;
  /** Whether forms that lose nothing may be used. */
  readonly losslessCompaction: boolean;
  /** What happens to results of tools by name; the first rule that fits wins. */
  readonly toolRules: readonly NamedToolRule[];
  /** Whether `x-svc-*` request headers are removed before a request leaves. */
  readonly stripInternalHeaders: boolean;
  /** Largest request body in bytes, decoded. */
  readonly requestBodyMaxBytes: number;
  /** Seconds that one call of the compress route may take. */
  readonly compressionTimeoutSeconds: number;
  /** What is logged. */
  readonly logs: {
    /** Proxy log; `undefined` where there is no directory for it: then there is only stderr. */
    readonly proxyLog: string | undefined;
    /** Request log; `undefined` for none, and when stateless. */
    readonly requestLog: string | undefined;
    /** Whether texts of requests and responses are kept. */
    readonly messages: boolean;
    /** Whether requests that were answered with 400 are written, masked; never when stateless. */
    readonly debug400: boolean;
  };
  /** Export of metrics. */
  readonly otel: {
    /** Whether anything is exported; never when offline. */
    readonly enabled: boolean;
    /** See `SVC_OTEL_METRICS_EXPORTER`. */
    readonly exporter: "otlp_http" | "console";
    /** Full URL; `undefined`: where the standard variables say, else the collector on this machine. */
    readonly endpoint: string | undefined;
    /** Secret. */
    readonly headers: readonly HeaderField[];
    /** Milliseconds between two exports. */
    readonly intervalMs: number;
    /** Name of this service. */
    readonly serviceName: string;
    /** Further attributes. */
    readonly resourceAttributes: readonly HeaderField[];
  };
  /** What may leave the machine beside the client's own requests. */
  readonly egress: {
    /** Nothing. */
    readonly offline: boolean;
    /** No beacon. */
    readonly doNotTrack: boolean;
    /** Whether the beacon is switched on. */
    readonly beacon: boolean;
    /** Where it reports; `undefined`: nowhere. */
    readonly beaconEndpoint: string | undefined;
    /** Whether a newer version is asked for. */
    readonly updateCheck: boolean;
    /** Who is asked; `undefined`: nobody. */
    readonly updateIndex: string | undefined;
  };
  /** Whether local statistics of tools are kept. */
  readonly telemetry: boolean;
  /** How the system keeps it running; absent for a proxy that somebody started by hand. */
  readonly deployment?: Deployment;
  /** Features that can be switched, and which of them are on. */
  readonly features: Features;
  /** What was given, by the variable of its setting; secrets included. */
  readonly given: Readonly<Record<string, Given>>;
  /** Where files are kept; `undefined` when stateless: nothing may be written. */
  readonly paths: Paths | undefined;
  /** What the user should be told about values that were not used. One sentence each. */
  readonly warnings: readonly string[];
}
