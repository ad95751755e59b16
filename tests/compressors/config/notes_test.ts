import assert from "node:assert/strict";
import {
  commentAbout,
  isLarge,
  namesOf,
  valuesOf,
} from "../../../src/compressors/config/notes.ts";
import {
  childrenOf,
  treeOf,
} from "../../../src/compressors/config/siblings.ts";
import { viewConfig } from "../../../src/compressors/config/view.ts";

function namesIn(text: string, parent?: number): string {
  const view = viewConfig(text);
  const tree = treeOf(view);
  return namesOf(view, tree, [
    ...childrenOf(tree, parent ?? view.kinds.length),
  ]);
}

Deno.test("namesOf lists items by their naming key, keys by themselves, sections", () => {
  assert.equal(
    namesIn("- a: 1\n  name: x\n- a: 2\n  name: y"),
    "2 items: x, y",
  );
  assert.equal(
    namesIn("- kind: Pod\n  metadata:\n    name: web-1"),
    "1 item: web-1",
  );
  assert.equal(namesIn("- one\n- two"), "2 items: one, two");
  assert.equal(namesIn("a: 1\nb: 2"), "2 keys: a, b");
  assert.equal(namesIn("[x]\na=1\n[y]\na=1"), "2 sections: [x], [y]");
});

Deno.test("namesOf tells a key with the few keys that lead on", () => {
  assert.equal(
    namesIn("paths:\n  /a:\n    get:\n      x: 1\n    post:\n      x: 2", 0),
    "1 key: /a get post",
  );
});

Deno.test("namesOf says how many names there is no room for", () => {
  const many = Array.from({ length: 300 }, (_, i) => `- name: item-${i}`);
  assert.match(
    namesIn(many.join("\n")),
    /^300 items: item-0, .* and \d+ more$/,
  );
  const keys = Array.from(
    { length: 300 },
    (_, i) => `net.ipv${i % 2}.key-${i}=1`,
  );
  assert.equal(
    namesIn(keys.join("\n")),
    "300 keys: net.ipv0.* 150, net.ipv1.* 150",
  );
});

Deno.test("valuesOf tells the name and the main values of a large entry", () => {
  const pod = (name: string, node: string) =>
    `- kind: Pod\n  name: ${name}\n  nodeName: ${node}\n  image: web:1\n` +
    Array.from({ length: 12 }, (_, i) => `  key${i}: 1`).join("\n");
  const view = viewConfig(`${pod("web-1", "n1")}\n${pod("web-2", "n2")}`);
  const tree = treeOf(view);
  assert.ok(isLarge(view, tree, 16));
  assert.equal(valuesOf(view, tree, 16), "web-2: nodeName n2, image web:1");
});

Deno.test("isLarge is false for a small entry and for a key without main values", () => {
  const view = viewConfig("- name: a\n- name: b");
  assert.ok(!isLarge(view, treeOf(view), 0));
  const keys = viewConfig(
    "a:\n" + Array.from({ length: 20 }, (_, i) => `  key${i}: 1`).join("\n"),
  );
  assert.ok(!isLarge(keys, treeOf(keys), 0));
});

Deno.test("commentAbout names the settings that a comment switches off", () => {
  const view = viewConfig("# Why\n#port = 5432\n#ssl=off\n# if a == b\n");
  assert.equal(commentAbout(view, 0, 4), "comment: switched off port, ssl");
  assert.equal(commentAbout(view, 0, 1), "comment");
});
