// What a page does first, in a bundle: an edit shows, a refused one does not. Prints both.

const { open } = await import(new URL(process.argv[2], import.meta.url));
const replica = open({
  connect({ onMessage, onStatus }) {
    onStatus("online");
    onMessage({ type: "snapshot", snapshot: { version: 0, state: { items: [], count: 0 } } });
    return { send: () => undefined, close: () => undefined };
  },
});
replica.submit({ type: "add", item: "milk" }).catch(() => undefined);
const state = replica.getState();
const { rejection } = await replica.submit({ type: "add", item: 1 });
console.log(JSON.stringify({ state, refused: rejection.code }));
replica.close();
