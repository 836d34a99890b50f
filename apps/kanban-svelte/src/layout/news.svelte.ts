// Whether a value changed since its pane was last shown. The first value is not news.

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
