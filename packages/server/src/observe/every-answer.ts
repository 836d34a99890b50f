// What every answer has, of any route or error, and what observers get of it.
//
//   x-request-id             which request it answers
//   x-content-type-options   browsers take no answer for a page or a script
//   cache-control            `no-store`, where the answer says nothing itself

import { defined } from "@opstate/core";
import { compressAnswer } from "../http/compress-answer.ts";
import { type App, routeOf } from "../routes/environment.ts";
import type { Observers } from "./observers.ts";
import { requestIdOf } from "./request-id.ts";

/** To be called before any route is added. */
export function everyAnswer(app: App, observers: Observers | undefined, compress: boolean): void {
  app.use(async (context, next) => {
    const request = context.req.raw;
    const requestId = requestIdOf(request);
    context.set("requestId", requestId);
    const { headers } = context.res;
    headers.set("x-request-id", requestId);
    headers.set("x-content-type-options", "nosniff");
    const answer = async () => {
      await next();
      if (compress) context.res = await compressAnswer(request, context.res);
      if (!context.res.headers.has("cache-control")) context.res.headers.set("cache-control", "no-store");
    };
    if (observers === undefined) return answer();

    const { method } = request;
    const began = performance.now();
    await observers.around(
      { kind: "request", requestId, method, path: context.req.path, headers: request.headers },
      async () => {
        await answer();
        observers.emit({
          type: "request",
          requestId,
          method,
          route: routeOf(context),
          status: context.res.status,
          duration: performance.now() - began,
          ...defined({
            code: context.var.problem,
            actor: context.var.access?.actor,
            threadId: context.req.param("id"),
          }),
        });
        return context.res;
      },
    );
  });
}
