// Defines <seedbed-lab> on pages of this site. A custom element upgrades itself whenever it comes into the page, so hosts that swap
// pages without loading them work too.
import { SeedbedLab } from "./element";

if (!customElements.get("seedbed-lab")) customElements.define("seedbed-lab", SeedbedLab);
