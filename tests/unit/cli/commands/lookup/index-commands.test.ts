import { Command, type CommanderError } from 'commander'
import { expect, test } from 'vitest'
import { type LookupIndexContext, registerLookupIndex } from '../../../../../cli/commands/lookup/index-commands.ts'
import type { LookupIndexStatus } from '../../../../../connectors/lookups/index/status.ts'

const CURRENT: LookupIndexStatus = {
  state: 'current',
  bytes: 5 * 1024 ** 2,
  behindSeconds: 0.2,
  values: 7,
  builtAt: '2100-01-01T00:00:00.000Z',
  reason: null,
}
const DIFFERENCE = { key: 'ab', entityId: 'ip-1', index: null, store: null }

async function run(given: Partial<LookupIndexContext>, ...args: string[]): Promise<{ code: number; printed: string }> {
  let printed = ''
  const print = (text: string): void => {
    printed += text
  }
  const program = new Command().exitOverride().configureOutput({ writeErr: print })
  const context: LookupIndexContext = {
    status: async () => CURRENT,
    askAnew: () => true,
    verify: async () => ({ values: 7, differences: [] }),
    ...given,
  }
  registerLookupIndex(program, {
    open: async () => context,
    stdout: { write: print },
    signal: new AbortController().signal,
  })
  for (const one of program.commands.flatMap((command) => [command, ...command.commands])) one.exitOverride()
  const code = await program.parseAsync(['node', 'harrier', 'lookup-index', ...args]).then(
    () => 0,
    (error: CommanderError) => error.exitCode,
  )
  return { code, printed }
}

test('verify ends with 0 for no difference, 1 for some, 2 when it could not compare', async () => {
  expect(await run({}, 'verify')).toEqual({ code: 0, printed: 'all 7 values are the same in index and store\n' })
  const differs = await run({ verify: async () => ({ values: 7, differences: [DIFFERENCE] }) }, 'verify')
  expect(differs).toMatchObject({ code: 1, printed: expect.stringContaining('differs: ip-1') })
  expect(await run({ verify: async () => null }, 'verify')).toMatchObject({ code: 2 })
  const failed = await run({ verify: () => Promise.reject(new Error('no store')) }, 'verify')
  expect(failed).toMatchObject({ code: 2, printed: expect.stringContaining('no store') })
})

test('status and rebuild say how it stands', async () => {
  expect((await run({}, 'status')).printed).toContain('state    current')
  expect(JSON.parse((await run({}, 'status', '--json')).printed)).toEqual(CURRENT)
  expect((await run({}, 'rebuild')).printed).toContain('values   7')
  expect((await run({ askAnew: () => false }, 'rebuild')).printed).toContain('no platform runs here')
  const refused = { ...CURRENT, state: 'refused', builtAt: null, reason: 'it is too large' } as const
  expect(await run({ status: async () => refused }, 'rebuild')).toMatchObject({ code: 2 })
})
