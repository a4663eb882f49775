import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { writeOnce } from '../../../connectors/data-folder/write-once.ts'
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
      const platform = { url, apiKey: pair.key, apiSecret: pair.secret }
      if (!isKept && !isNamed && !(await writeOnce(file, `${JSON.stringify(platform, null, 2)}\n`)))
        throw new Error(`${file} was written by another run; run harrier init again`)
      await ensureTeam(serverAt(url, pair), options).catch((cause: Error) => {
        if (!isKept || !cause.message.startsWith('401')) throw cause
        throw new UsageError(`the key pair in ${file} is not accepted; delete the file to create another user`, {
          cause,
        })
      })
      if (!isKept) context.stderr.write(`created user ${options.email} with team ${options.team}\n`)
      const isHere = isKept || !isNamed
      context.stderr.write(
        isHere ? `key pair in ${file}\n` : 'the secret is not kept: store it now, it is shown only once\n',
      )
      if (json) return show({ ...context, now: Date.now }, platform, json)
      const variables = {
        // Commands that read the log or the history find the data folder from wherever they run.
        ...(isHere && { HARRIER_DATA_DIR: resolve(dataDir) }),
        HARRIER_URL: url,
        HARRIER_API_KEY: pair.key,
        HARRIER_API_SECRET: pair.secret,
      }
      for (const [name, value] of Object.entries(variables)) context.stdout.write(`export ${name}=${word(value)}\n`)
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

/** A text as one word of a shell: the answer of a server must not run as a command. */
const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
