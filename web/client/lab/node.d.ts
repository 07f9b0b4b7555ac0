// The little of Node that the tests use: they run there, bundled, and @types/node would bring the types of everything else into the page's.
declare module "node:test" {
  export default function test(name: string, body: () => void | Promise<void>): void;
}
declare module "node:assert/strict" {
  interface Assert {
    (value: unknown, message?: string): asserts value;
    equal(got: unknown, want: unknown, message?: string): void;
    deepEqual(got: unknown, want: unknown, message?: string): void;
  }
  const assert: Assert;
  export default assert;
}
