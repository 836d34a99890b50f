// The page's current session. A new name replaces it.

import { createStore } from "zustand/vanilla";
import { createSession, type Session, type SessionOptions } from "./session.ts";
import { readUser, writeUser } from "./user.ts";

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(options: SessionOptions = {}) {
  const store = createStore<Session>()(() => createSession(readUser(), options));
  return Object.assign(store, {
    rename(name: string) {
      writeUser(name);
      const before = store.getState();
      store.setState(createSession(name, options), true);
      before.close();
    },
  });
}
