import { error } from "@sveltejs/kit";
import type { PageLoad } from "./$types";

export const load: PageLoad = async ({ params: { id }, fetch }) => {
  // Without a connection the page shows what it has stored.
  const response = await fetch(`/opstate/threads/${encodeURIComponent(id)}`).catch(() => undefined);
  const body = await response?.json();
  if (response?.ok === false) error(response.status, body.detail);
  return { id, initial: body };
};
