import assert from "node:assert/strict";
import { indexLines } from "../../../src/text/lines.ts";
import {
  framesOf,
  LIBRARY_FRAME,
  USER_FRAME,
} from "../../../src/text/signs/frames.ts";
import { assertLinear } from "../../cpu_time.ts";

const USER: readonly string[] = [
  '  File "/app/x.py", line 3, in f',
  "\tat com.acme.Foo.bar(Foo.java:12)",
  "    at fn (/app/src/x.js:1:2)",
  "    at async file:///app/x.ts:1:2",
  "   at Acme.Foo.Bar() in /src/Foo.cs:line 12",
  "\tfrom app/models/x.rb:12:in 'foo'",
  "#0 /app/x.php(12): f()",
  "   3: my_crate::module::func",
  "   3: <my_crate::Job as core::ops::FnOnce>::call_once",
];
const LIBRARY: readonly string[] = [
  '  File "/usr/lib/python3/dist-packages/x.py", line 3, in f',
  "\tat java.base/java.util.List.get(List.java:1)",
  "\tat org.springframework.A.b(A.java:1)",
  "\tat kotlinx.coroutines.A.b(A.kt:1)",
  "    at Module._compile (node:internal/modules:1:2)",
  "    at f (/app/node_modules/a/b.js:1:2)",
  "   at System.String.X()",
  "\tfrom /usr/lib/ruby/gems/x.rb:1:in 'y'",
  "#1 [internal function]: g()",
  "   4: std::panicking::begin_panic",
  "   4: <alloc::boxed::Box<F> as core::ops::FnOnce>::call_once",
  "   4: tokio::runtime::task::poll",
  "\t... 23 more",
];
const NEITHER: readonly string[] = [
  "#12 0.345 Reading package lists",
  "  at the end of it",
  "  3: item of a list",
  "plain",
  "",
];

Deno.test("framesOf tells frames of the user from those of libraries", () => {
  const sorts = (lines: readonly string[]) =>
    lines.map((line) => framesOf(indexLines(line + "\n"))[0]);
  assert.deepEqual(sorts(USER), USER.map(() => USER_FRAME));
  assert.deepEqual(sorts(LIBRARY), LIBRARY.map(() => LIBRARY_FRAME));
  assert.deepEqual(sorts(NEITHER), NEITHER.map(() => 0));
});

Deno.test("framesOf gives both lines of a frame of Go or Rust the same sort", () => {
  const text = [
    "main.load(...)",
    "\t/app/cmd/load.go:12 +0x1d",
    "net/http.(*conn).serve(0xc000)",
    "\t/usr/local/go/src/net/http/server.go:2092 +0x5f",
    "   1: my_crate::f",
    "             at ./src/x.rs:12:5",
    "   2: core::ops::function::FnOnce::call_once",
    "             at ./src/x.rs:13:5",
  ].join("\n");
  assert.deepEqual([...framesOf(indexLines(text))], [1, 1, 2, 2, 1, 1, 2, 2]);
});

Deno.test("framesOf knows the frames of pytest by the source below them", () => {
  const text = [
    "tests/test_sync.py:31: in test_load_all",
    "    sync.load_all(store)",
    "/usr/lib/python3/dist-packages/orm.py:11: in <lambda>",
    "    return fn(*args)",
    "src/store.py:41: in the middle of a list",
    "src/store.py:41: KeyError",
    "    x",
  ].join("\n");
  assert.deepEqual([...framesOf(indexLines(text))], [1, 0, 2, 0, 0, 0, 0]);
});

Deno.test("framesOf takes time in proportion to the text, also on hostile ones", async () => {
  for (
    const piece of [
      "  at ",
      "  1: ",
      "\tx.go:1\n",
      "a.py:1: in x\n ",
      ".py:",
      "#0 a",
      "  at (\n",
    ]
  ) {
    await assertLinear(piece, {
      make: (size) => piece.repeat(size),
      work: (text) => framesOf(indexLines(text)),
      // Lines of shorter texts are remembered.
      sizes: [10_000, 100_000],
    });
  }
});
