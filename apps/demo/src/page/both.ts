// The page that shows both boards has no moving part of its own.

import "@opstate/ui/tokens.css";
import "@opstate/ui/base.css";
import "./both.css";
