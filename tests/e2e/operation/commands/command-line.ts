import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { HARRIER } from '../../../builders/platform/command.ts'
import { ADMINISTRATOR } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

export function commandLine(shared: Shared): void {
  const { folder, platform } = shared
  const data = folder
  /** Where the command line is used: no data folder is here. */
  const elsewhere = join(folder, 'elsewhere')
  const file = join(elsewhere, 'harrier.json')
  const key = { apiKey: ADMINISTRATOR['api-key'], apiSecret: ADMINISTRATOR['api-secret'] }

  beforeAll(async () => {
    for (const one of [data, elsewhere]) mkdirSync(one, { recursive: true })
    writeFileSync(file, JSON.stringify({ url: platform.url, ...key }), { mode: 0o600 })
  })

  type Ran = { code: number | null; out: string; err: string }

  /** Runs a command line as a user without any variable of the platform does. */
  async function harrier(
    args: string[],
    given: { env?: NodeJS.ProcessEnv; interruptOn?: RegExp; input?: string } = {},
  ): Promise<Ran> {
    const { env = {}, interruptOn, input } = given
    const child = spawn(process.execPath, [HARRIER, ...args], {
      cwd: elsewhere,
      env: { PATH: process.env.PATH, HOME: elsewhere, ...env },
    })
    const ran: Ran = { code: null, out: '', err: '' }
    let interrupted = false
    const look = (): void => {
      if (interrupted || !interruptOn?.test(ran.out + ran.err)) return
      interrupted = true
      child.kill('SIGINT')
    }
    child.stdout.on('data', (chunk) => {
      ran.out += chunk
      look()
    })
    child.stderr.on('data', (chunk) => {
      ran.err += chunk
      look()
    })
    if (input === undefined) child.stdin.end()
    else child.stdin.write(input)
    ran.code = await new Promise((resolve) => child.once('close', resolve))
    return ran
  }

  describe('a platform that a file names', () => {
    test('is asked, and neither list nor JSON shows the secret', async () => {
      const made = await harrier(['user', 'create', '--email', 'ada@example.com', '--role', 'user', '--json'])
      expect([made.code, made.err]).toEqual([0, ''])
      const { userID } = JSON.parse(made.out)
      const listed = await harrier(['user', 'list'])
      expect(listed.out).toMatch(
        new RegExp(`^EMAIL .*\\n(?:.*\\n)*ada@example\\.com +- +user +enabled +.*(now|ago) +${userID}\\n`),
      )
      expect(listed.out + listed.err).not.toContain(key.apiSecret)
      const shown = await harrier(['user', 'show', userID, '--json'])
      expect(JSON.parse(shown.out)).toMatchObject({ userID, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) })
      const feeds = await harrier(['feed', 'list'])
      expect([feeds.code, feeds.out]).toEqual([0, 'Coming in: no feeds\nGoing out: no feeds are published\n'])
    })

    test('is asked for a user by address only when the address is verified', async () => {
      const { code, err } = await harrier(['user', 'roles', 'nobody@example.com', 'user'])
      expect([code, err]).toEqual([2, expect.stringContaining('no user has the address nobody@example.com')])
    })

    test('tells its refusal in its own words', async () => {
      const { code, err } = await harrier(['scan', 'show', 'nonsense'])
      expect([code, err]).toEqual([1, expect.stringMatching(/^harrier: 400: id: .*\(error id .*\)\n$/)])
    })

    test('is not asked when others can read the file', async () => {
      chmodSync(file, 0o644)
      const { code, out, err } = await harrier(['user', 'list'])
      chmodSync(file, 0o600)
      expect([code, out, err]).toEqual([2, '', expect.stringContaining('chmod 600')])
    })
  })

  test('where no platform answers, the address and what to do are said, and no stack', async () => {
    const env = { HARRIER_URL: 'http://127.0.0.1:9', HARRIER_API_KEY: key.apiKey, HARRIER_API_SECRET: key.apiSecret }
    const { code, out, err } = await harrier(['customer', 'list'], { env })
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(
      /^harrier: no answer from http:\/\/127\.0\.0\.1:9: .+\nIs the platform running\? .+harrier up.+\n$/,
    )
  })

  describe('Ctrl-C', () => {
    test('of an import says what was done, and ends with 130', async () => {
      const args = ['feed', 'import', '-', '--format', 'lines', '--feed', 'mine']
      const { code, err } = await harrier(args, {
        env: { HARRIER_DATA_DIR: data },
        input: '198.51.100.1\n',
        interruptOn: /cannot be recognised/,
      })
      expect([code, err]).toEqual([
        130,
        expect.stringMatching(
          /harrier: interrupted: .*\nTo continue: harrier feed import - --format lines --feed mine\n$/,
        ),
      ])
    })

    test('of a follower says where the rest is', async () => {
      const running = harrier(['audit', 'tail'], { env: { HARRIER_DATA_DIR: data }, interruptOn: /"action"/ })
      const seen = async (): Promise<void> => {
        for (let done = false; !done; ) {
          await harrier(['user', 'create', '--email', `u${Date.now()}@example.com`])
          done = (await Promise.race([
            running.then(() => true),
            new Promise((go) => setTimeout(go, 200, false)),
          ])) as boolean
        }
      }
      await seen()
      const { code, err } = await running
      expect([code, err]).toEqual([
        130,
        expect.stringMatching(
          /interrupted: \d+ records printed .*\nTo continue: harrier audit tail\n.*harrier audit export --since \d{4}-/,
        ),
      ])
    })
  })
}
