// Plain JavaScript for any Node that npm runs on: builds the program when a file of it is newer than what was built
// (ADR 285).
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { BUILDS, currentBuild, ROOT } from './built.js'

/** What is started by itself, as a process or a thread, by the name of its file in a build. */
const ENTRIES = {
  harrier: 'cli/main.ts',
  engine: 'connectors/history/engine/main.ts',
  'loop-watch': 'cli/wiring/watchdog/thread.ts',
  'list-worker': 'connectors/feed-files/making/worker.ts',
  'make-folder': 'connectors/postgres/core/embedded/make-folder.ts',
  'pack-cluster': 'connectors/postgres/core/embedded/pack-cluster.ts',
  'replay-worker': 'cli/commands/replay/worker.ts',
}

/** Packages that stay in node_modules: native code, WebAssembly, data, and a client whose modules are replaced (ADR 158). */
const PACKAGES = [
  '@electric-sql/pglite',
  '@ip-location-db/asn',
  '@ip-location-db/geo-whois-asn-country-mmdb',
  'chdb',
  'kafkajs',
  'lmdb',
  'swagger-ui-dist',
]
const staysOutside = (id) => id.startsWith('node:') || PACKAGES.some((name) => id === name || id.startsWith(`${name}/`))

/** A process reads parts of its build long after its start: builds that stay beside the newest one. */
const KEPT = 3
/** A build takes seconds; what is older was cut short. */
const DRAFT_MS = 3_600_000

const OWN_URL = /new URL\((['`])([^'`:]+)\1, import\.meta\.url\)/g

/** What a build has of its own, beside the module that reads it. */
const MADE = 'accounts.tar'

/** Paths that are relative to a module, said from the folder of the build. Adds no line, so maps stay right. */
const movedPaths = (out) => ({
  name: 'moved-paths',
  transform(code, id) {
    if (!id.startsWith(ROOT) || id.includes('/node_modules/') || !code.includes('import.meta.url')) return null
    const from = (path) => `./${relative(out, path)}`
    const moved = code.replace(OWN_URL, (_, quote, path) => {
      if (path === MADE) return `new URL('./${MADE}', import.meta.url)`
      if (!path.endsWith('.ts')) return `new URL(${quote}${from(dirname(id))}/${path}${quote}, import.meta.url)`
      const started = resolve(dirname(id), path)
      const entry = Object.keys(ENTRIES).find((name) => join(ROOT, ENTRIES[name]) === started)
      if (entry === undefined) throw new Error(`${id} starts ${path}, which is not in ENTRIES of bin/build.js`)
      return `new URL('./${entry}.js', import.meta.url)`
    })
    const own = `createRequire(new URL('${from(id)}', import.meta.url))`
    return { code: moved.replaceAll('createRequire(import.meta.url)', own), map: null }
  },
})

/** The program in a folder of its own, which becomes the current build as a whole. */
async function build(rolldown) {
  const at = Date.now()
  const draft = join(BUILDS, `draft-${process.pid}`)
  mkdirSync(draft, { recursive: true })
  const bundle = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    external: staysOutside,
    plugins: [movedPaths(draft)],
    // It warns of what packages do; what it cannot resolve of ours is an error.
    logLevel: 'silent',
  })
  // Node tells deprecations of what is not below node_modules to users. Those of packages are for who builds.
  const banner = ({ isEntry }) => (isEntry ? 'process.noDeprecation = true' : '')
  const names = { banner, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' }
  const { output } = await bundle.write({ dir: draft, sourcemap: true, ...names })
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds)
  writeFileSync(join(draft, 'licenses.txt'), licenses(modules))
  const own = modules.filter((id) => id.startsWith(ROOT) && !id.includes('/node_modules/'))
  const inputs = [...own.map((id) => relative(ROOT, id)), 'package-lock.json', 'bin/build.js']
  const folder = digest(output)
  if (existsSync(join(BUILDS, folder))) rmSync(draft, { recursive: true })
  else {
    linkSync(packedAccounts(draft), join(draft, MADE))
    renameSync(draft, join(BUILDS, folder))
  }
  const current = join(BUILDS, 'current.json')
  writeFileSync(`${current}.${process.pid}`, JSON.stringify({ folder, at, inputs, packages: PACKAGES }))
  renameSync(`${current}.${process.pid}`, current)
  removeOld(folder)
}

/**
 * A file with new, migrated accounts: made once for a PostgreSQL and its migrations, in 6 s.
 * @param draft a build that can make it
 */
function packedAccounts(draft) {
  const migrations = join(ROOT, 'connectors/postgres/migrations')
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/@electric-sql/pglite/package.json'), 'utf8'))
  const hash = createHash('sha256').update(version)
  for (const name of readdirSync(migrations).sort()) hash.update(name).update(readFileSync(join(migrations, name)))
  const file = join(BUILDS, `accounts-${hash.digest('hex').slice(0, 12)}.tar`)
  if (!existsSync(file)) {
    const draftFile = `${file}.${process.pid}`
    execFileSync(process.execPath, [join(draft, 'pack-cluster.js'), draftFile], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    for (const older of readdirSync(BUILDS).filter((name) => /^accounts-\w+\.tar$/.test(name)))
      rmSync(join(BUILDS, older))
    renameSync(draftFile, file)
  }
  return file
}

/** Of all files of a build: the same sources have the same folder, and what was compiled of it stays. */
function digest(output) {
  const hash = createHash('sha256')
  for (const { fileName, code, source } of output) hash.update(fileName).update(code ?? source ?? '')
  return hash.digest('hex').slice(0, 12)
}

/** What the licenses of the packages inside ask for: their texts, each under the name of its package. */
function licenses(modules) {
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []))
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    return [`${name} ${version}: ${license}`, ...files.map((file) => readFileSync(join(folder, file), 'utf8'))].join(
      '\n',
    )
  })
  return `${texts.join('\n\n')}\n`
}

function removeOld(current) {
  const entries = readdirSync(BUILDS, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const aged = entries.map(({ name }) => ({ name, at: statSync(join(BUILDS, name)).mtimeMs }))
  const isDraft = ({ name }) => name.startsWith('draft-')
  const older = aged.filter((one) => !isDraft(one) && one.name !== current).sort((a, b) => b.at - a.at)
  const cut = aged.filter((one) => isDraft(one) && one.at < Date.now() - DRAFT_MS)
  for (const { name } of [...older.slice(KEPT), ...cut]) rmSync(join(BUILDS, name), { recursive: true, force: true })
}

// A machine that only runs Harrier may have no sources, or not what builds them: it starts what is there.
const bundler = join(ROOT, 'node_modules/rolldown/package.json')
if (existsSync(bundler) && existsSync(join(ROOT, ENTRIES.harrier)) && currentBuild() === null)
  await build((await import('rolldown')).rolldown)
