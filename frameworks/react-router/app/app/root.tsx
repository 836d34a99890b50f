import type { ReactNode } from "react";
import { isRouteErrorResponse, Link, Links, Meta, Outlet, Scripts } from "react-router";
import type { Route } from "./+types/root.ts";

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <link rel="icon" href="data:," />
        <Meta />
        <Links />
      </head>
      <body>
        <nav>
          <Link to="/boards/launch">Launch</Link> <Link to="/boards/garden">Garden</Link>
        </nav>
        {children}
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const [status, message] = isRouteErrorResponse(error) ? [error.status, error.data] : ["Error", String(error)];
  return (
    <>
      <h1>{status}</h1>
      <p role="alert">{message}</p>
    </>
  );
}
