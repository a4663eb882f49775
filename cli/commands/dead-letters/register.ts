import { type Command, InvalidArgumentError } from 'commander'
import type {
  DeadLetter,
  DeadLetterInFull,
  DeadLetterSelection,
  HandledDeadLetters,
} from '../../../connectors/operations/dead-letters/port.ts'
import { BURYING } from '../../../schemas/log/topics.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { document, json, jsonLines, LINES, withJson } from '../output.ts'
import { plain, table } from '../table.ts'
import { relativeTime } from '../values/relative-time.ts'
import { moment, wholeNumber } from '../values/values.ts'
import { type DeadLetterContext, withBox } from './dead-letters-context.ts'

type SelectionOptions = {
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
const withSelection = (command: Command): Command =>
  withJson(command)
    .option('--topic <topic>', 'topic of the original records')
    .option('--reason <text>', 'with --topic: only dead letters with this text in their reason')
    .option(
      '--range <p:from-to>',
      'with --topic: offsets in a partition of the dead-letter topic, both ends included',
      range,
    )
    .option('--dry-run', 'print the number of affected dead letters and change nothing')
    .option('--yes', 'skip the confirmation prompt')

/** @throws UsageError that says how dead letters are selected */
function selectionOf(ids: readonly string[], { topic, reason, range }: SelectionOptions): DeadLetterSelection {
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
async function confirm(
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
function formatOutcome(
  { matched, done, skipped }: HandledDeadLetters,
  what: string,
  { json, dryRun }: SelectionOptions,
): string {
  if (json === true) return document({ matched, done, skipped })
  const first = dryRun === true ? `${matched} would be ${what}\n` : `${done} of ${matched} ${what}\n`
  return first + skipped.map(({ id, why }) => `skipped: ${id}: ${why}\n`).join('')
}

const MAX_LIMIT = 100_000
const PAGE = 1_000
const SHOWN_REASON = 120

type ListOptions = { reason?: string; since?: number; limit: number; all?: boolean; json?: boolean }

/** `dead-letters list [topic]` */
function listCommand(letters: Command, context: DeadLetterContext): void {
  withJson(letters.command('list [topic]'), LINES)
    .description(`list the dead letters of ${BURYING.join(', ')} with their reasons, newest first`)
    .option('--reason <text>', 'only dead letters with this text in their reason')
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

/** `dead-letters show <id>` */
function showCommand(letters: Command, context: DeadLetterContext): void {
  withJson(letters.command('show <id>'))
    .description('show one dead letter with its content')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const letter = await withBox(context, (box) => box.show(id))
      if (letter === null) throw new Error(`no such dead letter: "${id}"`)
      context.stdout.write(json === true ? document(letter) : formatLetter(letter, context.now()))
    })
}

function formatLetter({ payload, ...letter }: DeadLetterInFull, now: number): string {
  const { id, state, outcome, reason, attempts, handler, origin, schemaId, key, bytes, buriedAt, replayedFrom } = letter
  const fields: [string, string | null][] = [
    ['id', id],
    ['state', outcome === null ? state : `${state} by ${outcome.by} ${relativeTime(outcome.at, now)}`],
    ['note', outcome?.note ?? null],
    ['reason', reason],
    ['attempts', String(attempts)],
    ['handler', handler],
    [
      'origin',
      `${origin.topic}, partition ${origin.partition}, offset ${origin.offset}, ${relativeTime(origin.at, now)}`,
    ],
    ['buried', relativeTime(buriedAt, now)],
    ['schema', schemaId === null ? 'none' : String(schemaId)],
    ['key', key ?? 'none'],
    ['bytes', String(bytes)],
    ['replay of', replayedFrom],
  ]
  const headers = Object.entries(letter.headers).filter(([name]) => !name.startsWith('dead-'))
  return [
    ...fields.flatMap(([name, text]) => (text === null ? [] : [`${name.padEnd(10)}${plain(text)}`])),
    ...headers.map(([name, text]) => `header    ${plain(`${name}: ${text}`)}`),
    ...(payload.kind === 'record'
      ? ['record', json(payload.record, 2)]
      : [`fault     ${plain(payload.fault)}`, `hex       ${payload.hex}`, `text      ${plain(payload.text)}`]),
    '',
  ].join('\n')
}

/** `dead-letters replay` */
function replayCommand(letters: Command, context: DeadLetterContext): void {
  const command = letters
    .command('replay [ids...]')
    .description('write the original records to their topics again, after the cause was fixed')
  withSelection(command).action(async (ids: string[], options: SelectionOptions) => {
    const selection = selectionOf(ids, options)
    await withBox(context, async (box) => {
      const planned = await box.replay(selection, context.by, { dryRun: true })
      const question = `replay ${planned.matched} dead letters`
      if (options.dryRun === true || planned.matched === 0)
        return context.stdout.write(formatOutcome(planned, 'replayed', options))
      if (!(await confirm(context, options, question, planned.matched))) return
      context.stdout.write(formatOutcome(await box.replay(selection, context.by), 'replayed', options))
    })
  })
}

const MAX_NOTE = 500

/** `dead-letters drop` */
function dropCommand(letters: Command, context: DeadLetterContext): void {
  const command = letters
    .command('drop [ids...]')
    .description('mark dead letters as resolved without a replay; they stay readable for 30 days')
    .requiredOption('--note <text>', `reason, at most ${MAX_NOTE} characters`, note)
  withSelection(command).action(async (ids: string[], options: SelectionOptions & { note: string }) => {
    const selection = selectionOf(ids, options)
    await withBox(context, async (box) => {
      const planned = await box.drop(selection, context.by, options.note, { dryRun: true })
      if (options.dryRun === true || planned.matched === 0)
        return context.stdout.write(formatOutcome(planned, 'dropped', options))
      if (!(await confirm(context, options, `drop ${planned.matched} dead letters`, planned.matched))) return
      context.stdout.write(formatOutcome(await box.drop(selection, context.by, options.note), 'dropped', options))
    })
  })
}

function note(text: string): string {
  if (text.trim() !== '' && text.length <= MAX_NOTE) return text
  throw new InvalidArgumentError(`Expected a text of 1 to ${MAX_NOTE} characters.`)
}

/** Adds `dead-letters` to the program. */
export function registerDeadLetters(program: Command, context: DeadLetterContext): void {
  const letters = program
    .command('dead-letters')
    .description('manage dead letters: records that could not be processed')
  listCommand(letters, context)
  showCommand(letters, context)
  replayCommand(letters, context)
  dropCommand(letters, context)
}
