import type { History } from '../../../../connectors/history/port.ts'
import { customerGroup, type Identity } from '../../../../schemas/accounts/accounts.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { MAX_VERDICT_MS, VERDICTS, type Verdict } from '../../../../schemas/intelligence/observations/verdict.ts'
import { isRetracted } from '../../../../schemas/intelligence/state/entity-view.ts'
import { ApiError, invalid } from '../../../http/errors.ts'
import type { EntityViews } from '../entity/entity-views.ts'
import { givenVerdicts, shownVerdict, verdictAt } from '../entity/verdicts-service.ts'
import type { Readers } from '../readers.ts'
import type { IngestPorts } from './ingest.ts'
import { publisher } from './publish-reports.ts'
import { submitterOf } from './submitter.ts'

export type VerdictPorts = IngestPorts & {
  history: Pick<History, 'query'>
  readers: Readers
  entities: EntityViews
  pause: (ms: number) => Promise<void>
}

/** `until` in unix milliseconds; null: it does not end. */
export type VerdictBody = { verdict: Verdict; reason: string; until: number | null }

/** A verdict is answered once colleagues are shown it, or after so long. */
const SHOWN_MS = 2_000
const LOOK_MS = 50

/**
 * Verdicts of customers (decisions 17.1; ADR 208). Every call throws 403 for a user without a customer, and 404 for
 * an entity of which it may read no report that counts.
 */
export function verdictService(ports: VerdictPorts) {
  const { readers, entities, now, pause } = ports
  const publish = publisher(ports)
  const given = givenVerdicts(ports.history)

  /** The rows that the caller may read, and the audience of its customer. */
  async function place(user: Identity, entityId: string) {
    const customer = user.customerId
    if (customer === null) throw new ApiError('forbidden', { message: 'only members of a customer can give verdicts' })
    const rows = (await entities.states(await readers.of(user.groups), [entityId])).get(entityId)
    if (rows === undefined || isRetracted(rows)) throw new ApiError('not_found', { message: 'no such entity' })
    const group = customerGroup(customer)
    return { rows, group, audience: audienceId([group]), type: rows[0]!.type, value: rows[0]!.value }
  }

  type Place = Awaited<ReturnType<typeof place>>

  /** The verdict of the customer that holds now, by its record; null: none. */
  const holding = async ({ rows, audience }: Place) => verdictAt(await given(rows[0]!, [audience], now()), now())

  async function append(user: Identity, entityId: string, { group, type, value }: Place, body: VerdictBody | null) {
    const { userId, source, trust } = submitterOf(user)
    const observation: Observation = {
      id: ports.newId(),
      submissionId: ports.newId(),
      entityId,
      type,
      value,
      attributes: {},
      reputation: body === null ? null : VERDICTS[body.verdict],
      tags: [],
      links: [],
      audience: [group],
      userId,
      source,
      sourceKind: 'customer',
      trust,
      kind: 'verdict',
      observedAt: now(),
      covers: false,
      retracted: null,
      verdict: { reason: body?.reason ?? '', until: body?.until ?? 0 },
      covered: false,
    }
    await publish([observation], observation.kind)
    return observation
  }

  /** Waits until the row of the customer is as the record says; the record is durable in any case. */
  async function shown(user: Identity, { audience }: Place, { entityId, observedAt, reputation }: Observation) {
    for (let waited = 0; waited < SHOWN_MS; waited += LOOK_MS) {
      const rows = (await entities.states(await readers.of(user.groups), [entityId])).get(entityId) ?? []
      const held = rows.find((row) => row.audience === audience)?.verdict ?? null
      if (reputation === null ? held === null : (held?.at ?? 0) >= observedAt) return
      await pause(LOOK_MS)
    }
  }

  return {
    /** Resolves once the verdict is durable, and, but for a busy platform, shown to every member. Throws 400 for `until`. */
    async give(user: Identity, entityId: string, body: VerdictBody) {
      const at = await place(user, entityId)
      if (body.until !== null && (body.until <= now() || body.until > now() + MAX_VERDICT_MS))
        throw invalid('until', 'must be in the future, and at most 3,650 days from now')
      const record = await append(user, entityId, at, body)
      await shown(user, at, record)
      const { observedAt, reputation, verdict, userId } = record
      const held = { reputation: reputation!, at: observedAt, until: verdict!.until }
      const { reason } = verdict!
      return { entityID: entityId, ...shownVerdict({ audience: at.audience, userId, at: observedAt, reason, held }) }
    },

    /** Throws 404 while none holds. */
    async get(user: Identity, entityId: string) {
      const found = await holding(await place(user, entityId))
      if (found === null) throw noVerdict()
      return { entityID: entityId, ...shownVerdict(found) }
    },

    /** Throws 404 while none holds. */
    async takeBack(user: Identity, entityId: string): Promise<void> {
      const at = await place(user, entityId)
      if ((await holding(at)) === null) throw noVerdict()
      await shown(user, at, await append(user, entityId, at, null))
    },
  }
}

export type VerdictService = ReturnType<typeof verdictService>

const noVerdict = (): ApiError => new ApiError('not_found', { message: 'the customer has no verdict on this entity' })
