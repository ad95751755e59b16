import assert from "node:assert/strict";
import fc from "fast-check";
import { SIGNATURES } from "../../../src/compressors/prose/references.ts";

const [foldSignatures, unfoldSignatures] = SIGNATURES;

/** A method as a generator of references writes it. */
function method(
  parameters: readonly (readonly [name: string, type: string, said?: string])[],
  result: string,
  said = "",
): string {
  const names = parameters.map(([name]) => `\`${name}\``).join(", ");
  const listed = parameters.map(([name, type, what]) =>
    `###### ${name}\n\n${type}\n\n${what === undefined ? "" : `${what}\n\n`}`
  );
  return `##### run()\n\n> **run**(${names}): ${result}\n\nRuns it.\n\n` +
    (parameters.length > 0 ? `###### Parameters\n\n${listed.join("")}` : "") +
    `###### Returns\n\n${result}${said === "" ? "" : `\n\n${said}`}\n\n`;
}

Deno.test("SIGNATURES moves types into the signature and drops that of the result", () => {
  const text = method(
    [["key", "[`Key`](#key)"], ["now?", "`number`"]],
    "`void`",
  );
  const form = foldSignatures(`${text}***\n`);
  assert.equal(
    form,
    "##### run()\n\n> **run**(`key`: [`Key`](#key), `now?`: `number`): `void`\n\n" +
      "Runs it.\n\n***\n",
  );
  assert.equal(unfoldSignatures(form), `${text}***\n`);
});

Deno.test("SIGNATURES keeps what is said of parameters and results", () => {
  const text = method(
    [["key", "`string`"], ["now", "`number`", "Milliseconds."]],
    "`string`\\[\\]",
    "The rows.",
  );
  const form = foldSignatures(text);
  assert.equal(
    form,
    "##### run()\n\n> **run**(`key`: `string`, `now`: `number`): `string`\\[\\]\n\n" +
      "Runs it.\n\n###### Parameters\n\n###### now\n\nMilliseconds.\n\n" +
      "###### Returns\n\nThe rows.\n\n",
  );
  assert.equal(unfoldSignatures(form), text);
});

Deno.test("SIGNATURES keeps sections that say something else than the signature", () => {
  const other = method([["key", "`string`"]], "`void`").replaceAll(
    "Returns\n\n`void`",
    "Returns\n\n`number`",
  );
  assert.equal(foldSignatures(other), other);
  const unknown = method([["key", "`string`"]], "`void`").replace(
    "###### key",
    "###### word",
  );
  assert.equal(foldSignatures(unknown), unknown);
});

Deno.test("SIGNATURES restores what it changed, whatever the order of paragraphs", () => {
  const paragraph = fc.constantFrom(
    "##### run()",
    "> **run**(`a`): `void`",
    "> **run**(): `void`",
    "> **run**(`a`, `b`): `A`",
    "###### Parameters",
    "###### a",
    "###### b",
    "`void`",
    "`A`",
    "###### Returns",
    "###### Throws",
    "Said.",
    "***",
  );
  fc.assert(
    fc.property(fc.array(paragraph, { maxLength: 24 }), (paragraphs) => {
      const text = paragraphs.join("\n\n");
      const form = foldSignatures(text);
      // A text with typed signatures of its own is not folded by the caller.
      if (unfoldSignatures(text) === text) {
        assert.equal(unfoldSignatures(form), text);
      }
    }),
    { numRuns: 2000 },
  );
});
