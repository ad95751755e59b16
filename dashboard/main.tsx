/** Entry of the page. @module */
import { render } from "preact";
import { App } from "./app.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("Cannot draw: the page has no #root");
root.replaceChildren();
render(<App />, root);
