import { render } from "svelte/server";
import { expect, test } from "vitest";
import { createClient } from "@opstate/client";
import Page from "../components/page.svelte";

test("renders the page that the suite in the browser hydrates", async () => {
  const client = createClient({
    threads: () => expect.fail("a server must not connect"),
    actor: { kind: "user", id: "ada" },
  });
  const { body } = await render(Page, { props: { client } });
  await expect(body).toMatchFileSnapshot("../components/page.rendered");
});
