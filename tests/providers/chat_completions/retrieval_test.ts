import { testRetrieval } from "../../conformance/retrieval.ts";
import { chatDialect } from "../../conformance/retrieval_dialects.ts";

testRetrieval(chatDialect);
