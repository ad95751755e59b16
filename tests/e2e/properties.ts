/** Properties of whole worlds: each is tried with conversations of every format, under several seeds. */
import assert from "node:assert/strict";
import type { TextValues } from "../../src/settings/row.ts";
import { Random } from "./random.ts";
import { SIMULATED_CLIENTS } from "./simulated_client.ts";
import { type Habits, simulatedModel } from "./simulated_model.ts";
import {
  assertAppendOnly,
  begin,
  type Checked,
  conversationIn,
  type Talk,
} from "./simulation.ts";
import { withWorld, type World } from "./world.ts";

/** A failure names its seed; more of them search further. */
const SEEDS = [1, 2, 3];

/** One world of a property. */
export interface Scene {
  readonly world: World;
  /** Of this scene. */
  readonly seed: number;
  /** Decides what befalls the world. */
  readonly random: Random;
  /** `perFormat` new conversations of each format. */
  readonly talks: readonly Talk[];
}

/** What holds of such worlds. */
export interface Property {
  readonly habits: Habits;
  /** Conversations of each format; 1 when not given. */
  readonly perFormat?: number;
  /** Proxies on the same files; 1 when not given. */
  readonly proxies?: number;
  /** Settings of the proxies, as they are when those are started. */
  readonly env?: TextValues;
  /** Whether only the test moves the time of the proxies. */
  readonly isTimed?: boolean;
  readonly test: (scene: Scene) => Promise<void>;
}

/** Registers one test per seed. `id` is the first word of every message. */
export function property(id: string, holds: string, property: Property): void {
  const { habits, perFormat = 1, proxies = 1, env = {} } = property;
  const { isTimed = false, test } = property;
  for (const seed of SEEDS) {
    Deno.test(`${holds} (${id}, seed ${seed})`, () =>
      withWorld(
        { model: simulatedModel(habits), proxies, env, isTimed },
        (world) => {
          const name = `${id} seed ${seed}`;
          const talks = SIMULATED_CLIENTS.flatMap((client) =>
            Array.from(
              { length: perFormat },
              (_, i) => begin(client, `${name} ${client.format.id} ${i}`),
            )
          );
          return test({ world, seed, random: new Random(name), talks });
        },
      ));
  }
}

/** Checks each conversation; something was elided in some, or the property would say nothing. */
export async function assertAllAppendOnly(
  world: World,
  talks: readonly Talk[],
): Promise<Checked> {
  const sum = { markers: 0, continued: 0 };
  for (const talk of talks) {
    const { markers, continued } = await assertAppendOnly(world, talk);
    sum.markers += markers;
    sum.continued += continued;
  }
  assert(sum.markers > 0, `${talks[0]!.name}: nothing was elided`);
  return sum;
}

/** Takes each conversation some turns further, all at the same time. */
export async function grow(
  talks: readonly Talk[],
  turns: number,
  turn: (talk: Talk) => Promise<Talk>,
): Promise<readonly Talk[]> {
  const grown = talks.map(async (talk) => {
    for (let n = 0; n < turns; n++) talk = await turn(talk);
    return talk;
  });
  // One that fails must not end the world of the others.
  await Promise.allSettled(grown);
  return await Promise.all(grown);
}

/** Goes on under another session header, as late as the past is the same there. */
export function forked(pasts: readonly Talk[]): Talk {
  const headers = { "x-svc-session-id": "fork" };
  const shared = pasts.findLast(isShared);
  return { ...shared ?? { ...pasts[0]!, requests: [] }, headers };
}

/** Only a form tells another session that the tool is declared. */
function isShared(talk: Talk): boolean {
  return conversationIn(talk.requests.at(-1)!.rounds.at(-1)!, talk)
    .includes("Retrieve more: hash=");
}
