// The page with both boards: styles only.

import "@opstate/ui/tokens.css";
import "@opstate/ui/base.css";
import "./site.css";
import "./both.css";
