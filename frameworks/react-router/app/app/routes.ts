import { type RouteConfig, route } from "@react-router/dev/routes";

export default [route("boards/:id", "routes/board.tsx"), route("opstate/*", "routes/opstate.ts")] satisfies RouteConfig;
