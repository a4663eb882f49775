import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bodyParser } from '@koa/bodyparser'
import Router from '@koa/router'
import Koa, { type Context } from 'koa'
import { openStore } from '../../log/embedded/store.ts'
import { isLevel, LEVELS } from './compatibility.ts'
import { RegistryError, schemaTable, type Version } from './schemas.ts'

export type EmbeddedRegistryOptions = {
  /** The folder of the embedded log, which keeps the schemas too. */
  folder: string
  /** 0 takes a free one. */
  port?: number
}

const CONTENT = 'application/vnd.schemaregistry.v1+json'

/** A schema registry on loopback that speaks the part of Confluent's protocol which Avro clients use. */
export async function embeddedRegistry({ folder, port = 0 }: EmbeddedRegistryOptions) {
  const store = openStore(folder)
  const table = schemaTable(store)
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
      throw new RegistryError(42202, `"${wanted}" is not a version: a number from 1, or latest`)
    const known = versionsOf(ctx)
    const found = wanted === 'latest' ? known.at(-1) : known.find(({ version }) => version === Number(wanted))
    if (!found) throw new RegistryError(40402, `version ${wanted} of ${subject(ctx)} not found`)
    return found
  }

  async function setLevel(ctx: Context, of: string): Promise<void> {
    const { compatibility } = (ctx.request.body ?? {}) as { compatibility?: unknown }
    if (!isLevel(compatibility)) throw new RegistryError(42203, `compatibility must be one of ${LEVELS.join(', ')}`)
    await table.setLevel(of, compatibility)
    answer(ctx, { compatibility })
  }

  const app = new Koa()
  app.use(errors)
  app.use(bodyParser({ jsonLimit: '1mb', enableTypes: ['json'], extendTypes: { json: ['application/json', CONTENT] } }))
  app.use(router.routes())
  const server = createServer(app.callback())
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await store.close()
    },
  }
}

const subject = (ctx: Context): string => String(ctx.params.subject)

function schemaText(ctx: Context): string {
  const { schema, schemaType = 'AVRO', references = [] } = (ctx.request.body ?? {}) as Record<string, unknown>
  if (schemaType !== 'AVRO') throw new RegistryError(42201, `schemaType ${schemaType} is not supported, only AVRO`)
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
