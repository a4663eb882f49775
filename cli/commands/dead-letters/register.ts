import { type Command, InvalidArgumentError } from 'commander'
import type { DeadLetterInFull } from '../../../connectors/operations/dead-letters/port.ts'
import { document, json, withJson } from '../output.ts'
import { plain } from '../table.ts'
import { relativeTime } from '../values/relative-time.ts'
import { type DeadLetterContext, withBox } from './context.ts'
import { listCommand } from './list.ts'
import { confirm, formatOutcome, type SelectionOptions, selectionOf, withSelection } from './selection.ts'

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
