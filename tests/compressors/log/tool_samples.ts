/** Short outputs of builders, linters, test runners and other tools, as they print them. @module */

/** Outputs by tool; none has a time before each line. */
export const TOOL_OUTPUTS: Readonly<Record<string, string>> = {
  npmHttp:
    `npm http fetch GET 200 https://registry.example/left-pad 12ms (cache hit)
npm http fetch GET 404 https://registry.example/right-pod 40ms
npm error code E404
npm error 404 Not Found - GET https://registry.example/right-pod
npm error A complete log of this run can be found in: /home/dev/.npm/_logs/x.log`,
  pnpm: `Lockfile is up to date, resolution step is skipped
Progress: resolved 1, reused 0, downloaded 0, added 0
Packages: +213
+++++++++++++++++++++++++++++++++++++++++++
Progress: resolved 213, reused 213, downloaded 0, added 213, done
node_modules/esbuild postinstall$ node install.js
node_modules/esbuild postinstall: Done

dependencies:
+ express 4.18.2
+ zod 3.22.4

Done in 2.3s`,
  yarnBerry: `➤ YN0000: ┌ Resolution step
➤ YN0000: └ Completed in 0s 215ms
➤ YN0000: ┌ Fetch step
➤ YN0013: │ lodash@npm:4.17.21 can't be found in the cache and will be fetched
➤ YN0000: └ Completed
➤ YN0000: Done with warnings in 1s 20ms`,
  yarnClassic: `yarn install v1.22.19
[1/4] Resolving packages...
[2/4] Fetching packages...
[3/4] Linking dependencies...
warning " > eslint-plugin@1.0.0" has unmet peer dependency "eslint@8".
[4/4] Building fresh packages...
Done in 4.12s.`,
  pip: `Collecting requests==2.31.0
  Using cached requests-2.31.0-py3-none-any.whl (62 kB)
Collecting idna<4,>=2.5
  Downloading idna-3.6-py3-none-any.whl (61 kB)
Installing collected packages: idna, requests
  Attempting uninstall: requests
    Found existing installation: requests 2.28.0
    Uninstalling requests-2.28.0:
      Successfully uninstalled requests-2.28.0
Successfully installed idna-3.6 requests-2.31.0`,
  uv: `Using CPython 3.12.3
Creating virtual environment at: .venv
Resolved 12 packages in 214ms
Prepared 3 packages in 120ms
Installed 3 packages in 12ms
 + certifi==2024.2.2
 + idna==3.6
 - requests==2.28.0
 + requests==2.31.0`,
  cargo: `   Compiling serde v1.0.197
   Compiling ledger v0.1.0 (/home/dev/ledger)
error[E0308]: mismatched types
  --> src/main.rs:12:20
   |
12 |     let x: u32 = "a";
   |            ---   ^^^ expected \`u32\`, found \`&str\`
   |            |
   |            expected due to this

error: could not compile \`ledger\` (bin "ledger") due to 1 previous error`,
  gradle: `> Task :app:compileJava UP-TO-DATE
> Task :app:processResources NO-SOURCE
> Task :app:test

com.example.CartTest > addsAnItem PASSED

com.example.CartTest > refusesNegative FAILED
    java.lang.AssertionError at CartTest.java:41

2 tests completed, 1 failed

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':app:test'.

BUILD FAILED in 3s
4 actionable tasks: 2 executed, 2 up-to-date`,
  maven: `[INFO] Scanning for projects...
[INFO] --- compiler:3.11.0:compile (default-compile) @ cart ---
[ERROR] COMPILATION ERROR :
[ERROR] /src/main/java/Cart.java:[12,9] cannot find symbol
[INFO] BUILD FAILURE
[INFO] Total time:  1.204 s`,
  bazel: `Loading: 0 packages loaded
Analyzing: target //app:server (12 packages loaded, 40 targets configured)
INFO: Analyzed target //app:server (40 packages loaded, 412 targets configured).
[12 / 120] Compiling app/server.cc; 1s linux-sandbox
[118 / 120] Linking app/server; 0s linux-sandbox
Target //app:server up-to-date:
  bazel-bin/app/server
INFO: Elapsed time: 12.4s, Critical Path: 8.2s
//app:server_test                                                PASSED in 0.4s
//app:wire_test                                                  FAILED in 1.2s
Executed 2 out of 2 tests: 1 test passes and 1 fails locally.`,
  make: `make[1]: Entering directory '/home/dev/ring'
gcc -O2 -Wall -c ring.c -o ring.o
  CC      lib/alloc.o
  LD      lib/built-in.o
ring.c: In function 'ring_push':
ring.c:41:9: error: 'head' undeclared (first use in this function)
make[1]: *** [Makefile:12: ring.o] Error 1
make: *** [Makefile:4: all] Error 2`,
  cmake: `-- The C compiler identification is GNU 12.2.0
-- Detecting C compiler ABI info
-- Detecting C compiler ABI info - done
-- Check for working C compiler: /usr/bin/cc - skipped
-- Found ZLIB: /usr/lib/libz.so (found version "1.2.13")
CMake Warning at CMakeLists.txt:14 (message):
  tests are off
-- Configuring done
-- Generating done
-- Build files have been written to: /home/dev/ring/build
[ 50%] Building C object CMakeFiles/ring.dir/ring.c.o
[100%] Linking C executable ring`,
  tscPretty:
    `src/cart.ts:12:7 - error TS2322: Type 'string' is not assignable to type 'number'.

12 const a: number = total();
         ~

src/cart.ts:40:3 - error TS2554: Expected 2 arguments, but got 1.

40   add(item);
     ~~~

Found 2 errors in the same file, starting at: src/cart.ts:12`,
  ruff: `app/cart.py:1:8: F401 [*] \`os\` imported but unused
app/cart.py:14:80: E501 Line too long (92 > 79)
app/store.py:3:1: I001 [*] Import block is un-sorted or un-formatted
Found 3 errors.
[*] 2 fixable with the \`--fix\` option.`,
  pylint: `************* Module app.cart
app/cart.py:12:0: C0116: Missing function or method docstring (missing-function-docstring)
app/cart.py:14:4: W0612: Unused variable 'x' (unused-variable)
app/cart.py:20:0: C0301: Line too long (120/100) (line-too-long)
app/cart.py:31:8: E1101: Instance of 'Cart' has no 'totl' member (no-member)`,
  mypy:
    `app/cart.py:12: error: Incompatible return value type (got "str", expected "int")  [return-value]
app/cart.py:30: note: Revealed type is "builtins.int"
app/store.py:4: error: Module has no attribute "x"  [attr-defined]
Found 2 errors in 2 files (checked 14 source files)`,
  clang: `src/ring.c:12:15: warning: unused variable 'n' [-Wunused-variable]
    int n = 0;
        ^
src/ring.c:40:3: error: use of undeclared identifier 'head'
    head = 0;
    ^
2 warnings generated.`,
  terraform: `aws_vpc.main: Refreshing state... [id=vpc-0a1b]
aws_subnet.a: Refreshing state... [id=subnet-1]

Terraform will perform the following actions:

  # aws_instance.web will be created
  + resource "aws_instance" "web" {
      + ami           = "ami-1"
      + instance_type = "t3.micro"
    }

Plan: 1 to add, 0 to change, 0 to destroy.
aws_instance.web: Creating...
aws_instance.web: Still creating... [10s elapsed]
aws_instance.web: Creation complete after 12s [id=i-0a1]

Apply complete! Resources: 1 added, 0 changed, 0 destroyed.`,
  ansible:
    `PLAY [web] *********************************************************************

TASK [Gathering Facts] *********************************************************
ok: [web-1]
ok: [web-2]

TASK [install nginx] ***********************************************************
changed: [web-1]
fatal: [web-2]: FAILED! => {"changed": false, "msg": "No package matching 'nginx'"}

PLAY RECAP *********************************************************************
web-1                      : ok=2    changed=1    unreachable=0    failed=0
web-2                      : ok=1    changed=0    unreachable=0    failed=1`,
  helmDebug: `install.go:214: [debug] Original chart version: ""
install.go:231: [debug] CHART PATH: /home/dev/charts/api
client.go:142: [debug] creating 3 resource(s)
wait.go:48: [debug] beginning wait for 3 resources with timeout of 5m0s
ready.go:277: [debug] Deployment is not ready: default/api. 0 out of 1 expected pods are ready
Error: INSTALLATION FAILED: timed out waiting for the condition`,
  tap: `TAP version 14
1..4
ok 1 - opens the store
not ok 2 - closes it twice
  ---
  duration_ms: 1.4
  ...
ok 3 - reads
ok 4 - writes # SKIP no disk
# tests 4
# pass 2
# fail 1`,
  junit: `JUnit version 4.13.2
.E..
Time: 0.021
There was 1 failure:
1) refusesNegative(com.example.CartTest)
java.lang.AssertionError: expected:<1> but was:<2>
	at org.junit.Assert.fail(Assert.java:89)
	at com.example.CartTest.refusesNegative(CartTest.java:41)

FAILURES!!!
Tests run: 3,  Failures: 1
`,
  junitTree: `╷
├─ JUnit Jupiter ✔
│  ├─ CartTest ✔
│  │  ├─ adds() ✔
│  │  └─ refusesNegative() ✘ expected: <1> but was: <2>
└─ JUnit Vintage ✔

Test run finished after 84 ms
[         2 tests found           ]
[         1 tests successful      ]
[         1 tests failed          ]`,
  mocha: `  cart
    ✔ adds an item
    ✔ removes an item
    1) refuses a negative amount

  2 passing (12ms)
  1 failing

  1) cart
       refuses a negative amount:
     AssertionError: expected 1 to equal 2
      at Context.<anonymous> (test/cart.js:12:14)`,
  pytest:
    `============================= test session starts ==============================
platform linux -- Python 3.11.2, pytest-8.0.0
collected 3 items

tests/test_cart.py ..F                                                   [100%]

=================================== FAILURES ===================================
_________________________________ test_negative ________________________________
>       assert add(-1) == 0
E       assert 1 == 0
========================= 1 failed, 2 passed in 0.12s ==========================`,
  goTest: `=== RUN   TestAdd
--- PASS: TestAdd (0.00s)
=== RUN   TestNegative
    cart_test.go:14: got 1, want 0
--- FAIL: TestNegative (0.00s)
FAIL
FAIL	example.com/cart	0.012s`,
  importTime: `import time: self [us] | cumulative | imported package
import time:       131 |        131 |   _io
import time:        24 |         24 |   marshal
import time:       210 |        365 | zipimport
import time:      1204 |       9210 | requests`,
  strace: `execve("/bin/ls", ["ls"], 0x7ffd /* 20 vars */) = 0
brk(NULL)                               = 0x55d0
openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3
read(3, "\\177ELF\\2\\1\\1"..., 832) = 832
access("/etc/ld.so.preload", R_OK)      = -1 ENOENT (No such file or directory)
close(3)                                = 0
+++ exited with 0 +++`,
  docker: `#1 [internal] load build definition from Dockerfile
#1 transferring dockerfile: 412B done
#1 DONE 0.0s
#5 [2/4] RUN npm ci
#5 1.204 npm warn deprecated glob@7.2.3
#5 8.812 added 213 packages in 8s
#5 DONE 9.1s
#6 [3/4] COPY . .
#6 ERROR: failed to compute cache key`,
  ghGroup: `##[group]Run npm test
npm test
shell: /usr/bin/bash -e {0}
##[endgroup]
> cart@1.0.0 test
##[error]Process completed with exit code 1.`,
  journalCat: `Started Session 12 of User dev.
Starting Daily apt download activities...
apt-daily.service: Deactivated successfully.
Finished Daily apt download activities.
apt-daily.service: Consumed 1.204s CPU time.
Reached target Timers.
pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)
Stopping OpenSSH server daemon...`,
  exitFirst: `Exit code 1
gcc -O2 -c ring.c
ring.c:41:9: error: 'head' undeclared (first use in this function)
ring.c:44:9: error: 'tail' undeclared (first use in this function)`,
  goRace: `==================
WARNING: DATA RACE
Read at 0x00c000088fc0 by goroutine 8:
  runtime.mapaccess1_faststr()
      /usr/local/go/src/runtime/map_faststr.go:101 +0x0
  example.com/fleetd/track.(*Tracker).Add()
      /home/dev/fleetd/track/track.go:31 +0x20c

Previous write at 0x00c000088fc0 by goroutine 11:
  example.com/fleetd/track.(*Tracker).Add()
      /home/dev/fleetd/track/track.go:35 +0x364
==================
Found 1 data race(s)
exit status 66`,
  goBuild: `# example.com/fleetd/track
track/track.go:12:2: undefined: Tracker
track/track.go:31:14: cannot use x (variable of type int) as string value
track/track.go:40:1: missing return`,
  ctest: `Test project /home/dev/meshkit/build
    Start 1: mesh.area
1/2 Test #1: mesh.area ........................   Passed    0.00 sec
    Start 2: mesh.weld
2/2 Test #2: mesh.weld ........................***Failed    0.00 sec

50% tests passed, 1 tests failed out of 2

The following tests FAILED:
	  2 - mesh.weld (Failed)
Errors while running CTest`,
  biome: `./src/cart.js:3:7 lint/style/useConst  FIXABLE  ━━━━━━━━━━━━━━━━━━━━

  × This let declares a variable that is only assigned once.

    1 │ import { add } from "./add.js";
  > 3 │ let total = add(1);
      │ ^^^

Checked 2 files in 4ms. No fixes applied.
Found 1 error.`,
  vitest: ` RUN  v1.6.0 /home/dev/cart

 ❯ src/cart.test.ts (2 tests | 1 failed) 12ms
   × refuses a negative amount

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/cart.test.ts > refuses a negative amount
AssertionError: expected 1 to be 2
 ❯ src/cart.test.ts:14:21

 Test Files  1 failed (1)
      Tests  1 failed | 1 passed (2)
   Duration  412ms`,
  shellcheck: `In job.sh line 4:
cd $DIR
^-----^ SC2164 (warning): Use 'cd ... || exit' in case cd fails.
   ^--^ SC2086 (info): Double quote to prevent globbing.

In job.sh line 9:
rm $FILE
   ^---^ SC2086 (info): Double quote to prevent globbing.`,
  rustPanic: `thread 'main' panicked at src/parcel.rs:17:26:
called \`Option::unwrap()\` on a \`None\` value
stack backtrace:
   0: rust_begin_unwind
             at /rustc/1a2b/library/std/src/panicking.rs:645:5
   1: core::panicking::panic_fmt
             at /rustc/1a2b/library/core/src/panicking.rs:72:14
   2: courier::parcel::price
             at ./src/parcel.rs:17:26
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.`,
};
