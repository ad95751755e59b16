import { testRetrieval } from "../../conformance/retrieval.ts";
import { messagesDialect } from "../../conformance/retrieval_dialects.ts";

testRetrieval(messagesDialect);
