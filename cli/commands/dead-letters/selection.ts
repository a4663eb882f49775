import { type Command, InvalidArgumentError } from 'commander'
import type { DeadLetterSelection, HandledDeadLetters } from '../../../connectors/operations/dead-letters/port.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { document, withJson } from '../output.ts'
import type { DeadLetterContext } from './context.ts'

export type SelectionOptions = {
  topic?: string
  reason?: string
  range?: { partition: number; from: number; to: number }
  dryRun?: boolean
  yes?: boolean
  json?: boolean
}

/** More dead letters than this are handled only after confirmation. */
const ASK_FROM = 1

/** The options that select dead letters, the same for every command that handles them. */
export const withSelection = (command: Command): Command =>
  withJson(command)
    .option('--topic <topic>', 'topic of the original records')
    .option('--reason <text>', 'with --topic: only dead letters whose reason contains this text')
    .option(
      '--range <p:from-to>',
      'with --topic: offsets in a partition of the dead-letter topic, both ends included',
      range,
    )
    .option('--dry-run', 'print the number of affected dead letters and change nothing')
    .option('--yes', 'skip the confirmation prompt')

/** @throws UsageError that says how dead letters are selected */
export function selectionOf(ids: readonly string[], { topic, reason, range }: SelectionOptions): DeadLetterSelection {
  const chosen = topic !== undefined && (reason !== undefined || range !== undefined)
  if (ids.length > 0 && topic === undefined && reason === undefined && range === undefined) return { ids }
  if (ids.length > 0 || !chosen)
    throw new UsageError('select dead letters by ids, or by --topic with --reason or --range')
  return { topic, ...(reason !== undefined && { reason }), ...(range !== undefined && { range }) }
}

function range(text: string) {
  const [, partition, from, to] = /^(\d{1,6}):(\d{1,15})-(\d{1,15})$/.exec(text) ?? []
  if (partition === undefined || Number(from) > Number(to))
    throw new InvalidArgumentError('Expected partition:from-to, such as 0:120-180.')
  return { partition: Number(partition), from: Number(from), to: Number(to) + 1 }
}

/** Prompts on a terminal; elsewhere no prompt is possible, so more than one dead letter needs `--yes`. */
export async function confirm(
  { stdin, stderr }: DeadLetterContext,
  { yes }: SelectionOptions,
  question: string,
  letters: number,
): Promise<boolean> {
  if (yes === true || letters <= ASK_FROM) return true
  if (stdin.isTTY !== true)
    throw new UsageError(`${question}: no terminal to confirm on; add --yes, or --dry-run for a preview`)
  stderr.write(`${question}? [y/N] `)
  for await (const answer of stdin) return /^y(es)?\s*$/i.test(answer.toString())
  return false
}

/** The outcome, in words or as a line of JSON. */
export function formatOutcome(
  { matched, done, skipped }: HandledDeadLetters,
  what: string,
  { json, dryRun }: SelectionOptions,
): string {
  if (json === true) return document({ matched, done, skipped })
  const first = dryRun === true ? `${matched} would be ${what}\n` : `${done} of ${matched} ${what}\n`
  return first + skipped.map(({ id, why }) => `skipped: ${id}: ${why}\n`).join('')
}
