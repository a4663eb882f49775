import { eventually } from '../../../builders/platform/platform.ts'
import { type Running, runRole } from '../../../builders/platform/roles.ts'

/** What the process that keeps the lists of feeds says, and says again when it does no more. */
const LEADS = /"leads":(true|false)/g
/** A process starts, or follows one that died, on a busy machine. */
const FOUND_MS = 120_000
/** In characters. */
const LAST_WORDS = 1_500

export type Fleet = {
  /** Those that run, of one role. */
  of(role: string): readonly Running[]
  /** One of them, once there is one. */
  any(role: string, but?: Running): Promise<Running>
  /** The process that keeps the lists of feeds, once there is one. */
  leader(but?: Running): Promise<Running>
  /** SIGKILL; another one takes its place, as whoever runs them starts them again. */
  kill(one: Running): Promise<void>
  /** The last words of processes that ended without having been killed or told to, and of starts that failed. */
  died(): readonly string[]
  /** Ends all of them in good order; resolves to their exit codes. */
  stop(): Promise<(number | null)[]>
}

/** Processes of several roles, each started again when it ends. */
export async function openFleet(
  roles: readonly string[],
  env: Record<string, string>,
  random: () => number,
): Promise<Fleet> {
  const died: string[] = []
  const starting = new Set<Promise<void>>()
  let stopping = false
  let running: Running[] = []

  async function start(role: string): Promise<void> {
    const one = await runRole(role, env)
    running.push(one)
    void one.ended.then(() => {
      // One that was killed is not among them any more.
      if (stopping || !running.includes(one)) return
      died.push(`${role}: ${one.output().slice(-LAST_WORDS)}`)
      replace(one)
    })
  }

  /** A start that fails is made again: a store may be away. */
  function replace(one: Running): void {
    running = running.filter((other) => other !== one)
    const again = async (): Promise<void> => {
      while (!stopping)
        try {
          return await start(one.role)
        } catch (error) {
          died.push(`${one.role} did not start: ${String(error).slice(-LAST_WORDS)}`)
        }
    }
    const started = again().finally(() => starting.delete(started))
    starting.add(started)
  }

  const of = (role: string): Running[] => running.filter((one) => one.role === role)
  const oneOf = (all: readonly Running[]): Running | undefined => all[Math.floor(random() * all.length)]
  const found = async (look: () => Running | undefined): Promise<Running> =>
    (await eventually(
      async () => look(),
      (one) => one !== undefined,
      FOUND_MS,
    ))!
  const leads = (one: Running): boolean => [...one.output().matchAll(LEADS)].at(-1)?.[1] === 'true'

  const failed = (await Promise.allSettled(roles.map(start))).find(({ status }) => status === 'rejected')
  if (failed !== undefined) {
    stopping = true
    await Promise.all(running.map((one) => one.kill()))
    throw (failed as PromiseRejectedResult).reason
  }
  return {
    of,
    any: (role, but) => found(() => oneOf(of(role).filter((one) => one !== but))),
    leader: (but) => found(() => of('follow').find((one) => one !== but && leads(one))),
    async kill(one) {
      replace(one)
      await one.kill()
    },
    died: () => died,
    async stop() {
      await Promise.all(starting)
      stopping = true
      return Promise.all(running.map((one) => one.stop()))
    },
  }
}
