import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandWith } from '../../../builders/platform/command.ts'
import { ADMINISTRATOR } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** The first user of a platform. */
export function init({ folder, platform }: Shared): void {
  const run = (env: Record<string, string>, ...args: string[]) =>
    commandWith(
      {
        HARRIER_DATA_DIR: folder,
        HARRIER_ADMIN_KEY: ADMINISTRATOR['api-key'],
        HARRIER_ADMIN_SECRET: ADMINISTRATOR['api-secret'],
        ...env,
      },
      'init',
      ...args,
    )

  test('is made with every role, a team and a key pair that is kept; a second run prints the same', async () => {
    const file = join(folder, 'user.json')
    const first = await run({}, '--email', 'first@example.com', '--team', 'Blue team')
    expect(first.stderr).toBe(`created user first@example.com with team Blue team\nkey pair in ${file}\n`)
    const [, key, secret] = /API_KEY='(\S+)'\nexport HARRIER_API_SECRET='(\S+)'\n/.exec(first.stdout)!
    expect(first.stdout).toContain(`export HARRIER_DATA_DIR='${folder}'\nexport HARRIER_URL='${platform.url}'\n`)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const headers = { 'api-key': key!, 'api-secret': secret! }
    const customer = await platform.ask('/api/billing/v1/customer', undefined, headers)
    expect(customer.body).toMatchObject({ name: 'Blue team' })
    expect((await platform.ask('/api/casework/v1/triage/members', undefined, headers)).status).toBe(200)
    expect(await run({})).toEqual({ code: 0, stdout: first.stdout, stderr: `key pair in ${file}\n` })

    await writeFile(file, (await readFile(file, 'utf8')).replace(secret!, 'x'.repeat(32)))
    const refused = await run({})
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(`the key pair in ${file} is not accepted; delete the file to create another user`)

    await rm(file)
    const taken = await run({}, '--email', 'first@example.com')
    expect(taken).toMatchObject({ code: 2, stdout: '' })
    expect(taken.stderr).toContain('there is a user first@example.com already')
  })

  test('of a platform that is named has a key pair that is shown only once', async () => {
    const ran = await run({ HARRIER_URL: platform.url }, '--email', 'second@example.com')
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('the secret is not kept') })
    expect(ran.stdout).not.toContain('HARRIER_DATA_DIR')
    await expect(stat(join(folder, 'user.json'))).rejects.toThrow('ENOENT')
  })
}
