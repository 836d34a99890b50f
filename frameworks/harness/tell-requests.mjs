// Loaded before a server's program, with `--import`: prints each request that the server gets.

import { Server } from "node:http";

const { emit } = Server.prototype;
Server.prototype.emit = function (event, ...rest) {
  if (event === "request") console.log(`Request: ${rest[0].method} ${rest[0].url}`);
  return emit.call(this, event, ...rest);
};
