// Whether a value changed since somebody last looked at it. What is there at first is not news.

export function news(value: () => unknown, looking: () => boolean): { readonly current: boolean } {
  let seen = $state.raw(value());
  $effect.pre(() => {
    if (looking() || seen === undefined) seen = value();
  });
  return {
    get current() {
      return !looking() && seen !== undefined && seen !== value();
    },
  };
}
