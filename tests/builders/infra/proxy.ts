import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CERTIFICATE, KEY } from '../network/certificate.ts'
import { infra } from './manifests.ts'

/** infra/production/nginx.conf as it stands, but for ports, folders and processes of this machine. Returns its path. */
export function nginxConfig(folder: string, port: number, upstreams: readonly string[]): string {
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
    .replace('listen 80;', `listen 127.0.0.1:${port + 1};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
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

/** A running proxy; resolves when it accepts connections. */
export async function startProxy(nginx: string, config: string, url: string): Promise<{ stop(): Promise<void> }> {
  const child: ChildProcess = spawn(nginx, ['-e', 'stderr', '-c', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr!.on('data', (chunk) => (said += chunk))
  process.once('exit', () => child.kill('SIGKILL'))
  for (let tries = 0; tries < 100; tries++) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${said}`)
    if (await fetch(url).catch(() => null)) break
    await sleep(50)
  }
  return {
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
