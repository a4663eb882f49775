/** Destinations of alerts, which one analyst owns within its customer (decisions 13.3; ADR 280). */

import type { Team } from '../../../connectors/postgres/accounts/team/port.ts'
import type {
  Destination,
  DestinationChange,
  Destinations,
} from '../../../connectors/postgres/casework/deliveries/port.ts'
import type { SendMessage } from '../../../connectors/receivers/port.ts'
import { type Identity, isNarrowedToGroups } from '../../../schemas/accounts/accounts.ts'
import {
  type DestinationKind,
  type Digest,
  newSigningSecret,
  type Receiver,
} from '../../../schemas/casework/deliveries/destination.ts'
import { webhookUrl } from '../../../schemas/scans/webhooks/url.ts'
import { noSuchCode, type Verification } from '../../accounts/services/sessions/verification.ts'
import { noMember } from '../../accounts/services/team/own-customer.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { ownerOf } from './casework-service.ts'

export type DestinationPorts = {
  destinations: Destinations
  team: Pick<Team, 'membership'>
  verification: Pick<Verification, 'issue' | 'confirmDestination'>
  /** Sends the message of a test. */
  sendMessage: SendMessage
  now: () => number
  newId: () => string
}

/** Between two tests of one destination, milliseconds: a test is a request to an address of the caller's choice. */
const TEST_PAUSE_MS = 5_000

type Change = {
  name?: string
  url?: string
  email?: string
  watchlists?: string[] | null
  digest?: Digest
  publicOnly?: boolean
}

export type NewDestinationBody = Change & { name: string; kind: DestinationKind }

/**
 * Every function throws 403 for a caller without a customer, and for a key that was narrowed to groups where the destination
 * is told more than what is public; 404 for a destination that is not the caller's.
 */
