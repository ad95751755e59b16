/** A snapshot as OTLP/HTTP JSON: one log record whose body is a list of keys and values. @module */
import type { BeaconSnapshot } from "./beacon_session.ts";

/** What is said of the installation. */
export interface BeaconSource {
  /** Random, per installation. */
  readonly installId: string;
  /** Of this program. */
  readonly version: string;
  /** E.g. `linux`. */
  readonly os: string;
  /** E.g. `x86_64`. */
  readonly arch: string;
  /** How it was installed. */
  readonly installMode: string;
  /** Slug of the client that sent most requests; `other` for an unknown one. */
  readonly stack: string;
}

/** A value in the JSON encoding of OTLP. */
type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } }
  | { readonly kvlistValue: { readonly values: readonly OtlpPair[] } };

/** A key with its value. */
interface OtlpPair {
  /** Name of the field. */
  readonly key: string;
  /** See {@linkcode OtlpValue}. */
  readonly value: OtlpValue;
}

/** Plain data that can be encoded. */
type Plain =
  | string
  | number
  | boolean
  | readonly Plain[]
  | { readonly [key: string]: Plain };

/** Fields with a number that can have decimals: always a double, so that a column has one type. */
const DOUBLES = new Set(["percent"]);

/**
 * The request body.
 *
 * @param at Milliseconds since the Unix epoch.
 */
export function beaconPayload(
  snapshot: BeaconSnapshot,
  { installId, version, os, arch, installMode, stack }: BeaconSource,
  at: number,
): Readonly<Record<string, unknown>> {
  const time = `${BigInt(Math.round(at)) * 1_000_000n}`;
  const { ...fields } = snapshot;
  return {
    resourceLogs: [{
      resource: {
        attributes: pairs({
          "service.name": "svc",
          "service.version": version,
          "svc.install.id": installId,
          "os.type": os,
          "host.arch": arch,
          "svc.install.mode": installMode,
          "svc.stack": stack,
        }),
      },
      scopeLogs: [{
        scope: { name: "svc.beacon", version },
        logRecords: [{
          timeUnixNano: time,
          observedTimeUnixNano: time,
          severityNumber: 9,
          severityText: "INFO",
          eventName: "svc.session",
          body: encode(fields as unknown as Plain, false),
        }],
      }],
    }],
  };
}

function pairs(
  fields: { readonly [key: string]: Plain },
  asDouble = false,
): OtlpPair[] {
  return Object.entries(fields).map(([key, value]) => ({
    key,
    value: encode(value, asDouble || DOUBLES.has(key)),
  }));
}

/** 64-bit integers are texts in this encoding. */
function encode(value: Plain, asDouble: boolean): OtlpValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") {
    return asDouble ? { doubleValue: value } : { intValue: String(value) };
  }
  return isList(value)
    ? { arrayValue: { values: value.map((item) => encode(item, asDouble)) } }
    : { kvlistValue: { values: pairs(value, asDouble) } };
}

function isList(value: object): value is readonly Plain[] {
  return Array.isArray(value);
}
