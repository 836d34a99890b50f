import { Auth, HTTPException } from "@langchain/langgraph-sdk/auth";
import { userOf } from "./user.ts";

export const auth = new Auth().authenticate((request) => {
  const user = userOf(request);
  if (user === undefined) throw new HTTPException(401, { message: "Sign in first." });
  return user;
});
