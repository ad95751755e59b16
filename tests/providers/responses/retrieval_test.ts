import { testRetrieval } from "../../conformance/retrieval.ts";
import { responsesDialect } from "../../conformance/retrieval_dialects.ts";

testRetrieval(responsesDialect);
