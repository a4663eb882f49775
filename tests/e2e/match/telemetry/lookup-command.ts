import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { newUserOf } from '../../../builders/accounts/users.ts'
import { commandWith } from '../../../builders/platform/command.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** `harrier lookup`: a log on this machine, what the platform knows of it, and the lines to look at. */
export function lookupCommand(shared: Shared): void {
  const { folder, platform } = shared
  beforeAll(async () => {
    const reporter = await newUserOf(platform, { roles: ['reporter'], groups: ['public'] })
    for (const [type, value, reputation] of [
      ['ip', '198.51.100.77', -3],
      ['domain', 'good.example', 2],
    ] as const) {
      const body = { type, attributes: { [type]: value }, reputation, tags: ['ssh'] }
      expect((await platform.ask('/api/ingest/v1/entity', body, reporter.headers)).status).toBe(202)
    }
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
  })

  const lookup = (...args: string[]) =>
    commandWith(
      {
        HARRIER_DATA_DIR: folder,
        HARRIER_URL: platform.url,
        HARRIER_ADMIN_KEY: ADMINISTRATOR['api-key'],
        HARRIER_ADMIN_SECRET: ADMINISTRATOR['api-secret'],
      },
      ...['lookup', ...args],
    )

  test('a log of 200 lines: the malicious address is found with its line', async () => {
    const log = join(folder, 'auth.log')
    const lines = Array.from(
      { length: 200 },
      (_, i) => `Nov 27 10:00:00 web sshd[${i}]: Failed password for root from 192.0.2.${i % 4} port ${1_024 + i} ssh2`,
    )
    lines[119] = 'Nov 27 10:00:00 web sshd[1]: Failed password for root from 198.51.100.77 port 22 ssh2'
    lines[120] = 'Nov 27 10:00:00 web dns: good[.]example 10.0.0.1'
    writeFileSync(log, lines.join('\n'))
    const { code, stdout, stderr } = await lookup(log)
    expect([code, stderr]).toEqual([0, ''])
    const rows = stdout.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))
    expect(rows[1]).toMatch(/^Malicious \| -3 Alarming, accuracy \w+ \| ip \| 198\.51\.100\.77 \| 120 \| 1 \| ssh$/)
    expect(rows[2]).toMatch(/^Benign \| 2 Good, accuracy \w+ \| domain \| good\.example \| 121 \| 1 \| ssh$/)
    expect(rows.slice(-3)).toEqual([
      '6 indicators in 200 lines: 1 malicious, 1 benign, 4 unknown',
      'left out: 1 address that is not public',
      '',
    ])
    const json = await lookup('--json', '--malicious', log)
    expect(json.code).toBe(0)
    expect(JSON.parse(json.stdout)).toMatchObject({ verdict: 'malicious', value: '198.51.100.77', lines: [120] })
  })

  test('one value: the sentence of its page', async () => {
    const { code, stdout, stderr } = await lookup('198[.]51[.]100[.]77')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^ip 198\.51\.100\.77\nAlarming, \w+ accuracy: 1 source says bad, newest .+\nTags: ssh\n$/)
  })

  test('a name that nobody reported: the known one that was perhaps meant', async () => {
    const { code, stdout } = await lookup('god.example')
    expect([code, stdout]).toEqual([0, 'domain god.example\nUnknown: not reported\nDid you mean good.example?\n'])
  })

  test('a file that is not there ends with 2', async () => {
    const { code, stderr } = await lookup(join(folder, 'none.log'))
    expect([code, stderr]).toEqual([2, expect.stringContaining('no such file')])
  })
}
