import assert from "node:assert/strict";
import {
  isBadgeAddress,
  isLicence,
  isLooseText,
  isPleasantry,
  mayBeEmpty,
} from "../../../src/compressors/prose/clutter.ts";

Deno.test("isLooseText is true for badges, a comment and tags without text only", () => {
  for (
    const line of [
      "[![a](https://img.shields.io/x.svg)](https://x) ![b](https://y/badge.svg)",
      "<!-- prettier-ignore -->",
      '<div align="center">',
    ]
  ) assert.ok(isLooseText(line), line);
  for (
    const line of [
      "![a diagram](docs/flow.png)",
      "<b>important</b>",
      '<a id="here"></a>',
      "[a link](https://x)",
      "<!-- a --> text",
    ]
  ) assert.ok(!isLooseText(line), line);
});

Deno.test("isBadgeAddress knows the services", () => {
  assert.ok(isBadgeAddress("https://img.shields.io/npm/v/x.svg"));
  assert.ok(!isBadgeAddress("https://example.com/guide"));
});

Deno.test("isPleasantry knows how one begins, and mayBeEmpty lets each of them through", () => {
  for (
    const sentence of [
      "In this section we will look at pools.",
      "Let's take a look!",
      "I hope this helps!",
      "Thanks for the report.",
      "Please feel free to ask.",
      "Sure! Here it is.",
      "As mentioned above, it is small.",
      "The format is based on Keep a Changelog.",
      "All notable changes to this project are listed.",
      "Copyright (c) 2026 Acme. All rights reserved.",
    ]
  ) {
    assert.ok(isPleasantry(sentence), sentence);
    assert.ok(mayBeEmpty(sentence), sentence);
  }
  for (const sentence of ["In this mode nothing is written.", "Thankless."]) {
    assert.ok(!isPleasantry(sentence), sentence);
  }
});

Deno.test("isLicence knows the usual texts", () => {
  assert.ok(isLicence("Permission is hereby granted, free of charge, to any"));
  assert.ok(isLicence('THE SOFTWARE IS PROVIDED "AS IS", WITHOUT'));
  assert.ok(!isLicence("Permission is needed to enter."));
});
