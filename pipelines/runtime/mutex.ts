/** One thing at a time, in the order in which it was asked for; what fails stops nothing that comes after it. */
export function mutex() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    take<T>(work: () => Promise<T>): Promise<T> {
      const mine = last.then(work)
      last = mine.catch(() => undefined)
      return mine
    },
    /** Resolves once everything that was asked for is done. */
    idle: async (): Promise<void> => void (await last),
  }
}

export type Mutex = ReturnType<typeof mutex>
