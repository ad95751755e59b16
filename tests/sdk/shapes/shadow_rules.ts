/** Rules that every shadow obeys. */
import { jsonPointer, valueAt } from "../../../src/sdk/patch.ts";
import type { MessageShape } from "../../../src/sdk/shape.ts";
import assert from "node:assert/strict";

/** Texts of the shadow by their places in the messages; every slot must stand for a text and for a place that is there. */
export function shadowTexts(
  shape: MessageShape,
  messages: readonly unknown[],
): readonly (readonly [string, string])[] {
  const before = JSON.stringify(messages);
  const shadow = shape.shadow(messages);
  assert(shadow.messages.length >= messages.length);
  assert.equal(JSON.stringify(messages), before);
  return [...shadow.slots!].map(([pointer, { path, value }]) => {
    const steps = pointer.split("/").slice(1).map((step) =>
      /^\d+$/.test(step) ? Number(step) : step
    );
    const text = valueAt(shadow.messages, steps);
    assert(typeof text === "string", `${pointer} is a text`);
    const held = valueAt(messages, path);
    assert.notEqual(held, undefined, `${jsonPointer(path)} is there`);
    if (value === undefined) assert.equal(held, text);
    return [jsonPointer(path), text];
  });
}

/** Messages that come first must have the same shadow, whatever stands behind them. */
export function assertAppendOnly(
  shape: MessageShape,
  messages: readonly unknown[],
): void {
  const whole = shape.shadow(messages).messages.map((m) => JSON.stringify(m));
  for (const end of messages.keys()) {
    const part = shape.shadow(messages.slice(0, end)).messages;
    assert.deepEqual(
      part.map((m) => JSON.stringify(m)),
      whole.slice(0, part.length),
    );
  }
}
