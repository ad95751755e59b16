import assert from "node:assert/strict";
import { openRouter } from "../../src/compute/open_router.ts";
import { loadCorpus, type LoadedItem } from "./corpus.ts";
import { inlineShare, isCompressed } from "./needle_report.ts";
import {
  findNeedle,
  type Found,
  harmlessNeedles,
  NEEDLE_KINDS,
  type Origin,
  type Planted,
  plantedNeedles,
  sample,
  sampledNeedles,
  sent,
} from "./needles.ts";

/** Percent of the needles in compressed texts that must be inline. */
type Floors = Readonly<
  Record<string, Partial<Record<Planted["sort"], Shares>>>
>;
type Shares = Readonly<Partial<Record<Origin, number>>>;

/**
 * What is not here must be 100. Numbers only rise; `deno task quality -- --needles --floors` prints what could be here.
 */
const FLOORS: Floors = {
  "build_log": {
    "failing": {
      "held out": 98,
    },
    "rare": {
      "held out": 98,
    },
    "alike": {
      "held out": 98,
    },
  },
  "grep": {
    "rare": {
      "held out": 98,
    },
  },
  "json": {
    "rare": {
      "held out": 98,
    },
    "extreme": {
      "held out": 98,
    },
  },
  "service_log": {
    "rare": {
      "held out": 98,
    },
    "extreme": {
      "held out": 93,
    },
  },
  "table": {
    "failing": {
      "held out": 96,
    },
    "rare": {
      "held out": 96,
    },
  },
};

/** Most of the harmless lines that are written out, in points of percent above the others of their shape. */
const HARMLESS_POINTS = 15;

const router = await openRouter();
const items = await loadCorpus(new URL("../corpus/", import.meta.url));
const chosen = sampledNeedles(items);

for (const kind of NEEDLE_KINDS) {
  Deno.test(`makeRouter sends the needles in texts of kind ${kind}`, async () => {
    const found: Found[] = [];
    for (const planted of chosen.filter(({ item }) => item.kind === kind)) {
      found.push(await findNeedle(router, planted));
    }
    const groups = Map.groupBy(
      found,
      ({ planted: { sort, origin } }) => `${sort}, ${origin}`,
    );
    const findings = [...groups.values()].flatMap(floorFinding);
    assert.deepEqual(findings, []);
  });
}

/** What is wrong with the share of one group of needles. */
function floorFinding(group: readonly Found[]): string[] {
  const { item, sort, origin } = group[0]!.planted;
  const floor = FLOORS[item.kind]?.[sort]?.[origin] ?? 100;
  const share = inlineShare(group) ?? 100;
  const name = `${item.kind}, ${sort}, ${origin}`;
  if (share >= floor) return [];
  const missed = group.filter((each) => isCompressed(each) && !each.isInline)
    .map(({ planted }) => `${planted.item.file}: ${planted.variant}`);
  const names = origin === "held out" ? [] : missed;
  return [
    [`${name}: ${share.toFixed(1)} % inline, less than ${floor}`, ...names]
      .join("\n  "),
  ];
}

Deno.test("makeRouter does not write out lines that only sound like failures", async () => {
  const texts = sample(harmlessNeedles(items), {
    most: 6,
    groupOf: ({ variant }) => variant,
    nameOf: ({ item }) => item.file,
  });
  const counts = { sounding: 0, soundingAll: 0, others: 0, othersAll: 0 };
  for (const { item, sounding, others } of texts) {
    const { fate, form } = await sent(router, item);
    if (fate !== "elided") continue;
    const inline = (tags: readonly string[]) =>
      tags.filter((tag) => form.includes(tag)).length;
    counts.sounding += inline(sounding);
    counts.soundingAll += sounding.length;
    counts.others += inline(others);
    counts.othersAll += others.length;
  }
  const points = 100 * counts.sounding / counts.soundingAll -
    100 * counts.others / counts.othersAll;
  assert.ok(
    points <= HARMLESS_POINTS,
    `${points.toFixed(1)} points of percent more than of other lines`,
  );
});

const log: LoadedItem = {
  file: "service_log/x.txt",
  kind: "service_log",
  tool: "Bash",
  args: { command: "cat x.log" },
  query: "why?",
  heldOut: false,
  facts: [],
  text: Array.from(
    { length: 40 },
    (_, i) => `2026-03-01T08:00:${10 + i}Z INFO sync of pod web-${i} done`,
  ).join("\n"),
};

Deno.test("plantedNeedles finds each needle in its own text and none in another", () => {
  for (const { item, variant, isInline } of plantedNeedles([log])) {
    assert.ok(isInline(item.text), `${item.file}: ${variant}`);
    assert.ok(!isInline(log.text), `${item.file}: ${variant}`);
  }
});
