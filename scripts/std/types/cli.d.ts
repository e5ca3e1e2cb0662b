// Declarations of @std/cli, without the dotted names ("a.b") of parseArgs(). A line "//# FILE" names the file
// that exports what follows.

type Strings<T> = Extract<T, string>;
type Flat<T> = T extends Record<string, unknown> ? { [K in keyof T]: T[K] } : T;
type AliasNames = Partial<Record<string, string | readonly string[]>> | undefined;
type Defaults = Record<string, unknown> | undefined;

/** The options by name: booleans and lists are always there, a text only if it was given. */
type Given<B, S, C, N> =
  & { [K in Exclude<Strings<B>, C>]: boolean }
  & { [K in Extract<Strings<B>, C>]: boolean[] }
  & { [K in Exclude<Strings<S>, C>]?: K extends N ? string | false : string }
  & { [K in Extract<Strings<S>, C>]: K extends N ? string[] | false : string[] }
  & { [K in Exclude<Strings<C>, B | S>]: K extends N ? unknown[] | false : unknown[] };

/** With a default, an option is always there. */
type WithDefaults<T, D> = undefined extends D ? T
  : Omit<T, keyof D> & { [K in keyof D]: K extends keyof T ? D[K] | NonNullable<T[K]> : unknown };

/** Every alias has the type of its option. */
type WithAliases<T, A> = { [K in keyof T as K | AliasesOf<K, A>]: T[K] };
type AliasesOf<K, A> = K extends keyof A ? A[K] extends string ? A[K] : A[K] extends string[] ? A[K][number] : never
  : never;

/** Nothing is known when no option is named. */
type Values<B, S, C, N, D, A> = undefined extends ((false extends B ? undefined : B) & C & S)
  // deno-lint-ignore no-explicit-any
  ? Record<string, any>
  : Record<string, unknown> & WithAliases<WithDefaults<Given<B, S, C, N>, D>, A>;

//# parse_args
/** What `parseArgs()` returns. */
// deno-lint-ignore no-explicit-any
export type Args<T extends Record<string, unknown> = Record<string, any>, DD extends boolean | undefined = undefined> =
  Flat<
    & T
    & { _: Array<string | number> }
    & (boolean extends DD ? { "--"?: string[] } : true extends DD ? { "--": string[] } : Record<never, never>)
  >;
/** How `parseArgs()` reads its arguments. */
export interface ParseOptions<
  B extends boolean | string | undefined = boolean | string | undefined,
  S extends string | undefined = string | undefined,
  C extends string | undefined = string | undefined,
  N extends string | undefined = string | undefined,
  D extends Defaults = Defaults,
  A extends AliasNames = AliasNames,
  DD extends boolean | undefined = boolean | undefined,
> {
  "--"?: DD;
  alias?: A;
  boolean?: B | ReadonlyArray<Strings<B>>;
  default?: D;
  stopEarly?: boolean;
  string?: S | ReadonlyArray<Strings<S>>;
  collect?: C | ReadonlyArray<Strings<C>>;
  negatable?: N | ReadonlyArray<Strings<N>>;
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}
/** Reads command line arguments. */
export function parseArgs<
  T extends Values<B, S, C, N, D, A>,
  DD extends boolean | undefined = undefined,
  B extends boolean | string | undefined = undefined,
  S extends string | undefined = undefined,
  C extends string | undefined = undefined,
  N extends string | undefined = undefined,
  D extends Defaults = undefined,
  A extends Partial<Record<string, Alias | readonly Alias[]>> | undefined = undefined,
  Alias extends string = string,
>(args: readonly string[], options?: ParseOptions<B, S, C, N, D, A, DD>): Args<T, DD>;

//# prompt_secret
/** How `promptSecret()` shows what is typed. */
export type PromptSecretOptions = {
  mask?: string;
  clear?: boolean;
};
/** Reads a line from the terminal without showing it. */
export function promptSecret(message?: string, options?: PromptSecretOptions): string | null;

//# unicode_width
/** The number of terminal columns a text takes. */
export function unicodeWidth(str: string): number;
