import type { Command } from 'commander'
import type { DeadLetterInFull } from '../../../connectors/operations/dead-letters/port.ts'
import { plain } from '../table.ts'
import { shownTime } from '../values/shown-time.ts'
import { type DeadLetterContext, withBox } from './context.ts'

/** `dead-letters show <id>` */
export function showCommand(letters: Command, context: DeadLetterContext): void {
  letters
    .command('show <id>')
    .description('show one dead letter with its content')
    .option('--json', 'print as JSON')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const letter = await withBox(context, (box) => box.show(id))
      if (letter === null) throw new Error(`no such dead letter: "${id}"`)
      context.stdout.write(json === true ? `${JSON.stringify(letter)}\n` : formatLetter(letter))
    })
}

function formatLetter({ payload, ...letter }: DeadLetterInFull): string {
  const { id, state, outcome, reason, attempts, handler, origin, schemaId, key, bytes, buriedAt, replayedFrom } = letter
  const fields: [string, string | null][] = [
    ['id', id],
    ['state', outcome === null ? state : `${state} by ${outcome.by} at ${shownTime(outcome.at)}`],
    ['note', outcome?.note ?? null],
    ['reason', reason],
    ['attempts', String(attempts)],
    ['handler', handler],
    [
      'origin',
      `${origin.topic}, partition ${origin.partition}, offset ${origin.offset}, since ${shownTime(origin.at)}`,
    ],
    ['buried', shownTime(buriedAt)],
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
      ? ['record', JSON.stringify(payload.record, null, 2)]
      : [`fault     ${plain(payload.fault)}`, `hex       ${payload.hex}`, `text      ${plain(payload.text)}`]),
    '',
  ].join('\n')
}
