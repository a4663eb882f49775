import type { Command } from 'commander'
import type { Breakers } from '../../../connectors/operations/breakers/port.ts'
import { aloneIn, closedBreaker, MAX_ALLOWED } from '../../../schemas/operation/breaker.ts'
import { GROUPS } from '../../../schemas/operation/consumers.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { table } from '../table.ts'
import { shownTime } from '../values/shown-time.ts'
import { wholeNumber } from '../values/values.ts'

export type BreakerContext = {
  open: () => Promise<{ breakers: Breakers; close(): Promise<void> }>
  stdout: { write(text: string): unknown }
  /** Who closes, for the record. */
  by: string
  /** Unix milliseconds. */
  now: () => number
}

/** Adds `breaker list` and `breaker close` to the program. */
export function registerBreakers(program: Command, { open, stdout, by, now }: BreakerContext): void {
  const breaker = program
    .command('breaker')
    .description('circuit breakers: consumer groups that stopped because of too many dead letters')

  const within = async (work: (breakers: Breakers) => Promise<void>): Promise<void> => {
    const { breakers, close } = await open()
    await work(breakers).finally(close)
  }

  breaker
    .command('list')
    .description('list the circuit breaker of every consumer group with its reasons, and the isolated sources')
    .option('--json', 'print one line of JSON per circuit breaker that was ever open')
    .action(({ json }: { json?: boolean }) =>
      within(async (breakers) => {
        const states = await breakers.list()
        if (json === true) for (const state of states) stdout.write(`${JSON.stringify(state)}\n`)
        else stdout.write(formatStates(states))
      }),
    )
  breaker
    .command('close <group>')
    .description(
      'close a circuit breaker: the consumer group resumes where it stopped; the breaker opens again if the cause remains',
    )
    .option(
      '--allow <records>',
      'number of further dead letters before the breaker can open again',
      wholeNumber(0, MAX_ALLOWED),
      0,
    )
    .option('--source <source>', 'end the isolation of this source: its records count with all others again')
    .action((group: string, { allow, source }: { allow: number; source?: string }) => {
      if (!GROUPS.includes(group))
        throw new UsageError(`unknown consumer group "${group}"; expected one of ${GROUPS.join(', ')}`)
      return within(async (breakers) => {
        if (source !== undefined) {
          const alone = aloneIn(await breakers.list(), group).map((state) => state.source)
          if (!alone.includes(source)) throw new Error(`the source ${source} is not isolated in ${group}`)
          await breakers.set(closedBreaker(group, by, now(), 0, source))
          stdout.write(`closed: the isolation of ${source} in ${group} ends within a few seconds\n`)
          return
        }
        if (!(await breakers.state(group))?.open && allow === 0)
          throw new Error(`the circuit breaker of ${group} is not open`)
        await breakers.set(closedBreaker(group, by, now(), allow))
        stdout.write(`closed: every running consumer of ${group} resumes within a few seconds\n`)
      })
    })
}

function formatStates(states: Awaited<ReturnType<Breakers['list']>>): string {
  const rows = GROUPS.flatMap((group) => {
    const whole = states.find((state) => state.group === group && state.source === null)
    return [{ group, state: whole }, ...aloneIn(states, group).map((state) => ({ group, state }))]
  })
  return table(
    ['GROUP', 'BREAKER', 'SINCE', 'BY', 'TOPIC', 'DEAD', 'IN A ROW', 'REASONS'],
    rows.map(({ group, state }) => {
      if (state === undefined) return [group, 'closed', '', '', '', '', '', '']
      const { open, at, by, topic, ratio, run, reasons } = state
      const dead = ratio === null ? '' : `${(ratio * 100).toFixed(1)} %`
      return [
        group,
        state.source !== null ? `ISOLATED: ${state.source}` : open ? 'OPEN' : 'closed',
        shownTime(at),
        by,
        topic ?? '',
        dead,
        String(run ?? ''),
        reasons.join('; '),
      ]
    }),
  )
}
