import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { firstKey } from '../../../../../../connectors/postgres/accounts/users/first-key.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harrier-key-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('the pair is made once and read back ever after', async () => {
  const path = join(folder, 'administrator.json')
  const made = await firstKey(path)
  expect(made).toMatchObject({ created: true, apiKey: expect.stringMatching(/^.{32}$/) })
  expect(made.apiSecret.length).toBeGreaterThanOrEqual(43)
  expect(await firstKey(path)).toEqual({ ...made, created: false })
  expect(await readdir(folder)).toEqual(['administrator.json'])
})

test('only the owner of the file reads it', async () => {
  const path = join(folder, 'administrator.json')
  await firstKey(path)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('of several starts at once, all end with one pair', async () => {
  const pairs = await Promise.all(Array.from({ length: 8 }, () => firstKey(join(folder, 'administrator.json'))))
  expect(new Set(pairs.map(({ apiSecret }) => apiSecret)).size).toBe(1)
  expect(pairs.filter(({ created }) => created)).toHaveLength(1)
})

for (const text of ['', '{', '{"apiKey":"x"}', '{"apiKey":"","apiSecret":""}', 'null']) {
  test(`a file that holds ${JSON.stringify(text)} is an error that names it`, async () => {
    const path = join(folder, 'administrator.json')
    await writeFile(path, text)
    await expect(firstKey(path)).rejects.toThrow(path)
  })
}
