import assert from "node:assert/strict";
import { sectionIn, withSection } from "./section.ts";

Deno.test("withSection appends the section, then replaces only it", () => {
  const first = withSection("# Title\n", "one $& two");
  assert.equal(
    first,
    "# Title\n\n<!-- quality -->\n\none $& two\n\n<!-- /quality -->\n",
  );
  const second = withSection(`${first}\nafter\n`, "three");
  assert.equal(
    second,
    "# Title\n\n<!-- quality -->\n\nthree\n\n<!-- /quality -->\n\nafter\n",
  );
});

Deno.test("sectionIn gives the section with its lines, or nothing", () => {
  assert.equal(sectionIn("# Title\n"), "");
  assert.equal(
    sectionIn("a\n<!-- quality -->\nb\n<!-- /quality -->\nc\n"),
    "<!-- quality -->\nb\n<!-- /quality -->",
  );
});
