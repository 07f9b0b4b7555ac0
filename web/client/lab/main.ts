// Defines <seedbed-lab> on pages of this site. A custom element upgrades itself whenever it comes into the page, so hosts that swap
// pages without loading them work too. Calculations share the labs' engine, and so their script.
import { start } from "../calc/main";
import { SeedbedLab } from "./element";

if (!customElements.get("seedbed-lab")) customElements.define("seedbed-lab", SeedbedLab);
start();
