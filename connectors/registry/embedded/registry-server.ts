import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bodyParser } from '@koa/bodyparser'
import Router from '@koa/router'
import Koa, { type Context } from 'koa'
import { openStore } from '../../log/embedded/log-store.ts'
import { isLevel, LEVELS } from './compatibility.ts'
import { claimOwn, type OwnSchemas, type RepairedLevel, refuseOwnLevel, refuseOwnVersion } from './own.ts'
import { RegistryError, SCHEMAS, schemaTable, type Version } from './schemas.ts'

/** Questions that the protocol asks with POST: whether a schema is registered, whether it would fit. */
const ASKED = /^\/(?:subjects\/[^/]+|compatibility\/subjects\/[^/]+\/versions\/[^/]+)$/

/**
 * Lets through what only reads, and what carries `user` and `secret` (HTTP Basic), which `ctx.state.isWriter` tells. Every
 * other request is refused: any user of the machine reaches a port of loopback.
 */
function writersOnly(user: string, secret: string) {
  const wanted = digest(`Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`)
  return async (ctx: Context, next: () => Promise<void>): Promise<void> => {
    const reads = ctx.method === 'GET' || ctx.method === 'HEAD' || (ctx.method === 'POST' && ASKED.test(ctx.path))
    // Digests have one length, which the comparison in constant time asks for.
    ctx.state.isWriter = timingSafeEqual(digest(ctx.get('authorization')), wanted)
    if (!reads && !ctx.state.isWriter) {
      ctx.set('www-authenticate', 'Basic realm="schema registry"')
      throw new RegistryError(40101, 'writing requires the credentials of the running platform')
    }
    await next()
  }
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

export type EmbeddedRegistryOptions = {
  /** The folder of the embedded log, which keeps the schemas too. */
  folder: string
  /** 0 takes a free one. */
  port?: number
  /** Subjects that belong to the platform, each with the schema of this program. */
  own?: OwnSchemas
}

export type EmbeddedRegistry = {
  /** With the user and the secret that a write needs; made anew at every start. */
  url: string
  /** The levels of own subjects that were wrong and are right again. */
  mended: RepairedLevel[]
  close(): Promise<void>
}

const CONTENT = 'application/vnd.schemaregistry.v1+json'
/** Bytes of the secret of one start. */
const SECRET = 32
const USER = 'harrier'
/**
 * Of the questions of others: to compare two schemas takes the square of their size, in the process of the platform. A
 * union of 1 MB would keep it busy for many seconds.
 */
const OTHERS = '64kb'

/**
 * A schema registry on loopback that speaks the part of Confluent's protocol which Avro clients use. Whoever reaches the
 * port may read; a write needs the secret of this start. Own subjects are registered here, before the port is open, and
 * from outside they cannot be changed at all (ADR 267).
 * @throws RegistryError when an own schema does not fit the registered one
 */
export async function embeddedRegistry(options: EmbeddedRegistryOptions): Promise<EmbeddedRegistry> {
  const { folder, port = 0, own = new Map() } = options
  const store = openStore(folder, [SCHEMAS])
  const table = schemaTable(store)
  const mended = await claimOwn(table, own).catch(async (error) => {
    await store.close()
    throw error
  })
  const secret = randomBytes(SECRET).toString('base64url')
  const router = new Router()

  router.get('/subjects', (ctx) => answer(ctx, table.subjects()))
  router.get('/subjects/:subject/versions', (ctx) =>
    answer(
      ctx,
      versionsOf(ctx).map(({ version }) => version),
    ),
  )
  router.get('/subjects/:subject/versions/:version', (ctx) => answer(ctx, versionOf(ctx)))
  router.post('/subjects/:subject/versions', async (ctx) => {
    refuseOwnVersion(table, own, subject(ctx), schemaText(ctx))
    const { id } = await table.register(subject(ctx), schemaText(ctx))
    answer(ctx, { id })
  })
  router.post('/subjects/:subject', (ctx) => answer(ctx, table.find(subject(ctx), schemaText(ctx))))
  router.get('/schemas/ids/:id', (ctx) => answer(ctx, { schema: table.schema(Number(ctx.params.id)) }))
  router.get('/config', (ctx) => answer(ctx, { compatibilityLevel: table.level('') }))
  router.get('/config/:subject', (ctx) => answer(ctx, { compatibilityLevel: table.level(subject(ctx)) }))
  router.put('/config', (ctx) => setLevel(ctx, ''))
  router.put('/config/:subject', (ctx) => setLevel(ctx, subject(ctx)))
  router.post('/compatibility/subjects/:subject/versions/:version', (ctx) => {
    const messages = table.conflicts(subject(ctx), schemaText(ctx), [versionOf(ctx)])
    answer(ctx, { is_compatible: messages.length === 0, ...(messages.length > 0 && { messages }) })
  })

  function versionsOf(ctx: Context): Version[] {
    const known = table.versions(subject(ctx))
    if (known.length === 0) throw new RegistryError(40401, `subject ${subject(ctx)} not found`)
    return known
  }

  function versionOf(ctx: Context): Version {
    const wanted = String(ctx.params.version)
    if (wanted !== 'latest' && !/^[1-9]\d{0,8}$/.test(wanted))
      throw new RegistryError(42202, `"${wanted}" is not a version; expected a number from 1, or latest`)
    const known = versionsOf(ctx)
    const found = wanted === 'latest' ? known.at(-1) : known.find(({ version }) => version === Number(wanted))
    if (!found) throw new RegistryError(40402, `version ${wanted} of ${subject(ctx)} not found`)
    return found
  }

  async function setLevel(ctx: Context, of: string): Promise<void> {
    const { compatibility } = (ctx.request.body ?? {}) as { compatibility?: unknown }
    if (!isLevel(compatibility)) throw new RegistryError(42203, `compatibility must be one of ${LEVELS.join(', ')}`)
    refuseOwnLevel(own, of, compatibility)
    await table.setLevel(of, compatibility)
    answer(ctx, { compatibility })
  }

  const app = new Koa()
  app.use(errors)
  app.use(writersOnly(USER, secret))
  const [ofWriters, ofOthers] = [bodies('1mb'), bodies(OTHERS)]
  app.use((ctx, next) => (ctx.state.isWriter ? ofWriters : ofOthers)(ctx, next))
  app.use(router.routes())
  const server = createServer(app.callback())
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))

  return {
    url: `http://${USER}:${secret}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    mended,
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await store.close()
    },
  }
}

const bodies = (jsonLimit: string) =>
  bodyParser({ jsonLimit, enableTypes: ['json'], extendTypes: { json: ['application/json', CONTENT] } })

const subject = (ctx: Context): string => String(ctx.params.subject)

function schemaText(ctx: Context): string {
  const { schema, schemaType = 'AVRO', references = [] } = (ctx.request.body ?? {}) as Record<string, unknown>
  if (schemaType !== 'AVRO') throw new RegistryError(42201, `schemaType ${schemaType} is not supported; use AVRO`)
  if (!Array.isArray(references) || references.length > 0)
    throw new RegistryError(42201, 'references are not supported')
  if (typeof schema !== 'string') throw new RegistryError(42201, 'schema is missing')
  return schema
}

function answer(ctx: Context, body: object): void {
  ctx.body = JSON.stringify(body)
  ctx.type = CONTENT
}

async function errors(ctx: Context, next: () => Promise<void>): Promise<void> {
  try {
    await next()
    if (ctx.status === 404 && ctx.body === undefined) throw new RegistryError(404, `no such resource: ${ctx.path}`)
  } catch (error) {
    const code = codeOf(error)
    answer(ctx, { error_code: code, message: code === 50001 ? 'the registry failed' : (error as Error).message })
    ctx.status = Number(String(code).slice(0, 3))
    if (code === 50001) ctx.app.emit('error', error, ctx)
  }
}

/** Errors of the body parser carry a status (400, 413); anything unknown is the registry's own fault. */
function codeOf(error: unknown): number {
  if (error instanceof RegistryError) return error.code
  const { status } = error as { status?: number }
  return status && status < 500 ? status : 50001
}
