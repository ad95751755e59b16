/** What is known about a request, in words. @module */
import type { PrefixProof } from "../../core/ledger.ts";
import type { LoggedRequest } from "../../core/ledger_reader.ts";
import {
  ageText,
  cleanText,
  countText,
  manyText,
  moneyText,
  msText,
  nameText,
  ruleText,
  shareText,
  statusText,
  timeText,
} from "../words.ts";
import { factsText } from "../table.ts";

/** Columns of a fact's name. */
const LABEL = 10;
/** Longest JSON Pointer that is shown, in characters. */
const MAX_POINTER = 200;

/**
 * Writes the facts of a request, one per line.
 *
 * @param now Milliseconds since the Unix epoch.
 * @param width Columns of the terminal that a line may have.
 * @returns Lines that end with a line feed each.
 */
export function requestText(
  request: LoggedRequest,
  now: number,
  width: number,
): string {
  const { at, provider, upstream, model, strategies } = request;
  const to = upstream === "" ? "" : `, to ${nameText(upstream)}`;
  const rows = [
    ["received", `${timeText(at)}, ${ageText(now - at)} ago`],
    ["model", `${nameText(model)} (${provider}${to})`],
    ["routed", routedText(request)],
    ["from", fromText(request)],
    ["status", statusText(request)],
    ["tokens", tokensText(request)],
    ["billed", billedText(request)],
    ["cost", costSentence(request)],
    ["saved", savedText(request)],
    ["time", timesText(request)],
    ["rules", strategies.map(ruleText).join(", ") || "none"],
    ["prefix", prefixText(request.prefix)],
    ["retrieved", retrievedText(request)],
  ] as const;
  const fit = { width, indent: "  ", label: LABEL };
  return `Request ${request.id}\n${factsText(rows, fit)}`;
}

function routedText({ routedFrom }: LoggedRequest): string {
  if (routedFrom === undefined) return "";
  return `the client asked for ${
    nameText(routedFrom)
  }; a rule of SVC_MODEL_ROUTES chose this model`;
}

function fromText(
  { project, stack, agent, conversation }: LoggedRequest,
): string {
  return [
    `project ${nameText(project)}`,
    stack && `stack ${nameText(stack)}`,
    agent && `client ${nameText(agent)}`,
    conversation && `conversation ${nameText(conversation)}`,
  ].filter((part) => part !== "").join(", ");
}

function tokensText(
  { tokensBefore, tokensAfter, tokensSaved, status }: LoggedRequest,
): string {
  const share = shareText(Math.abs(tokensSaved), tokensBefore);
  const saved = tokensSaved >= 0
    ? `${countText(tokensSaved)} saved`
    : `${countText(-tokensSaved)} added`;
  const failed = status >= 400 ? "; a failed request saves nothing" : "";
  return `${countText(tokensBefore)} received -> ${
    countText(tokensAfter)
  } sent, by our counter: ${saved} (${share})${failed}`;
}

function billedText(
  { input, cacheRead, cacheWrite, output }: LoggedRequest,
): string {
  const parts = [
    [input, "input"],
    [cacheRead, "read from the provider's cache"],
    [cacheWrite, "written to it"],
    [output, "output"],
  ] as const;
  const known = parts.filter(([count]) => count !== undefined)
    .map(([count, what]) => `${countText(count!)} ${what}`);
  return known.length === 0
    ? "the provider reported no tokens"
    : `${known.join(", ")} tokens, by the provider's count`;
}

function costSentence({ costBasis, nanoUsd }: LoggedRequest): string {
  if (costBasis === undefined) return "none: no model was called";
  const basis = costBasis === "measured"
    ? "measured: from the tokens that the provider reported"
    : "estimated from what was sent: the provider reported no tokens";
  return nanoUsd === undefined
    ? "unknown: the model has no known price"
    : `${moneyText(nanoUsd)}, ${basis}`;
}

function savedText(
  { savedGrossNanoUsd: gross, savedNetNanoUsd: net }: LoggedRequest,
): string {
  if (gross === undefined || net === undefined) return "";
  return `${moneyText(net)} net, at the price of each token (cached or not); ${
    moneyText(gross)
  } at the list price of input`;
}

function timesText({ latencyMs, ttfbMs, overheadMs }: LoggedRequest): string {
  const first = ttfbMs === undefined
    ? ""
    : `, ${msText(ttfbMs)} to the first byte`;
  return `${msText(latencyMs)} in total${first}; the proxy added ${
    msText(overheadMs)
  }`;
}

function retrievedText({ retrievals, furtherRounds }: LoggedRequest): string {
  if (retrievals === 0 && furtherRounds === 0) return "";
  return `${manyText(retrievals, "original")} returned to the model, in ${
    manyText(furtherRounds, "additional round")
  }`;
}

/** Says how the bytes of a request go on from those of the one before. */
export function prefixText(proof: PrefixProof | undefined): string {
  if (proof === undefined) {
    return "not compared: it has no conversation, or was not sent";
  }
  const { verdict, previousBytes, equalBytes, firstDifference } = proof;
  const equal = `${countText(equalBytes)} of the ${
    countText(previousBytes)
  } bytes of the previous prompt were sent again unchanged`;
  const pointer = cleanText(firstDifference.slice(0, MAX_POINTER));
  const place = pointer === "" ? "" : `, first at ${pointer}`;
  switch (verdict) {
    case "first":
      return "first request of its conversation: nothing to compare with";
    case "extended":
      return `kept: all ${
        countText(previousBytes)
      } bytes of the previous prompt were sent again unchanged`;
    case "client":
      return `changed by the client itself${place}: ${equal}`;
    case "decided":
      return `older results were shortened deliberately${place}: ${equal}`;
    case "ours":
      return `BROKEN BY SVC${place}, although the client changed nothing: ${equal}. This must never happen: please report it`;
  }
}
