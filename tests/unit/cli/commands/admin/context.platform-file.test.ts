import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPlatform } from '../../../../../cli/commands/admin/context.ts'
import { noteRunning } from '../../../../../connectors/data-folder/running.ts'

const SECRET = 'a-secret-that-nobody-may-see'
const file = { url: 'https://harrier.example.com', apiKey: 'k'.repeat(32), apiSecret: SECRET }
const named = { url: file.url, credentials: { key: file.apiKey, secret: SECRET }, isNamed: true }
const administrator = { key: 'administrator-key', secret: 'administrator-secret' }
const config = { url: 'http://127.0.0.1:8080', caller: null, administrator, dataDir: '/nowhere' }

let folder: string
let cwd: string
let home: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harrier-platform-file-'))
  cwd = join(folder, 'work')
  home = join(folder, 'config/harrier')
  for (const one of [cwd, home]) mkdirSync(one, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (place: string, content: unknown, mode = 0o600): void => {
  const path = join(place, 'harrier.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode })
  chmodSync(path, mode)
}
const open = (env: NodeJS.ProcessEnv = {}) =>
  openPlatform(config, { XDG_CONFIG_HOME: join(folder, 'config'), ...env }, cwd)

describe('the platform that a command asks', () => {
  test('is that of the file in the current folder, before the one in the configuration of the user', async () => {
    write(home, { ...file, url: 'https://other.example.com/harrier' })
    expect(await open()).toMatchObject({ url: 'https://other.example.com/harrier', isNamed: true })
    write(cwd, file)
    expect(await open()).toEqual(named)
  })

  test('is in ~/.config where nothing else is said', async () => {
    mkdirSync(join(folder, '.config/harrier'), { recursive: true })
    write(join(folder, '.config/harrier'), file)
    expect(await open({ XDG_CONFIG_HOME: 'relative', HOME: folder })).toEqual(named)
  })

  test('is the local one without a file', async () => {
    expect(await open()).toEqual({ url: config.url, credentials: administrator, isNamed: false })
  })

  test('is where the platform of the data folder listens, unless the environment says where', async () => {
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    noteRunning(dataDir, 'http://127.0.0.1:18080')
    const at = async (env: NodeJS.ProcessEnv) => (await openPlatform({ ...config, dataDir }, env, cwd)).url
    expect(await at({ HARRIER_DATA_DIR: dataDir })).toBe('http://127.0.0.1:18080')
    expect(await at({ HARRIER_DATA_DIR: dataDir, PORT: '0' })).toBe('http://127.0.0.1:18080')
    expect(await at({ HARRIER_DATA_DIR: dataDir, PORT: '8080' })).toBe(config.url)
    expect(await at({ HARRIER_URL: config.url })).toBe(config.url)
  })

  test.each(['HARRIER_URL', 'HARRIER_API_KEY', 'HARRIER_DATA_DIR', 'PORT'])(
    'is that of the environment when it has %s, and no file is read',
    async (name) => {
      write(cwd, 'not read')
      expect(await open({ [name]: 'x' })).toMatchObject({ url: config.url, credentials: administrator })
    },
  )
})

describe('a file', () => {
  test.each([0o640, 0o604, 0o620, 0o644])('with the mode %o is refused, with what to type', async (mode) => {
    write(cwd, file, mode)
    await expect(open()).rejects.toThrow(
      `other users can read or write it; close it with: chmod 600 ${cwd}/harrier.json`,
    )
  })

  const faults = [
    { name: 'no JSON', content: `{"apiSecret": "${SECRET}" oops`, says: 'is not a JSON object' },
    { name: 'a list', content: [SECRET], says: 'is not a JSON object' },
    { name: 'no secret', content: { ...file, apiSecret: undefined }, says: '"apiSecret" is missing' },
    { name: 'a short secret', content: { ...file, apiSecret: 'short' }, says: '"apiSecret" must be 16 to 256' },
    { name: 'an unknown key', content: { ...file, api_key: SECRET }, says: '"api_key" is not known' },
    { name: 'no URL', content: { ...file, url: 'harrier' }, says: '"url" is not a URL' },
    { name: 'a network without TLS', content: { ...file, url: 'http://10.0.0.1' }, says: 'must begin with https://' },
    { name: 'a password in the URL', content: { ...file, url: 'https://a:b@x.example' }, says: 'no user and password' },
    { name: 'a question', content: { ...file, url: 'https://x.example/?a=b' }, says: 'must end with the path' },
  ]
  test.each(faults)('with $name is refused without a word of its content', async ({ content, says }) => {
    write(cwd, content)
    const { message, exitCode } = await open().then(
      () => ({ message: '', exitCode: 0 }),
      (error: Error & { exitCode: number }) => error,
    )
    expect(message).toContain(`${join(cwd, 'harrier.json')}: `)
    expect(message).toContain(says)
    expect(message).not.toContain(SECRET)
    expect(exitCode).toBe(2)
  })

  test.each(['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:8080'])(
    'may name this machine: %s',
    async (url) => {
      write(cwd, { ...file, url })
      expect(await open()).toMatchObject({ url })
    },
  )
})

test('a key is not sent where certificates are not checked', async () => {
  write(cwd, file)
  await expect(open({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).rejects.toThrow('NODE_EXTRA_CA_CERTS')
})
