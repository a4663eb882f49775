/** What one loop waits for and others tell it of. What is told while it does not wait is kept, once. */
export function bell() {
  let told = Promise.withResolvers<void>()
  return {
    ring: (): void => told.resolve(),
    async rung(): Promise<void> {
      await told.promise
      told = Promise.withResolvers()
    },
  }
}
