import type { Command } from 'commander'
import type { DeadLetterInFull } from '../../../connectors/operations/dead-letters/port.ts'
import { document, json, withJson } from '../output.ts'
import { plain } from '../table.ts'
import { relativeTime } from '../values/relative-time.ts'
import { type DeadLetterContext, withBox } from './context.ts'

/** `dead-letters show <id>` */
export function showCommand(letters: Command, context: DeadLetterContext): void {
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
