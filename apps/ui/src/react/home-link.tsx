// The logo and the name, which lead to the start page; from a frame, too.

import { Logo } from "./logo.tsx";

export function HomeLink({ root = "../" }: { root?: "./" | "../" }) {
  return (
    <a className="home" href={root} target="_top" aria-label="opstate, all demos">
      <Logo />
      opstate
    </a>
  );
}
