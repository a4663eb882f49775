/** The result of one check; `todo` is the remedy if the state is not ok. */
export type Finding = { check: string; state: 'ok' | 'warn' | 'fail'; what: string; todo?: string }

/** A check of one thing. A thrown error counts as a failure of that thing. */
export type Check = { name: string; todo: string; run: () => Promise<Omit<Finding, 'check'>[]> }

export const ok = (what: string): Omit<Finding, 'check'> => ({ state: 'ok', what })
export const warn = (what: string, todo: string): Omit<Finding, 'check'> => ({ state: 'warn', what, todo })
export const fail = (what: string, todo: string): Omit<Finding, 'check'> => ({ state: 'fail', what, todo })

/** A check that takes longer has failed. */
const CHECK_MS = 30_000

/** Runs the checks one after another, each within a bound. */
export async function* runChecks(checks: readonly Check[]): AsyncGenerator<Finding> {
  for (const { name, todo, run } of checks)
    try {
      for (const found of await within(run(), CHECK_MS)) yield { check: name, ...found }
    } catch (error) {
      yield { check: name, ...fail((error as Error).message || String(error), todo) }
    }
}

function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms)
  work.catch(() => undefined)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
