/** The place of one more live stream (decisions 12.4; ADR 271). Its answers carry no `RateLimit-*` headers. */

import type { Metrics } from '../../../connectors/metrics/port.ts'
import type { HeldPlace, OpenStreams } from '../../../connectors/postgres/live/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { decide } from '../../../schemas/accounts/tiers/decide.ts'
import { entryOf, LIVE_STREAMS, UNLIMITED } from '../../../schemas/accounts/tiers/tiers.ts'
import { ApiError } from '../errors.ts'
import type { Allowances } from './allowance.ts'

type Ports = {
  streams: Pick<OpenStreams, 'take'>
  allowances: Pick<Allowances, 'of'>
  metrics: Pick<Metrics['instruments'], 'harrier_rate_limited_total'>
}

/** A place is free again when a stream ends, which nobody knows; that of a process that died within 30 seconds. */
const AGAIN_SECONDS = 10

const STREAMS_OPEN = 'as many live streams are open as your tier allows; close one, or try again in a moment'

/**
 * A place for a stream of that caller, null when it has no limit. To be taken before the answer begins and given back
 * when the stream ends, however it does; the stream has to end once its place is lost. Throws 429 when as many streams
 * are open as the tier allows, with the time to wait, or when it allows none. Rejects when the store cannot say (ADR 277).
 */
export async function takeStreamPlace(
  { streams, allowances, metrics }: Ports,
  user: Identity | null,
  ip: string,
): Promise<HeldPlace | null> {
  const { subject, tier } = await allowances.of(user, ip)
  const { service, featureKey } = LIVE_STREAMS
  const most = entryOf(tier.limits, service, featureKey)?.value ?? UNLIMITED
  if (subject === null || most === UNLIMITED) return null
  const disabled = decide(most, 0) === 'disabled'
  const place = disabled ? null : await streams.take(subject, most)
  if (place !== null) return place
  metrics.harrier_rate_limited_total.inc({ service, feature: featureKey })
  if (disabled) throw new ApiError('feature_disabled')
  throw new ApiError('rate_limited', { message: STREAMS_OPEN, retryAfter: AGAIN_SECONDS })
}
