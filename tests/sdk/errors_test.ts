import assert from "node:assert/strict";
import {
  CacheError,
  ConfigurationError,
  mapProxyError,
  ProviderError,
  StorageError,
  SvcAuthError,
  SvcCompressError,
  SvcConnectionError,
  SvcError,
  TokenizationError,
  TransformError,
  ValidationError,
} from "../../src/sdk/errors.ts";

const BY_TYPE = {
  configuration_error: ConfigurationError,
  provider_error: ProviderError,
  storage_error: StorageError,
  tokenization_error: TokenizationError,
  cache_error: CacheError,
  validation_error: ValidationError,
  transform_error: TransformError,
};

Deno.test("mapProxyError makes the class of each slug, for 4xx and 5xx alike, with status and slug in its details", () => {
  for (const [type, Class] of Object.entries(BY_TYPE)) {
    for (const status of [400, 422, 500, 503]) {
      const error = mapProxyError(status, type, "What happened", { a: 1 });
      assert.equal(error.constructor, Class);
      assert.equal(error.name, Class.name);
      assert.equal(error.message, "What happened");
      assert.deepEqual(error.details, {
        a: 1,
        statusCode: status,
        errorType: type,
      });
    }
  }
});

Deno.test("mapProxyError makes an SvcAuthError of every 401, whatever its slug", () => {
  for (const type of ["authentication_error", "storage_error", "unknown"]) {
    const error = mapProxyError(401, type, "No key");
    assert.equal(error.constructor, SvcAuthError);
    assert.equal(error.details.errorType, type);
  }
});

Deno.test("mapProxyError makes an SvcCompressError with status and slug of all others", () => {
  for (const type of ["invalid_request", "unknown", "", "constructor"]) {
    const error = mapProxyError(404, type, "Not there");
    assert(error instanceof SvcCompressError);
    assert.deepEqual([error.statusCode, error.errorType], [404, type]);
  }
});

Deno.test("every error is an SvcError with a name of its own and a map of details", () => {
  const made = [
    new SvcConnectionError("a"),
    new SvcAuthError("a"),
    new SvcCompressError(500, "t", "a"),
    ...Object.values(BY_TYPE).map((Class) => new Class("a")),
  ];
  for (const error of made) {
    assert(error instanceof SvcError && error instanceof Error);
    assert.deepEqual(error.details, {});
    assert.equal(`${error}`, `${error.name}: a`);
  }
  assert.equal(new Set(made.map(({ name }) => name)).size, made.length);
});

Deno.test("an error tells what led to it", () => {
  const cause = new TypeError("refused");
  assert.equal(new SvcConnectionError("a", {}, { cause }).cause, cause);
  assert.equal("cause" in new SvcConnectionError("a"), false);
});
