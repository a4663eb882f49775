import type { Command } from 'commander'
import type { DeadLetter } from '../../../connectors/operations/dead-letters/port.ts'
import { BURYING } from '../../../schemas/log/topics.ts'
import { jsonLines, LINES, withJson } from '../output.ts'
import { table } from '../table.ts'
import { relativeTime } from '../values/relative-time.ts'
import { moment, wholeNumber } from '../values/values.ts'
import { type DeadLetterContext, withBox } from './context.ts'

const MAX_LIMIT = 100_000
const PAGE = 1_000
const SHOWN_REASON = 120

type ListOptions = { reason?: string; since?: number; limit: number; all?: boolean; json?: boolean }

/** `dead-letters list [topic]` */
export function listCommand(letters: Command, context: DeadLetterContext): void {
  withJson(letters.command('list [topic]'), LINES)
    .description(`list the dead letters of ${BURYING.join(', ')} with their reasons, newest first`)
    .option('--reason <text>', 'only dead letters whose reason contains this text')
    .option('--since <time>', 'only dead letters since a date, or since 90m, 24h, 7d ago', moment(context.now))
    .option('--limit <letters>', `maximum number of dead letters, 1 to ${MAX_LIMIT}`, wholeNumber(1, MAX_LIMIT), 20)
    .option('--all', 'include replayed and dropped dead letters')
    .action(async (topic: string | undefined, { reason, since, limit, all, json }: ListOptions) => {
      const query = {
        ...(topic !== undefined && { topic }),
        ...(reason !== undefined && { reason }),
        ...(since !== undefined && { since }),
        ...(all !== true && { state: 'waiting' as const }),
      }
      await withBox(context, async (box) => {
        const found: DeadLetter[] = []
        for (let after: string | null | undefined; after !== null && found.length < limit; ) {
          const page = await box.list({
            ...query,
            limit: Math.min(PAGE, limit - found.length),
            ...(after !== undefined && { after }),
          })
          found.push(...page.letters)
          after = page.next
        }
        context.stdout.write(json === true ? jsonLines(found) : formatLetters(found, context.now()))
      })
    })
}

const formatLetters = (letters: readonly DeadLetter[], now: number): string =>
  letters.length === 0
    ? 'no dead letters\n'
    : table(
        ['ID', 'STATE', 'BURIED', 'ORIGIN', 'BYTES', 'REASON'],
        letters.map(({ id, state, buriedAt, origin, bytes, handler, reason }) => [
          id,
          state,
          relativeTime(buriedAt, now),
          `${origin.partition}/${origin.offset}`,
          String(bytes),
          `${handler === null ? '' : `${handler}: `}${reason}`.slice(0, SHOWN_REASON),
        ]),
      )
