/** What a user does with the one file, on a machine that has nothing else of it. */
import { testApart } from "./apart.ts";

testApart(
  ["commands", "unwritable"],
  "runs from a read-only directory with a home that cannot be written, and says so once",
);
testApart(
  ["commands", "commands"],
  "compresses, explains, demonstrates and diagnoses",
);
testApart(
  ["serving", "proxy"],
  "streams a conversation and compresses it, in every format",
);
testApart(["serving", "workers"], "serves with two processes");
testApart(
  ["serving", "confined"],
  "confines itself when it is stateless and offline",
);
testApart(
  ["serving", "service"],
  "is what the unit of svc install starts, and says how it is deployed",
);
testApart(
  ["serving", "mcp"],
  "serves MCP over stdio, and tells agents its own path",
);
testApart(["commands", "install"], "is installed by scripts/install.sh");
testApart(
  ["commands", "targets"],
  "is not built for a machine whose base cannot be had",
);
