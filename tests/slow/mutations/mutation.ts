// A fault seeded in the product, and the test that must find it.

export type Mutation = {
  readonly threat: string
  readonly file: string
  // Once in the file.
  readonly replace: string
  readonly by: string
  readonly test: string
}
