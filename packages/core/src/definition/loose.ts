// The type of a replacement: a state whose derived fields are optional.

type Direct<Pointers extends string> = Pointers extends `/${infer Key}`
  ? Key extends `${string}/${string}`
    ? never
    : Key
  : never;
type Under<Pointers extends string, Key> = Key extends string | number
  ? Pointers extends `/${Key}/${infer Rest}` | `/*/${infer Rest}`
    ? `/${Rest}`
    : never
  : never;

/**
 * `State` with the fields at the derived `Pointers` (such as `"/columns/*\/cardCount"`) optional.
 */
export type Loose<State, Pointers extends string> = [Pointers] extends [never]
  ? State
  : State extends readonly (infer Item)[]
    ? readonly Loose<Item, Under<Pointers, "*">>[]
    : State extends object
      ? { [K in keyof State as K extends Direct<Pointers> ? never : K]: Loose<State[K], Under<Pointers, K>> } & {
          [K in keyof State as K extends Direct<Pointers> ? K : never]?: State[K];
        }
      : State;

type Segments<Pointer extends string> = Pointer extends `/${infer Head}/${infer Rest}`
  ? [Head, ...Segments<`/${Rest}`>]
  : Pointer extends `/${infer Last}`
    ? [Last]
    : [];
type At<State, Path> = Path extends readonly [infer Head, ...infer Rest]
  ? Rest extends readonly []
    ? State
    : State extends null | undefined
      ? never
      : Head extends keyof State
        ? At<State[Head], Rest>
        : State extends readonly (infer Item)[]
          ? At<Item, Rest>
          : State extends Readonly<Record<string, infer Value>>
            ? At<Value, Rest>
            : never
  : State;

/** The type of the container that holds the field at a derive `Pointer`. */
export type ContainerAt<State, Pointer extends string> = NonNullable<At<State, Segments<Pointer>>>;
