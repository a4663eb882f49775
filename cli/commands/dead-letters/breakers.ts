import type { Command } from 'commander'
import type { Breakers } from '../../../connectors/operations/breakers/port.ts'
import { GROUPS } from '../../../schemas/log/topics.ts'
import { aloneIn, closedBreaker, MAX_ALLOWED } from '../../../schemas/operation/breaker.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { document, jsonLines, LINES, withJson } from '../output.ts'
import { table } from '../table.ts'
import { relativeTime } from '../values/relative-time.ts'
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

  withJson(breaker.command('list'), `${LINES} for every breaker that was ever open`)
    .description('list the circuit breaker of every consumer group with its reasons, and the isolated sources')
    .action(({ json }: { json?: boolean }) =>
      within(async (breakers) => {
        const states = await breakers.list()
        stdout.write(json === true ? jsonLines(states) : formatStates(states, now()))
      }),
    )
  withJson(breaker.command('close <group>'))
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
    .action((group: string, { allow, source, json }: { allow: number; source?: string; json?: true }) => {
      if (!GROUPS.includes(group))
        throw new UsageError(`unknown consumer group "${group}"; expected one of ${GROUPS.join(', ')}`)
      return within(async (breakers) => {
        if (source !== undefined) {
          const alone = aloneIn(await breakers.list(), group).map((state) => state.source)
          if (!alone.includes(source)) throw new Error(`the source ${source} is not isolated in ${group}`)
          await breakers.set(closedBreaker(group, by, now(), 0, source))
          stdout.write(
            json
              ? document({ closed: group, source })
              : `closed: the isolation of ${source} in ${group} ends within a few seconds\n`,
          )
          return
        }
        if (!(await breakers.state(group))?.open && allow === 0)
          throw new Error(`the circuit breaker of ${group} is not open`)
        await breakers.set(closedBreaker(group, by, now(), allow))
        stdout.write(
          json
            ? document({ closed: group, allow })
            : `closed: every running consumer of ${group} resumes within a few seconds\n`,
        )
      })
    })
}

function formatStates(states: Awaited<ReturnType<Breakers['list']>>, now: number): string {
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
        relativeTime(at, now),
        by,
        topic ?? '',
        dead,
        String(run ?? ''),
        reasons.join('; '),
      ]
    }),
  )
}
