/** Stack traces with frames of the user's own code between those of libraries. @module */

/** A trace as a program prints it. */
export interface Trace {
  /** Language. */
  readonly name: string;
  /** The trace. */
  readonly lines: readonly string[];
  /** What must be inline: the message and the place of each frame of the user's. */
  readonly telling: readonly string[];
}

const python: Trace = {
  name: "Python",
  lines: [
    "Traceback (most recent call last):",
    '  File "/usr/lib/python3.11/site-packages/flask/app.py", line 2213, in wsgi_app',
    "    response = self.full_dispatch_request()",
    '  File "/usr/lib/python3.11/site-packages/flask/app.py", line 1486, in dispatch_request',
    "    return self.ensure_sync(self.view_functions[rule.endpoint])(**view_args)",
    '  File "/home/dev/shop/api/basket.py", line 87, in add_item',
    "    price = price_of(item, session)",
    '  File "/home/dev/shop/pricing/lookup.py", line 31, in price_of',
    "    return session.execute(query).one()",
    '  File "/usr/lib/python3.11/site-packages/sqlalchemy/orm/session.py", line 2351, in execute',
    "    return self._execute_internal(statement)",
    '  File "/usr/lib/python3.11/site-packages/sqlalchemy/engine/result.py", line 1820, in one',
    "    return self._only_one_row(raise_for_second_row=True)",
    "sqlalchemy.exc.NoResultFound: No row was found for item quince-77",
  ],
  telling: [
    "No row was found for item quince-77",
    'basket.py", line 87',
    'lookup.py", line 31',
  ],
};

const node: Trace = {
  name: "Node",
  lines: [
    "TypeError: Cannot read properties of undefined (reading 'quinceRate')",
    "    at rateOf (/home/dev/shop/src/rates.js:41:23)",
    "    at Array.map (<anonymous>)",
    "    at quote (/home/dev/shop/src/quote.js:118:9)",
    "    at Layer.handle [as handle_request] (/home/dev/shop/node_modules/express/lib/router/layer.js:95:5)",
    "    at next (/home/dev/shop/node_modules/express/lib/router/route.js:149:13)",
    "    at Route.dispatch (/home/dev/shop/node_modules/express/lib/router/route.js:119:3)",
    "    at Layer.handle [as handle_request] (/home/dev/shop/node_modules/express/lib/router/layer.js:95:5)",
    "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
    "    at async serve (/home/dev/shop/src/server.js:27:3)",
  ],
  telling: [
    "(reading 'quinceRate')",
    "rates.js:41",
    "quote.js:118",
    "server.js:27",
  ],
};

const java: Trace = {
  name: "Java",
  lines: [
    "com.example.shop.PriceException: No price for quince-77",
    "\tat com.example.shop.PriceList.find(PriceList.java:64)",
    "\tat com.example.shop.Basket.add(Basket.java:112)",
    "\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1596)",
    "\tat org.springframework.web.servlet.FrameworkServlet.service(FrameworkServlet.java:885)",
    "\tat org.springframework.web.servlet.DispatcherServlet.doDispatch(DispatcherServlet.java:1089)",
    "\tat org.apache.catalina.core.ApplicationFilterChain.doFilter(ApplicationFilterChain.java:174)",
    "\tat org.apache.tomcat.util.net.NioEndpoint$SocketProcessor.doRun(NioEndpoint.java:1741)",
    "\tat java.base/java.lang.Thread.run(Thread.java:1583)",
    "Caused by: java.sql.SQLTimeoutException: statement 4417 cancelled",
    "\tat org.postgresql.jdbc.PgStatement.executeInternal(PgStatement.java:520)",
    "\tat com.example.shop.PriceTable.read(PriceTable.java:37)",
    "\t... 9 more",
  ],
  telling: [
    "No price for quince-77",
    "PriceList.java:64",
    "Basket.java:112",
    "statement 4417 cancelled",
    "PriceTable.java:37",
  ],
};

const go: Trace = {
  name: "Go",
  lines: [
    "panic: runtime error: index out of range [77] with length 3",
    "",
    "goroutine 118 [running]:",
    "runtime.gopanic({0x7c3a20, 0xc000012345})",
    "\t/usr/local/go/src/runtime/panic.go:770 +0x132",
    "example.com/shop/pricing.(*List).At(...)",
    "\t/home/dev/shop/pricing/list.go:52",
    "example.com/shop/api.(*Server).quote(0xc0000a2000, {0x8a1b40, 0xc0001c2000}, 0xc0001b8000)",
    "\t/home/dev/shop/api/quote.go:91 +0x1d4",
    "net/http.HandlerFunc.ServeHTTP(0xc0000b6000?, {0x8a1b40?, 0xc0001c2000?}, 0x0?)",
    "\t/usr/local/go/src/net/http/server.go:2166 +0x29",
    "net/http.(*ServeMux).ServeHTTP(0x0?, {0x8a1b40, 0xc0001c2000}, 0xc0001b8000)",
    "\t/usr/local/go/src/net/http/server.go:2683 +0x1ad",
    "net/http.(*conn).serve(0xc0000c4000, {0x8a2f58, 0xc0000b4000})",
    "\t/usr/local/go/src/net/http/server.go:2039 +0x5e8",
    "created by net/http.(*Server).Serve in goroutine 1",
    "\t/usr/local/go/src/net/http/server.go:3285 +0x4b4",
    "exit status 2",
  ],
  telling: [
    "index out of range [77] with length 3",
    "pricing/list.go:52",
    "api/quote.go:91",
  ],
};

const rust: Trace = {
  name: "Rust",
  lines: [
    "thread 'worker-7' panicked at src/price.rs:58:30:",
    "called `Option::unwrap()` on a `None` value: quince-77",
    "stack backtrace:",
    "   0: rust_begin_unwind",
    "             at /rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/std/src/panicking.rs:665:5",
    "   1: core::panicking::panic_fmt",
    "             at /rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/core/src/panicking.rs:76:14",
    "   2: core::option::unwrap_failed",
    "             at /rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/core/src/option.rs:1976:5",
    "   3: shop::price::of",
    "             at ./src/price.rs:58:30",
    "   4: shop::basket::Basket::total",
    "             at ./src/basket.rs:133:17",
    "   5: shop::serve::{{closure}}",
    "             at ./src/serve.rs:29:9",
    "   6: core::ops::function::FnOnce::call_once",
    "             at /rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/core/src/ops/function.rs:250:5",
    "note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.",
  ],
  telling: [
    "value: quince-77",
    "src/price.rs:58",
    "src/basket.rs:133",
    "src/serve.rs:29",
  ],
};

/** A trace of each language. */
export const TRACES: readonly Trace[] = [python, node, java, go, rust];
