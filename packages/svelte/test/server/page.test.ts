import { render } from "svelte/server";
import { expect, test } from "vitest";
import Page from "../components/page.svelte";

test("renders the page that the suite in the browser hydrates", async () => {
  const transport = { connect: () => expect.fail("a server must not connect") };
  const { body } = await render(Page, { props: { transport } });
  await expect(body).toMatchFileSnapshot("../components/page.rendered");
});
