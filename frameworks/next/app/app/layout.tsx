import Link from "next/link";
import type { ReactNode } from "react";

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <nav>
          <Link href="/boards/launch">Launch</Link> <Link href="/boards/garden">Garden</Link>
        </nav>
        {children}
      </body>
    </html>
  );
}
