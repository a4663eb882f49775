import { link, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { ROLES } from '../../../schemas/accounts/accounts.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { show, withJson } from '../output.ts'
import { type AdminContext, asking, type PlatformAt, platformIn } from './context.ts'
import { type AdminRequest, type Credentials, serverAt } from './server-context.ts'

/** Where the key pair of the first user is kept in the data folder, in the form of `harrier.json`. */
const FILE = 'user.json'
const DAYS = 365

type InitContext = Pick<AdminContext, 'stdout' | 'stderr'> & {
  /** The platform, asked as its administrator. `dataDir`: where the key pair is kept. */
  open: () => Promise<PlatformAt & { dataDir: string }>
}
type Options = { email: string; name?: string; team: string }
type Json = { json?: true }

/**
 * Adds `init` to the program: makes the first user of a platform, with every role, a team and a key pair, and prints the
 * variables that the commands and the examples of the documentation read. Run again it prints the same.
 */
export function registerInit(program: Command, context: InitContext): void {
  withJson(asking(program.command('init')))
    .description('create the first user, with a team and a key pair, and print them as shell variables')
    .option('--email <address>', 'email address of the user', 'admin@example.com')
    .option('--name <name>', 'name of the user; default: the user of this machine')
    .option('--team <name>', 'name of the team', 'Security')
    .addHelpText(
      'after',
      '\nThe user has every role and owns the team. The key pair is kept in the data folder; a second run prints it again.',
    )
    .action(async ({ json, ...options }: Options & Json) => {
      const { url, credentials, isNamed, dataDir } = await context.open()
      const file = join(dataDir, FILE)
      // A platform that is named may be another one than that of the data folder here.
      const kept = await platformIn(file)
      const isKept = kept !== null && (!isNamed || kept.url === url)
      const pair = isKept ? kept.credentials : await newUser(serverAt(url, credentials), options)
      if (!isKept && !isNamed) await keep(file, { url, apiKey: pair.key, apiSecret: pair.secret })
      await ensureTeam(serverAt(url, pair), options)
      if (!isKept) context.stderr.write(`created user ${options.email} with team ${options.team}\n`)
      const isHere = isKept || !isNamed
      context.stderr.write(
        isHere ? `key pair in ${file}\n` : 'the secret is not kept: store it now, it is shown only once\n',
      )
      if (json) return show({ ...context, now: Date.now }, { url, apiKey: pair.key, apiSecret: pair.secret }, json)
      // Commands that read the log or the history find the data folder from wherever they run.
      if (isHere) context.stdout.write(`export HARRIER_DATA_DIR='${resolve(dataDir).replaceAll("'", `'\\''`)}'\n`)
      context.stdout.write(
        `export HARRIER_URL=${url}\nexport HARRIER_API_KEY=${pair.key}\nexport HARRIER_API_SECRET=${pair.secret}\n`,
      )
    })
}

/** A name of the machine may be absent, as in containers. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return 'admin'
  }
}

/** @throws UsageError when there is a user with this email address */
async function newUser(ask: AdminRequest, { email, name = userName() }: Options): Promise<Credentials> {
  const user = { email, fullName: name, roles: [...ROLES], groups: ['public'] }
  const { userID } = (await ask('POST', '/auth/v2/admin/user', user).catch((cause: Error) => {
    if (!cause.message.startsWith('409')) throw cause
    throw new UsageError(
      `there is a user ${email} already; create a key pair with: harrier keypair create ${email}, or name another address: --email`,
      { cause },
    )
  })) as { userID: string }
  const pair = { name: 'init', days: DAYS }
  const { apiKey, apiSecret } = (await ask('POST', `/auth/v2/admin/user/${userID}/keypair`, pair)) as Record<
    'apiKey' | 'apiSecret',
    string
  >
  return { key: apiKey, secret: apiSecret }
}

/** A run that was cut short may have left a user without a team. */
async function ensureTeam(ask: AdminRequest, { email, team }: Options): Promise<void> {
  const path = '/api/billing/v1/customer'
  const isThere = await ask('GET', path).then(
    () => true,
    (error: Error) => {
      if (error.message.startsWith('404')) return false
      throw error
    },
  )
  const unknown = { street: '-', city: '-', state: '', postalCode: '-', country: '-' }
  if (!isThere) await ask('POST', path, { name: team, email, billingAddress: unknown })
}

/** Whole or not at all, and only for its owner; a second `init` at the same time fails here. */
async function keep(file: string, platform: { url: string; apiKey: string; apiSecret: string }): Promise<void> {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(platform, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    await link(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}
