// The page of an unknown address: styles only.

import "@opstate/ui/tokens.css";
import "@opstate/ui/base.css";
import "./site.css";
