import assert from "node:assert/strict";
import type { CompressContext } from "../../../src/core/compressor.ts";
import { logKind } from "../../../src/compressors/log/kind.ts";
import { readPlan } from "../../../src/compressors/log/plans.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { unfoldStarts } from "../../../src/engine/line_starts.ts";
import { indexLines } from "../../../src/text/lines.ts";

const CONTEXT: CompressContext = {
  query: "is this plan safe?",
  mayElide: true,
  countTokens: (text) => text.match(/\w+|[^\w\s]/g)?.length ?? 0,
};

/** A resource that is updated in place, as most of the plan. */
function updated(at: number, more: readonly string[] = []): string[] {
  return [
    `  # aws_sg.zone_${at} will be updated in-place`,
    `  ~ resource "aws_sg" "zone_${at}" {`,
    `        id          = "sg-${(at * 7919).toString(16)}ab${at}"`,
    `      ~ description = "managed 1.${at}" -> "managed 1.${at + 1}"`,
    ...more,
    "        # (7 unchanged attributes hidden)",
    "    }",
    "",
  ];
}

/** Forty usual resources with `others` after every tenth. */
function planWith(...others: readonly (readonly string[])[]): string {
  const resources = Array.from({ length: 40 }, (_, at) => [
    ...updated(at),
    ...(at % 10 === 9 ? others[(at - 9) / 10] ?? [] : []),
  ]);
  return [
    "Terraform will perform the following actions:",
    "",
    ...resources.flat(),
    "Plan: 1 to add, 40 to change, 1 to destroy.",
    "",
  ].join("\n");
}

function sentOf(text: string): string {
  const outcome = entryOf(logKind).compressor.compress(text, CONTEXT);
  assert.equal(outcome.type, "elided");
  return outcome.type === "elided" ? unfoldStarts(outcome.text) : "";
}

/** Whether each line is sent, in this order. */
function assertSent(sent: string, wanted: readonly string[]): void {
  let at = 0;
  for (const line of wanted) {
    const found = sent.indexOf(line, at);
    assert.ok(found >= 0, `${line}\nis missing in\n${sent}`);
    at = found + line.length;
  }
}

Deno.test("logKind keeps the changes of a plan that few resources share, with the lines above them", () => {
  const sent = sentOf(planWith(
    updated(90, [
      "      ~ ingress = [",
      '          + cidr_blocks = ["0.0.0.0/0"]',
      "          + from_port   = 22",
      "        ]",
    ]),
    updated(91, ["      ~ deletion_protection = true -> false"]),
  ));
  assertSent(sent, [
    '~ description = "managed 1.0" -> "managed 1.1"',
    "# aws_sg.zone_90 will be updated in-place",
    "~ ingress = [",
    '+ cidr_blocks = ["0.0.0.0/0"]',
    "+ from_port   = 22",
    "# aws_sg.zone_91 will be updated in-place",
    "~ deletion_protection = true -> false",
    "Plan: 1 to add",
  ]);
});

Deno.test("logKind keeps a value of a plan that differs where others share theirs", () => {
  const sized = (at: number, size: string) =>
    updated(at, [`      ~ capacity = 4 -> ${size}`]);
  const usual = Array.from({ length: 20 }, (_, at) => sized(at, "6"));
  const text = [
    ...usual.flat(),
    ...sized(77, "0"),
    ...usual.flat(),
    "Plan: 0 to add, 41 to change, 0 to destroy.",
  ].join("\n");
  assertSent(sentOf(text), ["zone_77 will be", "~ capacity = 4 -> 0"]);
});

Deno.test("logKind keeps what is replaced or destroyed in a plan, with the cause", () => {
  const sent = sentOf(planWith([
    "  # aws_db.main must be replaced",
    '-/+ resource "aws_db" "main" {',
    '      ~ id      = "db-1" -> (known after apply)',
    '      ~ version = "15.4" -> "16.2"',
    "      ~ sealed  = false -> true # forces replacement",
    "    }",
    "",
  ], [
    "  # aws_db.old will be destroyed",
    "  # (because aws_db.old is not in configuration)",
    '  - resource "aws_db" "old" {',
    '      - id = "db-0" -> null',
    "    }",
    "",
  ]));
  assertSent(sent, [
    "# aws_db.main must be replaced",
    '~ version = "15.4" -> "16.2"',
    "~ sealed  = false -> true # forces replacement",
    "# aws_db.old will be destroyed",
    "# (because aws_db.old is not in configuration)",
  ]);
});

Deno.test("logKind names every resource of a plan that it leaves out, and counts them", () => {
  const sent = sentOf(planWith());
  for (let at = 1; at < 40; at++) {
    assert.ok(new RegExp(`\\.zone_${at}\\b`).test(sent), `zone_${at}`);
  }
  const counts = [...sent.matchAll(/(\d+) updated in-place, ~ description: /g)];
  const kept = sent.match(/# aws_sg\S+ will be/g)?.length ?? 0;
  const told = counts.reduce((sum, [, count]) => sum + Number(count), 0);
  assert.equal(told + kept, 40);
});

Deno.test("readPlan lets a bounded number of changes stay, however rare each is", () => {
  const lines = Array.from(
    { length: 900 },
    (_, at) => updated(at, [`      ~ key_${"abc"[at % 3]}${at} = 1 -> 2`]),
  ).flat();
  const plan = readPlan(indexLines(lines.join("\n")));
  assert.ok(plan !== undefined);
  assert.ok(plan.stays.length < 500);
  assert.ok(plan.wanted.length > 1000);
});

Deno.test("readPlan reads no plan where comments only speak of one", () => {
  const text = "# this will be used later\n".repeat(9);
  assert.equal(readPlan(indexLines(text))?.stays.length ?? 0, 0);
});
