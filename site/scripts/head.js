// What runs in <head> of a full page, before anything is painted: classic, so that it comes to any frame.

import "./theme.js";
import "./less.js";
