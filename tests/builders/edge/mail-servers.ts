import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ended, whileRunning } from '../../clients/device.ts'
import { freePort } from '../network/free-port.ts'

/** Mail servers that ask a block list, as they are installed on this machine: Postfix and rspamd. */

const SMTP_MS = 20_000

/** A folder that is removed after `use`. */
async function inFolder<T>(name: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`))
  try {
    // Their processes are of another user.
    await chmod(folder, 0o755)
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export type Postfix = {
  /** The last line of each answer to a mail from an address, that passed through a proxy. */
  smtpd(client: string, sender: string): Promise<string>
  /** The same, where postscreen is in front. */
  postscreen(client: string): Promise<string>
}

/**
 * What `use` makes of a Postfix with these lines in its `main.cf`, which has `resolver` for its only name server, at port 53.
 * Needs root. @returns what it printed too
 */
export async function withPostfix<T>(
  resolver: string,
  lines: string,
  use: (postfix: Postfix) => Promise<T>,
): Promise<T> {
  return inFolder('postfix', async (folder) => {
    const [smtpd, postscreen] = [await freePort(), await freePort()]
    for (const part of ['conf', 'data', 'queue']) await mkdir(join(folder, part))
    const conf = join(folder, 'conf')
    await writeFile(join(folder, 'resolv.conf'), `nameserver ${resolver}\noptions timeout:5 attempts:1\n`)
    await writeFile(
      join(conf, 'main.cf'),
      `compatibility_level = 3.6
config_directory = ${conf}
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = /dev/stdout
inet_interfaces = loopback-only
inet_protocols = ipv4
myhostname = mx.test
mydestination = mx.test
mynetworks = 192.0.2.1
local_recipient_maps =
smtpd_peername_lookup = no
smtpd_authorized_xclient_hosts = 127.0.0.1
postscreen_upstream_proxy_protocol = haproxy
postscreen_greet_wait = 1s
postscreen_cache_map =
${lines}`,
    )
    await writeFile(
      join(conf, 'master.cf'),
      `127.0.0.1:${smtpd} inet n - n - - smtpd
127.0.0.1:${postscreen} inet n - n - 1 postscreen
smtpd pass - - n - - smtpd
dnsblog unix - - n - 0 dnsblog
cleanup unix n - n - 0 cleanup
rewrite unix - - n - - trivial-rewrite
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`,
    )
    const checked = await ended('sh', ['-c', `chown postfix "$1/data" && postfix -c "$1/conf" check`, 'sh', folder])
    if (!checked.ok) throw new Error(`postfix cannot be had: ${checked.out}`)
    // It opens what it prints to, which must be a pipe; and ends its group of processes, so it has one of its own.
    const start = `mount --bind "$1/resolv.conf" /etc/resolv.conf
      exec setsid "$(postconf -c "$1/conf" -h daemon_directory)/master" -c "$1/conf" -s -d > >(exec cat)`
    return whileRunning('unshare', ['--mount', 'bash', '-ec', start, 'bash', folder], /daemon started/, async () =>
      use({
        smtpd: (client, sender) =>
          converse(smtpd, '', ['EHLO x', `XCLIENT ADDR=${client} NAME=[UNAVAILABLE]`, ...mail(sender)]),
        postscreen: (client) =>
          converse(postscreen, `PROXY TCP4 ${client} 127.0.0.1 4000 25\r\n`, mail('someone@clean.example')),
      }),
    )
  })
}

const mail = (sender: string): string[] => ['EHLO x', `MAIL FROM:<${sender}>`, 'RCPT TO:<someone@mx.test>']

/** What is said to the last of the lines. @throws Error for a server that says nothing, or ends too early */
async function converse(port: number, first: string, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').setTimeout(SMTP_MS, () => socket.destroy(new Error('no answer')))
  socket.write(first)
  const left = [...lines]
  try {
    for await (const answer of createInterface(socket)) {
      if (answer[3] === '-') continue
      const next = left.shift()
      if (next === undefined) return answer
      socket.write(`${next}\r\n`)
    }
    throw new Error(`the connection ended before: ${left.join(', ')}`)
  } finally {
    socket.destroy()
  }
}

/** Symbols with what each is about, which rspamd found in a mail that came from an address. */
export type Symbols = Record<string, string[]>

/** What `use` makes of an rspamd with this module `rbl`, and with `resolver` (address:port) for its name server. */
export async function withRspamd<T>(
  resolver: string,
  rbl: string,
  use: (check: (client: string, mail: string) => Promise<Symbols>) => Promise<T>,
): Promise<T> {
  return inFolder('rspamd', async (folder) => {
    const port = await freePort()
    const config = join(folder, 'rspamd.conf')
    await writeFile(join(folder, 'suffixes'), 'com\nexample\ntest\n')
    await writeFile(
      config,
      `options {
  filters = "";
  tempdir = "${folder}";
  url_tld = "${folder}/suffixes";
  dns { nameserver = ["${resolver}"]; timeout = 5s; }
}
logging { type = "console"; level = "info"; }
worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; }
modules { path = "/usr/share/rspamd/plugins/rbl.lua"; }
rbl {
${rbl}
}
`,
    )
    // By default it refuses to run as root.
    return whileRunning('rspamd', ['--no-fork', '--insecure', '--config', config], /starting normal process/, () =>
      use(async (client, body) => {
        const answer = await fetch(`http://127.0.0.1:${port}/checkv2`, {
          method: 'POST',
          headers: { IP: client, connection: 'close' },
          body,
        })
        const { symbols } = (await answer.json()) as { symbols: Record<string, { options?: string[] }> }
        return Object.fromEntries(Object.entries(symbols).map(([name, { options = [] }]) => [name, options]))
      }),
    )
  })
}
