import assert from "node:assert/strict";
import { leadLength } from "../../../src/compressors/paths/leads.ts";
import { indexLines } from "../../../src/text/lines.ts";

const lead = (line: string) => leadLength(indexLines(line), 0, line.length);

Deno.test("leadLength finds what git writes before a changed path", () => {
  for (
    const start of [
      "\tmodified:   ",
      "\tnew file:   ",
      "\tdeleted:    ",
      "\tboth modified:   ",
      "\tdeleted by them: ",
      " M ",
      "MM ",
      "A  ",
      "UU ",
      "M\t",
      "D\t",
    ]
  ) {
    assert.deepEqual(lead(`${start}src/a.ts`), {
      length: start.length,
      isChange: true,
    }, JSON.stringify(start));
  }
});

Deno.test("leadLength tells untracked and ignored paths from changed ones", () => {
  for (const start of ["?? ", "!! ", "\t"]) {
    assert.deepEqual(lead(`${start}src/a.ts`), {
      length: start.length,
      isChange: false,
    });
  }
});

Deno.test("leadLength finds nothing before a plain path", () => {
  for (const line of ["src/a.ts", "M", "MAKE", "   a", "A b", "M R"]) {
    assert.equal(lead(line).length, 0, line);
  }
});
