import assert from "node:assert/strict";
import {
  hasFileName,
  isBulk,
  isNotable,
} from "../../../src/compressors/paths/file_names.ts";

Deno.test("hasFileName knows names that only files have", () => {
  for (const path of ["a.ts", "x/Y.PNG", "Makefile", "d/.env", "LICENSE"]) {
    assert.ok(hasFileName(path), path);
  }
  for (const path of ["numpy", "zope.interface", "www.example.com", "v1.2.3"]) {
    assert.ok(!hasFileName(path), path);
  }
});

Deno.test("isNotable knows manifests, locks, settings and documents", () => {
  for (
    const name of [
      "README.md",
      "Dockerfile.dev",
      "package.json",
      "go.mod",
      "Cargo.lock",
      "pnpm-lock.yaml",
      "vite.config.ts",
      ".gitignore",
      "a.ts.orig",
    ]
  ) assert.ok(isNotable(name), name);
  for (const name of ["go.vim", "package.ts", "cart.ts", "lockers.md"]) {
    assert.ok(!isNotable(name), name);
  }
});

Deno.test("isBulk knows directories that nobody wrote by hand", () => {
  assert.ok(isBulk("node_modules"));
  assert.ok(!isBulk("src"));
});
