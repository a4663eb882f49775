/** A tiny SMTP server on loopback: takes mails and keeps what was said to it. */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

export type SmtpServer = {
  url: string
  /** Envelope and text of every mail that was taken. */
  mails: { from: string; to: string[]; text: string }[]
  connections: number
  /** Every line outside of mails. */
  heard: string[]
  /** What it says to `DATA`, instead of taking the mail. */
  refuse: string | null
  /** Says nothing at all, not even hello. */
  mute: boolean
  close(): Promise<void>
}

export async function smtpServer(host = '127.0.0.1'): Promise<SmtpServer> {
  const sockets = new Set<Socket>()
  const listener = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)))
    server.connections++
    if (!server.mute) serve(socket, server)
  })
  listener.listen(0, host)
  await once(listener, 'listening')
  const server: SmtpServer = {
    url: `smtp://${host}:${(listener.address() as AddressInfo).port}`,
    mails: [],
    connections: 0,
    heard: [],
    refuse: null,
    mute: false,
    async close() {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
  return server
}

function serve(socket: Socket, server: SmtpServer): void {
  const say = (line: string) => socket.write(`${line}\r\n`)
  let pending = ''
  let mail = { from: '', to: [] as string[] }
  let data: string[] | null = null
  say('220 here')
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    pending += chunk
    for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
      hear(pending.slice(0, end))
      pending = pending.slice(end + 2)
    }
  })

  function hear(line: string): void {
    if (data !== null) {
      if (line !== '.') return void data.push(line)
      server.mails.push({ ...mail, text: data.join('\n') })
      mail = { from: '', to: [] }
      data = null
      return void say('250 taken')
    }
    server.heard.push(line)
    const [, from] = /^MAIL FROM:<(.*?)>/i.exec(line) ?? []
    const [, to] = /^RCPT TO:<(.*?)>/i.exec(line) ?? []
    if (from !== undefined) mail.from = from
    if (to !== undefined) mail.to.push(to)
    if (/^DATA$/i.test(line)) {
      if (server.refuse !== null) return void say(server.refuse)
      data = []
      return void say('354 go on')
    }
    if (/^QUIT$/i.test(line)) return void socket.end('221 bye\r\n')
    if (/^STARTTLS$/i.test(line)) return void say('502 no')
    if (/^EHLO /i.test(line)) say('250-here')
    say(/^EHLO /i.test(line) ? '250 AUTH PLAIN' : /^AUTH /i.test(line) ? '235 ok' : '250 ok')
  }
}
