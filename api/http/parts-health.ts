/** Health checks of the parts that a process needs: all at once, each within a time limit. */

/** `check` resolves to a detail for display (a version, a date), or rejects. */
export type PartsCheck = {
  name: string
  check: () => Promise<string>
  /** What anybody may know of a detail that names somebody; default: all of it. */
  forAnybody?: (detail: string) => string
}

/** A part that answers but does not work as it should; every caller may see the message. */
export class NotRight extends Error {}

/** Why a process is not ready that has only begun: no fault, and no line in the log for every probe of it. */
export class Starting extends AggregateError {}

/** How long a start may take to become ready without that being a fault, milliseconds. */
export const START_MS = 60_000

/** A part that does not answer in this time is not ready; the answer is out within 2 s. */
const CHECK_MS = 1_700

/** `publicDetail`: the detail without what only administrators may see. */
export type PartResult = { name: string; ms: number } & (
  | { ok: true; detail: string; publicDetail: string }
  | { ok: false; reason: unknown }
)

export const checkParts = (checks: readonly PartsCheck[]): Promise<PartResult[]> =>
  Promise.all(
    checks.map(async ({ name, check, forAnybody = (detail) => detail }): Promise<PartResult> => {
      const began = performance.now()
      const took = (): number => Math.round(performance.now() - began)
      try {
        const detail = await within(check(), CHECK_MS)
        return { name, ok: true, detail, publicDetail: forAnybody(detail), ms: took() }
      } catch (reason) {
        return { name, ok: false, reason, ms: took() }
      }
    }),
  )

/** Health of the parts for administrators, with the causes of failures. */
export async function reportHealth(checks: readonly PartsCheck[]) {
  const parts = (await checkParts(checks)).map(({ name, ms, ...part }) => ({
    name,
    ok: part.ok,
    detail: part.ok ? part.detail : (part.reason as Error).message,
    ms,
  }))
  return { ready: parts.every(({ ok }) => ok), parts }
}

function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  // Promise.race leaves the loser behind; without a handler its later rejection would end the process.
  work.catch(() => undefined)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
