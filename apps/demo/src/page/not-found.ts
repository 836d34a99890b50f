// The page for addresses without one: styles only.

import "@opstate/ui/tokens.css";
import "@opstate/ui/base.css";
import "./site.css";
