import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { roomOn } from '../../../../cli/commands/doctor/disk.ts'
import { type Check, type Finding, ok, runChecks, warn } from '../../../../cli/commands/doctor/finding.ts'
import { driftIn } from '../../../../cli/commands/doctor/history-checks.ts'
import { lagCheck } from '../../../../cli/commands/doctor/log-checks.ts'
import { registerDoctor } from '../../../../cli/commands/doctor/register.ts'
import { registryLevelsCheck, unreadable } from '../../../../cli/commands/doctor/registry.ts'
import { clockCheck, settingsFound } from '../../../../cli/commands/doctor/settings-checks.ts'
import { skew } from '../../../../cli/commands/doctor/skew.ts'
import { loadConfig } from '../../../../platform/config.ts'
import { records } from '../../../../schemas/log/records.ts'

const GIB = 1024 ** 3

describe('doctor', () => {
  const rooms: [string, number, number, Finding['state']][] = [
    ['enough of a small disk', 6 * GIB, 20 * GIB, 'ok'],
    ['a tenth of a large one, less a byte', 100 * GIB - 1, 1000 * GIB, 'warn'],
    ['less than 5 GiB', 5 * GIB - 1, 20 * GIB, 'warn'],
    ['almost nothing', 0.4 * GIB, 20 * GIB, 'fail'],
  ]
  for (const [name, free, total, state] of rooms)
    test(`${name} is ${state}`, () => expect(roomOn('it', free, total).state).toBe(state))

  test('a clock counts as right within two seconds of when it was read', () => {
    expect(skew('it', 10_000, 9_000, 11_000).state).toBe('ok')
    expect(skew('it', 13_000, 9_000, 11_000).state).toBe('ok')
    expect(skew('it', 13_001, 9_000, 11_000)).toMatchObject({
      state: 'warn',
      what: 'the clock of it is 2.0 s ahead of the clock of this machine',
    })
    expect(skew('it', 5_000, 9_000, 11_000)).toMatchObject({
      state: 'warn',
      what: 'the clock of it is 4.0 s behind the clock of this machine',
    })
  })

  test('a wall clock that jumps is noticed', async () => {
    let now = 0
    const jumping = clockCheck(() => {
      now += 1_000_000
      return now
    })
    expect((await jumping.run())[0]!.state).toBe('warn')
    expect((await clockCheck().run())[0]!.state).toBe('ok')
  })

  test('settings for tests, and an open door without a proxy, are told', () => {
    const words = (env: Record<string, string>) => settingsFound(loadConfig(env)).map(({ what }) => what)
    expect(words({})).toEqual(['no unsafe settings'])
    expect(
      words({ HOST: '0.0.0.0', HARRIER_SCAN_ALLOW_PRIVATE: 'true', HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true' }),
    ).toEqual([
      'the API listens on 0.0.0.0 without a proxy in front of it',
      'scans may go to private addresses',
      'webhooks may go to private addresses',
      'no mail is sent, so users cannot verify sessions',
    ])
    expect(words({ HOST: '0.0.0.0', HARRIER_TRUSTED_PROXIES: '1', SMTP_URL: 'smtp://mail' })).toEqual([
      'no unsafe settings',
    ])
  })

  test('a registered schema that this program cannot read is found', () => {
    const own = JSON.stringify(records.feed.schema())
    expect(unreadable(records.feed, own)).toBeNull()
    expect(unreadable(records.feed, '{"type":"record","name":"Feed","fields":[]}')).not.toBeNull()
    expect(unreadable(records.feed, 'nonsense')).not.toBeNull()
  })

  test('a consumer that is five minutes behind is told with how much and since when', async () => {
    const at = (partition: number, lag: number, oldestUnread: number | null) => ({
      group: 'observe',
      topic: 't',
      partition,
      committed: 0,
      end: lag,
      lag,
      oldestUnread,
    })
    const found = (oldest: number) =>
      lagCheck({ lag: async () => [at(0, 5, 900_000), at(1, 7, oldest), at(2, 0, null)] }, () => 1_000_000).run()
    expect(await found(800_000)).toEqual([ok('no consumer group has a high lag')])
    expect(await found(600_000)).toMatchObject([
      { state: 'warn', what: 'consumer lag of observe on t: 12 records for 400 s' },
    ])
  })

  test('the drift is read out of metrics', () => {
    expect(driftIn('# HELP harrier_counts_drift x\nharrier_counts_drift 12\n')).toBe(12)
    expect(driftIn('nothing')).toBeNull()
  })

  const rulesOf = (levels: Record<string, string | null>, refuses = false) => ({
    ping: async () => undefined,
    read: async () => null,
    level: async (subject: string) => levels[subject] ?? null,
    async set(subject: string, level: string) {
      if (refuses) throw new Error('http://registry refuses the level (403)')
      levels[subject] = level
    },
  })
  const SUBJECT = 'entity.observations-value'

  test('a subject of the registry with another level is a failure that names the repair', async () => {
    const levels = { [SUBJECT]: 'FULL', 'scoring.rules-value': 'BACKWARD', 'of-others-value': 'NONE' }
    expect(await registryLevelsCheck(rulesOf(levels), false).run()).toEqual([
      {
        state: 'fail',
        what: `the compatibility level of ${SUBJECT} is FULL; processes refuse to start`,
        todo: 'run: harrier doctor --repair (sets BACKWARD)',
      },
    ])
    expect(levels[SUBJECT]).toBe('FULL')
  })

  test('a repair sets the level, of our own subjects alone, and says what it was', async () => {
    const levels = { [SUBJECT]: 'FULL', 'of-others-value': 'NONE' }
    expect(await registryLevelsCheck(rulesOf(levels), true).run()).toMatchObject([
      { state: 'warn', what: `the compatibility level of ${SUBJECT} was FULL; it is now BACKWARD` },
    ])
    expect(levels).toEqual({ [SUBJECT]: 'BACKWARD', 'of-others-value': 'NONE' })
    expect(await registryLevelsCheck(rulesOf(levels), true).run()).toMatchObject([{ state: 'ok' }])
  })

  test('a registry that refuses the repair is a failure with what it said', async () => {
    expect(await registryLevelsCheck(rulesOf({ [SUBJECT]: 'FULL' }, true), true).run()).toMatchObject([
      { state: 'fail', what: 'http://registry refuses the level (403)' },
    ])
  })

  const check = (name: string, run: Check['run']): Check => ({ name, todo: 'start it', run })

  test('a check that throws has failed with what to do, and the next one runs', async () => {
    const found: Finding[] = []
    const broken = check('a', async () => Promise.reject(new Error('gone')))
    for await (const one of runChecks([broken, check('b', async () => [ok('fine'), warn('hm', 'do')])])) found.push(one)
    expect(found).toEqual([
      { check: 'a', state: 'fail', what: 'gone', todo: 'start it' },
      { check: 'b', state: 'ok', what: 'fine' },
      { check: 'b', state: 'warn', what: 'hm', todo: 'do' },
    ])
  })

  test('one failure ends the command with an error, warnings do not', async () => {
    const run = async (checks: Check[], ...args: string[]) => {
      let printed = ''
      const stdout = {
        write(text: string) {
          printed += text
        },
      }
      const program = new Command().exitOverride()
      registerDoctor(program, {
        open: async () => ({ checks, url: 'http://127.0.0.1:8080/', close: async () => undefined }),
        stdout,
      })
      program.commands[0]!.exitOverride().configureOutput({ writeErr: () => undefined })
      const error = await program.parseAsync(['doctor', ...args], { from: 'user' }).then(
        () => null,
        ({ exitCode }: { exitCode: number }) => exitCode,
      )
      return { printed, error }
    }
    expect(await run([check('a', async () => [warn('hm', 'do')])])).toEqual({
      printed: `warn  ${'a'.padEnd(13)} hm\n      ${''.padEnd(13)} -> do\n`,
      error: null,
    })
    const page = await run([check('a', async () => [warn('hm', 'see /help/operate/runbooks/lag/')])])
    expect(page.printed).toContain('-> see http://127.0.0.1:8080/help/operate/runbooks/lag/\n')
    const failing = await run([check('a', async () => Promise.reject(new Error('gone')))], '--json')
    expect(JSON.parse(failing.printed)).toEqual({ check: 'a', state: 'fail', what: 'gone', todo: 'start it' })
    expect(failing.error).toBe(1)
  })
})
