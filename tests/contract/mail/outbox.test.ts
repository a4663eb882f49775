import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outboxMailer } from '../../../connectors/mail/outbox.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'
import { mailContract, SENT_AT } from './suite.ts'

const root = ownFolder('outbox')

let folders = 0
async function open() {
  const folder = join(root, String(folders++))
  const told: { to: string; subject: string; path: string }[] = []
  const mailer = outboxMailer({ folder, onMail: (mail) => told.push(mail), now: SENT_AT })
  const files = async () => (await readdir(folder).catch(() => [])).sort()
  const read = async (name: string) => (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
  return { folder, told, files, mailer, texts: async () => Promise.all((await files()).map(read)) }
}

mailContract('outbox', open)

const mail = { to: 'ada@example.com', subject: 'x', text: 'secret' }

test('a mail is a file that its owner alone reads, and is told of without its text', async () => {
  const { folder, told, files, mailer } = await open()
  await mailer.send(mail)
  const [name] = await files()
  expect(name).toMatch(/^20260203T040506000Z-[0-9a-f-]{36}\.eml$/)
  expect(told).toEqual([{ to: mail.to, subject: mail.subject, path: join(folder, name!) }])
  expect((await stat(join(folder, name!))).mode & 0o777).toBe(0o600)
})

test('the newest thousand are kept', async () => {
  const { folder, files, mailer } = await open()
  await mkdir(folder)
  const name = (i: number) => `20250101T000000000Z-${String(i).padStart(4, '0')}.eml`
  for (let i = 0; i < 1003; i++) await writeFile(join(folder, name(i)), '')
  await mailer.send(mail)
  const left = await files()
  expect(left).toHaveLength(1000)
  expect(left[0]).toBe(name(4))
  expect(left.at(-1)).toMatch(/^2026/)
})

test('a folder that cannot be made rejects mail and probe', async () => {
  const { folder, mailer } = await open()
  await writeFile(folder, 'a file')
  await chmod(folder, 0o600)
  await expect(mailer.send(mail)).rejects.toThrow('EEXIST')
  await expect(mailer.probe()).rejects.toThrow('EEXIST')
})
