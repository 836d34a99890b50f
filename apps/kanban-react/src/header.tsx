// The line above the panes: where this is, and who sits here.

import { Logo } from "./icons.tsx";
import { UserMenu } from "./people/user-menu.tsx";

export function Header({ onRename, onHelp }: { onRename: (name: string) => void; onHelp: () => void }) {
  return (
    <header className="header">
      <h1 className="brand">
        <Logo />
        opstate
        <span className="crumb">Demo board</span>
      </h1>
      <span className="push" />
      <button
        type="button"
        className="button quiet small icon for-keys"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={onHelp}
      >
        ?
      </button>
      <UserMenu onRename={onRename} />
    </header>
  );
}
