/** Mails that stay here, as files, for whoever runs the platform on its embedded defaults (decisions 9.4). */

import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { message } from './message.ts'
import type { Mailer } from './port.ts'

export type OutboxOptions = {
  folder: string
  /** Told of every mail, without what is in it: codes have no place in a log. */
  onMail: (mail: { to: string; subject: string; path: string }) => void
  /** Unix milliseconds. */
  now: () => number
}

/** Files that are kept; the oldest go. */
const MAX_FILES = 1000

const FROM = 'harrier@localhost'

/** `<folder>/<time>-<uuid>.eml`, each whole or not there; the folder is made for the first one. */
export function outboxMailer({ folder, onMail, now }: OutboxOptions): Mailer {
  const composer = createTransport({ streamTransport: true, buffer: true })

  const makeFolder = () => mkdir(folder, { recursive: true, mode: 0o700 })

  const keepNewest = async (): Promise<void> => {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
    await Promise.all(files.slice(0, -MAX_FILES).map((name) => rm(join(folder, name), { force: true })))
  }

  return {
    async send(mail) {
      const at = now()
      const { message: text } = await composer.sendMail(message(mail, FROM, at))
      const path = join(folder, `${new Date(at).toISOString().replaceAll(/[-:.]/g, '')}-${randomUUID()}.eml`)
      await makeFolder()
      const draft = `${path}.draft`
      await writeFile(draft, text as Buffer, { mode: 0o600, flag: 'wx', flush: true })
      await rename(draft, path)
      await keepNewest()
      onMail({ to: mail.to, subject: mail.subject, path })
    },
    async probe() {
      await makeFolder()
      await access(folder, constants.W_OK)
    },
  }
}
