import { type ReactNode, Suspense } from "react";
import { Boards } from "./boards.tsx";

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <Suspense fallback={<p>Opening the boards</p>}>
      <Boards />
      {children}
    </Suspense>
  );
}
