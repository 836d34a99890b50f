import { type RouteConfig, route } from "@react-router/dev/routes";

export default [
  route("boards/:id", "routes/board.tsx"),
  route("opstate/*", "routes/opstate.ts"),
  route("plain/:id", "routes/plain.tsx"),
  route("late/:id", "routes/late.tsx"),
  route("lazy/:id", "routes/lazy.tsx"),
  route("engine", "routes/engine.ts"),
] satisfies RouteConfig;
