// What every page loads. Each part finds its places in the page and does nothing where there are none.

import { drive } from "./drive.js";
import { language } from "./language.js";
import { outline } from "./outline.js";
import { progress } from "./progress.js";
import { quiz } from "./quiz.js";
import { theme } from "./theme.js";

theme();
language();
drive();
quiz();
progress();
outline();
