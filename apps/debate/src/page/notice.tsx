// The status of a debate that is not running, with what can be done.

import type { ReactNode } from "react";

export function Notice({
  kind,
  title,
  children,
}: {
  kind: "good" | "warn" | "bad" | "plain";
  title: string;
  children?: ReactNode;
}) {
  return (
    <section className="card notice" data-kind={kind} role={kind === "bad" ? "alert" : undefined}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
