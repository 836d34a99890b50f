// Every door of a page takes the definition's own updates, as those of a thread do.

import type { ClientThread } from "@opstate/client";
import type { UpdateOf } from "@opstate/core";
import { expectTypeOf, it } from "vitest";
import type { ThreadAccess } from "../src/thread-access.ts";
import type { Tally } from "./tally.ts";

it("of a page's thread, and of a proposal", () => {
  type Update = UpdateOf<Tally>;
  expectTypeOf<Parameters<ClientThread<Tally>["dispatch"]>[0]>().toEqualTypeOf<Update>();
  expectTypeOf<Parameters<ClientThread<Tally>["proposals"]["propose"]>[0]>().toEqualTypeOf<Update>();
  expectTypeOf<Parameters<ThreadAccess<Tally>["propose"]>[0]>().toEqualTypeOf<Update>();
});
