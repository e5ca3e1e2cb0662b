// Declarations of @std/assert. A line "//# FILE" names the file that exports what follows.
// deno-lint-ignore-file no-explicit-any

//# almost_equals
/** Fails unless two numbers are nearly equal. */
export function assertAlmostEquals(actual: number, expected: number, tolerance?: number, msg?: string): void;

//# array_includes
/** Something with a length and indices that is not a text. */
export type ArrayLikeArg<T> = ArrayLike<T> & object;
/** Fails unless a list holds all of `expected`. */
export function assertArrayIncludes<T>(actual: ArrayLikeArg<T>, expected: ArrayLikeArg<T>, msg?: string): void;

//# assert
/** Fails unless a value is truthy. */
export function assert(expr: unknown, msg?: string): asserts expr;

//# assertion_error
/** What a failed assertion throws. */
export class AssertionError extends Error {
  constructor(message: string, options?: ErrorOptions);
}

//# equal
/** Whether two values are equal in depth. */
export function equal(a: unknown, b: unknown): boolean;

//# equals
/** Fails unless two values are equal in depth. */
export function assertEquals<T>(actual: T, expected: T, msg?: string): void;

//# exists
/** Fails on `null` and `undefined`. */
export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T>;

//# fail
/** Fails. */
export function fail(msg?: string): never;

//# false
/** The values that count as false. */
export type Falsy = false | 0 | 0n | "" | null | undefined;
/** Fails unless a value is falsy. */
export function assertFalse(expr: unknown, msg?: string): asserts expr is Falsy;

//# greater
/** Fails unless `actual` is greater. */
export function assertGreater<T>(actual: T, expected: T, msg?: string): void;

//# greater_or_equal
/** Fails if `actual` is less. */
export function assertGreaterOrEqual<T>(actual: T, expected: T, msg?: string): void;

//# instance_of
/** Any class. */
export type AnyConstructor = new (...args: any[]) => any;
/** What a class makes. */
export type GetConstructorType<T extends AnyConstructor> = InstanceType<T>;
/** Fails unless a value is of a class. */
export function assertInstanceOf<T extends abstract new (...args: any[]) => any>(
  actual: unknown,
  expectedType: T,
  msg?: string,
): asserts actual is InstanceType<T>;

//# is_error
/** Fails unless a value is an error of this class with this message. */
export function assertIsError<E extends Error = Error>(
  error: unknown,
  ErrorClass?: abstract new (...args: any[]) => E,
  msgMatches?: string | RegExp,
  msg?: string,
): asserts error is E;

//# less
/** Fails unless `actual` is less. */
export function assertLess<T>(actual: T, expected: T, msg?: string): void;

//# less_or_equal
/** Fails if `actual` is greater. */
export function assertLessOrEqual<T>(actual: T, expected: T, msg?: string): void;

//# match
/** Fails unless a text matches. */
export function assertMatch(actual: string, expected: RegExp, msg?: string): void;

//# not_equals
/** Fails if two values are equal in depth. */
export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void;

//# not_instance_of
/** Fails if a value is of a class. */
export function assertNotInstanceOf<A, T>(
  actual: A,
  unexpectedType: abstract new (...args: any[]) => T,
  msg?: string,
): asserts actual is Exclude<A, T>;

//# not_match
/** Fails if a text matches. */
export function assertNotMatch(actual: string, expected: RegExp, msg?: string): void;

//# not_strict_equals
/** Fails if two values are the same. */
export function assertNotStrictEquals<T>(actual: T, expected: T, msg?: string): void;

//# object_match
/** Fails unless an object has all of `expected`. */
export function assertObjectMatch(
  actual: Record<PropertyKey, any>,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
): void;

//# rejects
/** Fails unless a promise is rejected. */
export function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
/** Fails unless a promise is rejected with an error of this class and message. */
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: abstract new (...args: any[]) => E,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;

//# strict_equals
/** Fails unless two values are the same. */
export function assertStrictEquals<T>(actual: unknown, expected: T, msg?: string): asserts actual is T;

//# string_includes
/** Fails unless a text holds another. */
export function assertStringIncludes(actual: string, expected: string, msg?: string): void;

//# throws
/** Fails unless a function throws. */
export function assertThrows(fn: () => unknown, msg?: string): unknown;
/** Fails unless a function throws an error of this class and message. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: abstract new (...args: any[]) => E,
  msgIncludes?: string,
  msg?: string,
): E;

//# unimplemented
/** Fails: this is not built yet. */
export function unimplemented(msg?: string): never;

//# unreachable
/** Fails: this cannot happen. */
export function unreachable(msg?: string): never;
