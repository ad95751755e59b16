/** Conversations with all that makes a bill hard to foresee: failures, clients that leave, pauses, retrievals. */
import type { Talk } from "./billing_talk.ts";
import { SIMULATED_CLIENTS } from "./simulated_client.ts";

const [messages, chat, responses] = SIMULATED_CLIENTS;
const MINUTE_MS = 60_000;

/** Some of each format and way to answer. */
export const TALKS: readonly Talk[] = [
  {
    name: "m1",
    client: messages!,
    streaming: true,
    life: "5m",
    turns: 12,
    incidents: {
      2: { status: 500 },
      4: { leaves: true },
      7: { pauseMs: 4 * MINUTE_MS },
      9: { pauseMs: 6 * MINUTE_MS },
    },
  },
  {
    name: "m2",
    client: messages!,
    streaming: false,
    life: "1h",
    turns: 11,
    incidents: {
      3: { status: 429 },
      6: { pauseMs: 30 * MINUTE_MS },
      8: { pauseMs: 70 * MINUTE_MS },
    },
  },
  {
    name: "c1",
    client: chat!,
    streaming: true,
    life: "5m",
    turns: 12,
    incidents: {
      1: { status: 429 },
      3: { leaves: true },
      8: { pauseMs: 6 * MINUTE_MS },
    },
  },
  {
    name: "c2",
    client: chat!,
    streaming: false,
    life: "5m",
    turns: 11,
    incidents: { 5: { status: 500 }, 9: { pauseMs: 4 * MINUTE_MS } },
  },
  {
    name: "r1",
    client: responses!,
    streaming: true,
    life: "5m",
    turns: 11,
    incidents: {
      2: { status: 500 },
      5: { pauseMs: 4 * MINUTE_MS },
      8: { pauseMs: 6 * MINUTE_MS },
    },
  },
];
