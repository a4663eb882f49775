import { expect, test } from 'vitest'
import { commandIn, encodeCommand, type FeedCommand } from '../../../../schemas/feeds-out/command.ts'
import { DEFAULT_GUARD } from '../../../../schemas/feeds-out/feed.ts'

test('a command is read as it was written', () => {
  const feed = {
    id: 'f',
    name: 'n',
    selector: { wellKnown: false },
    groups: ['public'],
    cap: 5,
    guard: DEFAULT_GUARD,
    revision: 2,
  }
  const commands: FeedCommand[] = [
    { kind: 'put', feed },
    { kind: 'delete', id: 'f' },
    { kind: 'hold', id: 'f', at: 1 },
    { kind: 'release', id: 'f', at: 2 },
  ]
  for (const command of commands) expect(commandIn(encodeCommand(command))).toEqual(command)
})

test.each(['', '{', 'null', '[]', '{"kind":"burn","id":"f"}', '{"kind":"put","feed":{}}', '{"kind":"hold"}'])(
  'a record that is no command is none: %s',
  (text) => expect(commandIn(Buffer.from(text))).toBeNull(),
)

test('a tombstone is no command', () => expect(commandIn(null)).toBeNull())
