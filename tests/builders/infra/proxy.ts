import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CERTIFICATE, KEY } from '../network/certificate.ts'
import { infra } from './manifests.ts'

export type ProxyPorts = { tls: number; plain: number }

/** infra/production/nginx.conf as it stands, but for ports, folders and processes of this machine. Returns its path. */
export function nginxConfig(folder: string, { tls, plain }: ProxyPorts, upstreams: readonly string[]): string {
  mkdirSync(join(folder, 'tls'), { recursive: true })
  writeFileSync(join(folder, 'tls/fullchain.pem'), CERTIFICATE)
  writeFileSync(join(folder, 'tls/privkey.pem'), KEY)
  const servers = upstreams.map((upstream) => `server ${upstream} max_fails=2 fail_timeout=5s;`).join('\n    ')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  )
  const text = infra('production/nginx.conf')
    .replace(/server 127\.0\.0\.1:8081[\s\S]*?server 127\.0\.0\.1:8082[^\n]*/, servers)
    .replace('pid /run/nginx.pid;', `pid ${join(folder, 'nginx.pid')};\ndaemon off;`)
    // Whoever runs the test owns the folder of what is too large for memory.
    .replace('worker_processes auto;', `worker_processes 1;${process.getuid?.() === 0 ? '\nuser root;' : ''}`)
    .replaceAll('/etc/nginx/tls/', `${join(folder, 'tls')}/`)
    .replace('/dev/stdout', join(folder, 'access.log'))
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${tls};`)
    .replace('http {', `http {\n  ${temporary.join('\n  ')}`)
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, text)
  return file
}

/** What nginx says of a configuration; null: nothing to complain about. */
export function complaints(nginx: string, config: string): string | null {
  const { status, stderr } = spawnSync(nginx, ['-t', '-q', '-e', 'stderr', '-c', config], { encoding: 'utf8' })
  return status === 0 ? null : stderr
}

const STARTS = 5

/** A running proxy before `upstreams`; resolves when it accepts connections, with its address. */
export async function startProxy(
  nginx: string,
  folder: string,
  upstreams: readonly string[],
): Promise<{ url: string; stop(): Promise<void> }> {
  // nginx takes a variable of this name for a list of sockets that it inherits.
  const { NGINX: _, ...env } = process.env
  for (let start = 1; ; start++) {
    const [tls, plain] = await freePorts(2)
    const url = `http://127.0.0.1:${tls}`
    const config = nginxConfig(folder, { tls: tls!, plain: plain! }, upstreams)
    const child = spawn(nginx, ['-e', 'stderr', '-c', config], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk) => (said += chunk))
    const end = (): void => void child.kill('SIGKILL')
    process.once('exit', end)
    child.once('exit', () => process.off('exit', end))
    if (await accepts(child, `${url}/livez`)) return { url, stop: () => stopped(child) }
    // A port that was free a moment ago may be taken by now.
    if (start === STARTS || !said.includes('Address already in use'))
      throw new Error(`nginx ended with ${child.exitCode}: ${said}`)
  }
}

/** Whether anything answers at the address before the process ends. */
async function accepts(child: ChildProcess, url: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    if (child.exitCode !== null) return false
    if (await fetch(url).catch(() => null)) return true
    await sleep(50)
  }
  throw new Error(`nginx does not answer at ${url}`)
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Ports of the loopback address that nothing listens on, all different. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
