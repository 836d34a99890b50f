import { boards } from "../boards.server.ts";
import type { Route } from "./+types/opstate.ts";

const handle = ({ request }: Route.LoaderArgs | Route.ActionArgs) => boards.fetch(request);

export { handle as action, handle as loader };