export function destinationService(
  { destinations, team, verification, sendMessage, now, newId }: DestinationPorts,
  rules: { webhookAllowPrivate: boolean },
) {
  const owner = ownerOf(team)

  /** Mails a code to the address; only this code confirms it. Throws 429 and 500. */
  const mailCode = async ({ id, owner: whose, email }: Destination, ip: string): Promise<void> => {
    const code = await verification.issue(email!, ip, { of: 'destination', destinationId: id })
    await destinations.setCode(whose, id, code)
  }

  /** Destinations are told what their user reads, and a key that was narrowed to groups reads less. Throws 403. */
  const checkGroups = (user: Identity, publicOnly: boolean): void => {
    if (!publicOnly && isNarrowedToGroups(user)) throw tooWide()
  }

  /** The destination of the caller, as far as it may handle it. */
  const own = async (user: Identity, id: string): Promise<Destination> => {
    const found = required(await destinations.destination(await owner(user), id))
    checkGroups(user, found.publicOnly)
    return found
  }

  return {
    /**
     * The destination with its secret, which nobody is shown again. Throws 400 that names what is wrong, 409 when the
     * quota is used up, and what a code throws.
     */
    async create(user: Identity, body: NewDestinationBody, ip: string): Promise<{ made: Destination; secret: string }> {
      const whose = await owner(user)
      const at = now()
      const { name, kind, watchlists = null, digest = 'none', publicOnly = false } = body
      checkGroups(user, publicOnly)
      const { url = null, email = null } = placeOf(kind, body, rules.webhookAllowPrivate)
      if (url === null && email === null) throw invalid(kind === 'email' ? 'email' : 'url', 'is required')
      const made: Destination = {
        id: newId(),
        owner: whose,
        name,
        kind,
        url,
        email,
        watchlists: lowered(watchlists),
        digest,
        publicOnly,
        confirmedAt: null,
        createdAt: at,
        updatedAt: at,
      }
      const secret = newSigningSecret()
      const outcome = await destinations.create({ ...made, secret })
      if (outcome === 'full') throw new ApiError('quota_exceeded')
      if (outcome === 'no member') throw noMember()
      if (outcome === 'no watchlist') throw noWatchlist()
      if (kind !== 'email') return { made, secret }
      try {
        await mailCode(made, ip)
      } catch (error) {
        await destinations.remove(whose, made.id)
        throw error
      }
      return { made, secret }
    },

    /** Without those that the caller may not handle. */
    list: async (user: Identity) => {
      const all = await destinations.list(await owner(user))
      return isNarrowedToGroups(user) ? all.filter(({ publicOnly }) => publicOnly) : all
    },

    get: own,

    /** What is not named stays. Another address, and one that was not confirmed yet, is mailed a code. Throws as `create`. */
    async change(user: Identity, id: string, body: Change, ip: string): Promise<Destination> {
      const before = await own(user, id)
      const whose = before.owner
      const { url, email } = placeOf(before.kind, body, rules.webhookAllowPrivate)
      const { name, watchlists, digest, publicOnly } = body
      checkGroups(user, publicOnly ?? true)
      const confirmed = before.confirmedAt !== null && email?.toLowerCase() === before.email?.toLowerCase()
      const change: DestinationChange = {
        ...(name === undefined ? {} : { name }),
        ...(url === undefined ? {} : { url }),
        ...(email === undefined || confirmed ? {} : { email }),
        ...(watchlists === undefined ? {} : { watchlists: lowered(watchlists) }),
        ...(digest === undefined ? {} : { digest }),
        ...(publicOnly === undefined ? {} : { publicOnly }),
        at: now(),
      }
      const after = await destinations.change(whose, id, change)
      if (after === 'no watchlist') throw noWatchlist()
      if (change.email !== undefined) await mailCode(required(after), ip)
      return required(after)
    },

    async remove(user: Identity, id: string): Promise<void> {
      const { owner: whose } = await own(user, id)
      required((await destinations.remove(whose, id)) || null)
    },

    /** A new secret; the one before signs nothing any more. */
    async renewSecret(user: Identity, id: string): Promise<string> {
      const { owner: whose } = await own(user, id)
      const secret = newSigningSecret()
      required((await destinations.setSecret(whose, id, secret, now())) || null)
      return secret
    },

    /** Throws 400 for a wrong code and for a destination that waits for none. */
    async confirm(user: Identity, id: string, code: string): Promise<Destination> {
      const { owner: whose } = await own(user, id)
      const codeId = await destinations.codeOf(whose, id)
      if (codeId === null) throw noSuchCode()
      await verification.confirmDestination(codeId, code)
      return required(await destinations.destination(whose, id))
    },

    /**
     * Sends a test at once and waits for its end: null, or why it failed. Throws 409 for an address that is not
     * confirmed, 429 within 5 s of the last test.
     */
    async test(user: Identity, id: string): Promise<string | null> {
      const { kind, name, confirmedAt, owner: whose } = await own(user, id)
      if (kind === 'email' && confirmedAt === null)
        throw new ApiError('conflict', { message: 'the address of the destination is not confirmed' })
      const at = now()
      const receiver: Receiver | 'too soon' = required(
        await destinations.beginTest(whose, id, { now: at, pauseMs: TEST_PAUSE_MS }),
      )
      if (receiver === 'too soon')
        throw new ApiError('rate_limited', {
          message: `a destination can be tested once every ${TEST_PAUSE_MS / 1000} seconds`,
          retryAfter: TEST_PAUSE_MS / 1000,
        })
      const sent = await sendMessage(receiver, { type: 'test', id: newId(), at, destinationID: id, name })
      return sent.ok ? null : sent.error
    },

    /** Newest first. Of a destination that was told more before, a narrowed key sees what was public. */
    async deliveries(user: Identity, id: string, page: { after: string | null; limit: number }) {
      const { owner: whose } = await own(user, id)
      return required(await destinations.deliveries(whose, id, { ...page, onlyPublic: isNarrowedToGroups(user) }))
    },

    /** Throws 409 for a delivery that arrived, and for one that was not tried yet. */
    async retry(user: Identity, deliveryId: string): Promise<void> {
      const outcome = await destinations.retry(await owner(user), deliveryId, now(), isNarrowedToGroups(user))
      if (outcome === 'not public') throw tooWide()
      if (outcome === null) throw new ApiError('not_found', { message: 'no such delivery' })
      if (outcome === 'delivered') throw new ApiError('conflict', { message: 'the delivery has already arrived' })
      if (outcome === 'untried') throw new ApiError('conflict', { message: 'the delivery was not attempted yet' })
    },
  }
}

export type DestinationService = ReturnType<typeof destinationService>

/** UUIDs are compared as text. */
const lowered = (ids: readonly string[] | null) => ids && [...new Set(ids.map((id) => id.toLowerCase()))]

/** The place that a body names, if it is one for this kind. Throws 400. */
function placeOf(
  kind: DestinationKind,
  { url, email }: Change,
  allowPrivate: boolean,
): { url?: string; email?: string } {
  if (kind === 'email') {
    if (url !== undefined) throw invalid('url', 'is not for destinations of the kind email')
    return email === undefined ? {} : { email }
  }
  if (email !== undefined) throw invalid('email', `is not for destinations of the kind ${kind}`)
  if (url === undefined) return {}
  const checked = webhookUrl(url, { allowPrivate, param: 'url', httpsOnly: !allowPrivate })
  if (!checked.ok) throw new ApiError('invalid_parameter', { message: checked.message, param: checked.param })
  return { url: checked.url }
}

const tooWide = () =>
  new ApiError('forbidden', { message: 'publicOnly must be true, because the key pair is narrowed to groups' })

const noWatchlist = () =>
  new ApiError('not_found', { message: 'watchlists: no such watchlist of the caller', param: 'watchlists' })

function required<T>(given: T | null): T {
  if (given === null) throw new ApiError('not_found', { message: 'no such destination' })
  return given
}
